package dev.holdfast.training.runtime.metrics;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that grows by whole records: each is given to the operating system at once, and one that can't be written whole is
 * taken back.
 */
final class AppendedFile implements AutoCloseable {
    private final Path path;

    // Not a FileChannel: an interrupt of the thread that writes would close it.
    private final RandomAccessFile file;
    private long length;

    /** Opens a file, or creates it, to append to it, or to write it anew. */
    AppendedFile(Path path, boolean append) {
        this.path = path;
        try {
            file = new RandomAccessFile(path.toFile(), "rw");
            length = append ? file.length() : 0;
            if (length < file.length()) {
                file.setLength(length);
            }
            file.seek(length);
        } catch (IOException e) {
            throw failure("open", path, e);
        }
    }

    boolean isEmpty() {
        return length == 0;
    }

    void append(String text) {
        append(text.getBytes(StandardCharsets.UTF_8));
    }

    void append(byte[] bytes) {
        try {
            file.write(bytes);
            length += bytes.length;
        } catch (IOException e) {
            try {
                file.setLength(length);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw failure("write", path, e);
        }
    }

    /** Hands what was appended to the disk. */
    void sync() {
        try {
            file.getFD().sync();
        } catch (IOException e) {
            throw failure("write", path, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw failure("close", path, e);
        }
    }

    static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw failure("delete", path, e);
        }
    }

    static HoldfastException failure(String verb, Path path, IOException cause) {
        return new HoldfastException(
                "can't " + verb + " " + path + ": " + cause.getClass().getSimpleName() + ": " + cause.getMessage(),
                cause);
    }

    /** Returns the beginning of a line, quoted, for a message. */
    static String excerpt(String line) {
        return line.length() <= 80 ? "'" + line + "'" : "'" + line.substring(0, 80) + "…'";
    }

    /** Says what becomes of a line of a file. */
    @FunctionalInterface
    interface LineEdit {
        /** Returns the line to write instead, or null for none. */
        @Nullable String apply(String line);
    }

    /**
     * Edits a file line by line. The new file takes the old one's place in one instant. A last line without an end, which a
     * killed writer left, is dropped.
     */
    static void edit(Path path, LineEdit edit) {
        new DurableFiles().write(path, bytes -> {
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
}
