package dev.holdfast.rl.api;

import org.jspecify.annotations.Nullable;

/** The root of every exception that Holdfast throws on purpose. Its message is written for the person who runs the training. */
public class HoldfastException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public HoldfastException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause the exception behind it
     */
    public HoldfastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
