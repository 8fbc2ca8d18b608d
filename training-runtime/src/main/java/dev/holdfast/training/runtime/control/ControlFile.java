package dev.holdfast.training.runtime.control;

import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file through which another process pauses and stops a run: {@code {"paused": true}}, {@code {"stop": true}}. A missing
 * or half-written file is no instruction; a stop overrides a pause.
 */
public final class ControlFile {
    private static final Logger LOG = LoggerFactory.getLogger(ControlFile.class);
    /** More is no instruction that anybody meant. */
    private static final int MAX_BYTES = 64 * 1024;

    private final Path file;
    private boolean wasUnreadable;

    /** What the file says. */
    public enum Instruction {
        /** Nothing: there is no file, or it can't be read yet. */
        NONE,
        /** Go on. */
        RUN,
        /** Stand still. */
        PAUSE,
        /** Save and return. */
        STOP
    }

    /**
     * Creates a reader.
     *
     * @param file need not exist
     */
    public ControlFile(Path file) {
        this.file = file;
    }

    /**
     * Reads the file.
     *
     * @return what it says now
     */
    public Instruction read() {
        try {
            if (Files.size(file) > MAX_BYTES) {
                return Instruction.NONE;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            wasUnreadable = false;
            return JsonText.object(text).map(ControlFile::instruction).orElse(Instruction.NONE);
        } catch (NoSuchFileException e) {
            return Instruction.NONE;
        } catch (IOException e) {
            if (!wasUnreadable) {
                LOG.warn("the control file {} can't be read, so it is ignored for now: {}", file, e.toString());
                wasUnreadable = true;
            }
            return Instruction.NONE;
        }
    }

    private static Instruction instruction(Map<String, ?> values) {
        if (Boolean.TRUE.equals(values.get("stop"))) {
            return Instruction.STOP;
        }
        return Boolean.TRUE.equals(values.get("paused")) ? Instruction.PAUSE : Instruction.RUN;
    }

    /**
     * Writes the file, whole or not at all.
     *
     * @param instruction what the run is to do; {@link Instruction#NONE} removes the file
     * @throws dev.holdfast.rl.api.checkpoint.CheckpointException if it can't be written
     */
    public void write(Instruction instruction) {
        DurableFiles files = new DurableFiles();
        if (instruction == Instruction.NONE) {
            files.delete(file);
            return;
        }
        String text = "{\"paused\": " + (instruction == Instruction.PAUSE) + ", \"stop\": "
                + (instruction == Instruction.STOP) + "}\n";
        files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
