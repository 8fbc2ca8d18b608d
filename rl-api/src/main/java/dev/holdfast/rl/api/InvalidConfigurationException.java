package dev.holdfast.rl.api;

/**
 * A value that a user chose breaks a rule. The message states rule, name and value: {@code gamma must be in [0, 1], but was
 * 1.2}. The command line ends with exit code 2 on it.
 */
public class InvalidConfigurationException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the rule, the name and the value
     */
    public InvalidConfigurationException(String message) {
        super(message);
    }
}
