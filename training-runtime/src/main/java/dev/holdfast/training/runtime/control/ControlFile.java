package dev.holdfast.training.runtime.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file through which another process pauses and stops a run: {@code {"paused": true}}, {@code {"stop": true}}. A missing
 * or half-written file is no instruction; a stop overrides a pause.
 */
public final class ControlFile {
    private static final Logger LOG = LoggerFactory.getLogger(ControlFile.class);
    private static final ObjectMapper JSON = new ObjectMapper();
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
            JsonNode node = JSON.readTree(Files.readAllBytes(file));
            wasUnreadable = false;
            if (!node.isObject()) {
                return Instruction.NONE;
            } else if (node.path("stop").asBoolean()) {
                return Instruction.STOP;
            }
            return node.path("paused").asBoolean() ? Instruction.PAUSE : Instruction.RUN;
        } catch (JsonProcessingException | NoSuchFileException e) {
            return Instruction.NONE;
        } catch (IOException e) {
            if (!wasUnreadable) {
                LOG.warn("the control file {} can't be read, so it is ignored for now: {}", file, e.toString());
                wasUnreadable = true;
            }
            return Instruction.NONE;
        }
    }
}
