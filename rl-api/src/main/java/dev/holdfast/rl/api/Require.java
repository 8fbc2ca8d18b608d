package dev.holdfast.rl.api;

import java.util.Locale;

/** Checks of configuration values, so that every message has the same form: rule, name, value. */
public final class Require {
    private Require() {}

    /**
     * Throws unless a rule holds.
     *
     * @param holds whether it does
     * @param name the name of the value as the user knows it
     * @param rule the rule, for example {@code must be in [0, 1]}
     * @param value the value
     * @throws InvalidConfigurationException if the rule doesn't hold
     */
    public static void that(boolean holds, String name, String rule, Object value) {
        if (!holds) {
            throw new InvalidConfigurationException(name + " " + rule + ", but was " + value);
        }
    }

    /**
     * Returns an integer that must be at least {@code minimum}.
     *
     * @param value the value
     * @param minimum the smallest allowed value
     * @param name the name of the value as the user knows it
     * @return the value
     * @throws InvalidConfigurationException if it is smaller
     */
    public static int atLeast(int value, int minimum, String name) {
        that(value >= minimum, name, "must be at least " + minimum, value);
        return value;
    }

    /**
     * Returns a number that must be finite and in a closed interval.
     *
     * @param value the value
     * @param low the smallest allowed value
     * @param high the largest allowed value, may be infinite
     * @param name the name of the value as the user knows it
     * @return the value
     * @throws InvalidConfigurationException if it is outside, NaN or infinite
     */
    public static double inRange(double value, double low, double high, String name) {
        boolean holds = Double.isFinite(value) && value >= low && value <= high;
        String rule = Double.isInfinite(high)
                ? "must be a finite number of at least " + number(low)
                : "must be in [" + number(low) + ", " + number(high) + "]";
        that(holds, name, rule, value);
        return value;
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }
}
