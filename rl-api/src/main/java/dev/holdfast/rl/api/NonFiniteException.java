package dev.holdfast.rl.api;

/** A NaN or an infinity turned up where training can't go on with it. The message names the source: environment and step, or a statistic. */
public class NonFiniteException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message where it turned up
     */
    public NonFiniteException(String message) {
        super(message);
    }
}
