package dev.holdfast.training.runtime.metrics;

import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says what becomes of a line of a file. */
@FunctionalInterface
interface LineEdit {
    /** Returns the line to write instead, or null for none. */
    @Nullable String apply(String line);

    /**
     * Edits a file line by line. The new file takes the old one's place in one instant. A last line without an end, which a
     * killed writer left, is dropped.
     */
    static void edit(Path path, DurableFiles files, LineEdit edit) {
        files.write(path, bytes -> {
            // Latin-1 leaves all bytes as they are, also those of damaged lines.
            Writer out = new OutputStreamWriter(bytes, StandardCharsets.ISO_8859_1);
            try (BufferedReader in = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
                editLines(in, out, edit);
            }
            out.flush();
        });
    }

    private static void editLines(BufferedReader in, Writer out, LineEdit edit) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int character = in.read(); character >= 0; character = in.read()) {
            if (character != '\n') {
                line.append((char) character);
                continue;
            }
            String edited = edit.apply(line.toString());
            if (edited != null) {
                out.write(edited);
                out.write('\n');
            }
            line.setLength(0);
        }
    }

    /** Returns the beginning of a line, quoted, for a message. */
    static String excerpt(String line) {
        return line.length() <= 80 ? "'" + line + "'" : "'" + line.substring(0, 80) + "…'";
    }
}
