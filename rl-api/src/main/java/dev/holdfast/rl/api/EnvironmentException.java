package dev.holdfast.rl.api;

import org.jspecify.annotations.Nullable;

/** An environment threw, or gave something that breaks its contract. The message names environment, step and rule. */
public class EnvironmentException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    private final int environment;

    /**
     * Creates an exception.
     *
     * @param environment the number of the environment, from 0
     * @param message environment, step and what is wrong
     * @param cause what the environment threw, or null
     */
    public EnvironmentException(int environment, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.environment = environment;
    }

    /**
     * Returns which environment it was.
     *
     * @return its number, from 0
     */
    public int environment() {
        return environment;
    }
}
