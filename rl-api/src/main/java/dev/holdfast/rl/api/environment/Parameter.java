package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.List;

/**
 * A typed parameter of an environment, declared once for the command line, the page's form and validation.
 *
 * @param name its name, as in {@code --env-arg name=value}
 * @param type what kind of value it takes
 * @param defaultValue its default, as text
 * @param low the smallest number allowed, if it is a number
 * @param high the largest number allowed, if it is a number
 * @param choices the allowed texts, if it is a choice
 * @param description one sentence for people
 */
public record Parameter(
        String name,
        Type type,
        String defaultValue,
        double low,
        double high,
        List<String> choices,
        String description) {
    /** The kinds of values. */
    public enum Type {
        /** A whole number. */
        INTEGER,
        /** A number. */
        NUMBER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** One of a list of texts. */
        CHOICE,
        /** Any text. */
        TEXT
    }

    /** Copies the choices and checks that the default is allowed. */
    public Parameter {
        choices = List.copyOf(choices);
        check(name, type, defaultValue, low, high, choices);
    }

    /**
     * Declares a whole number.
     *
     * @param name its name
     * @param defaultValue its default
     * @param low the smallest allowed
     * @param high the largest allowed
     * @param description one sentence
     * @return the parameter
     */
    public static Parameter integer(String name, long defaultValue, long low, long high, String description) {
        return new Parameter(name, Type.INTEGER, Long.toString(defaultValue), low, high, List.of(), description);
    }

    /**
     * Declares a number.
     *
     * @param name its name
     * @param defaultValue its default
     * @param low the smallest allowed
     * @param high the largest allowed
     * @param description one sentence
     * @return the parameter
     */
    public static Parameter number(String name, double defaultValue, double low, double high, String description) {
        return new Parameter(name, Type.NUMBER, Double.toString(defaultValue), low, high, List.of(), description);
    }

    /**
     * Declares a switch.
     *
     * @param name its name
     * @param defaultValue its default
     * @param description one sentence
     * @return the parameter
     */
    public static Parameter flag(String name, boolean defaultValue, String description) {
        return new Parameter(name, Type.BOOLEAN, Boolean.toString(defaultValue), 0, 0, List.of(), description);
    }

    /**
     * Declares a choice.
     *
     * @param name its name
     * @param choices the allowed texts; the first is the default
     * @param description one sentence
     * @return the parameter
     */
    public static Parameter choice(String name, List<String> choices, String description) {
        return new Parameter(name, Type.CHOICE, choices.get(0), 0, 0, choices, description);
    }

    /**
     * Declares a text.
     *
     * @param name its name
     * @param defaultValue its default
     * @param description one sentence
     * @return the parameter
     */
    public static Parameter text(String name, String defaultValue, String description) {
        return new Parameter(name, Type.TEXT, defaultValue, 0, 0, List.of(), description);
    }

    /**
     * Checks a value.
     *
     * @param value as text
     * @throws InvalidConfigurationException if it is not allowed; the message states rule, name and value
     */
    public void check(String value) {
        check(name, type, value, low, high, choices);
    }

    private static void check(String name, Type type, String value, double low, double high, List<String> choices) {
        switch (type) {
            case INTEGER -> number(name, value, low, high, true);
            case NUMBER -> number(name, value, low, high, false);
            case BOOLEAN ->
                reject(!value.equals("true") && !value.equals("false"), name, "must be true or false", value);
            case CHOICE -> reject(!choices.contains(value), name, "must be one of " + choices, value);
            case TEXT -> {}
        }
    }

    private static void number(String name, String value, double low, double high, boolean whole) {
        String rule = whole
                ? "must be a whole number in [" + (long) low + ", " + (long) high + "]"
                : "must be a number in [" + low + ", " + high + "]";
        try {
            double number = whole ? Long.parseLong(value.strip()) : Double.parseDouble(value.strip());
            reject(!(number >= low && number <= high), name, rule, value);
        } catch (NumberFormatException e) {
            reject(true, name, rule, value);
        }
    }

    private static void reject(boolean wrong, String name, String rule, String value) {
        if (wrong) {
            throw new InvalidConfigurationException(
                    "environment parameter " + name + " " + rule + ", but was '" + value + "'");
        }
    }
}
