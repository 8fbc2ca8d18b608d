package dev.holdfast.rl.api.checkpoint;

import dev.holdfast.rl.api.HoldfastException;
import org.jspecify.annotations.Nullable;

/** A checkpoint is missing, damaged, from a newer version, or doesn't fit. The message names file, place and rule. */
public class CheckpointException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message file, place and what is wrong
     * @param cause the exception behind it, or null
     */
    public CheckpointException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
