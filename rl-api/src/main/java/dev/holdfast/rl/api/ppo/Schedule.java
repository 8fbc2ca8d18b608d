package dev.holdfast.rl.api.ppo;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;

/**
 * A hyperparameter that may change over a run: a function of the remaining progress, which falls from 1 at the start to 0 at
 * the planned end and never below 0.
 *
 * <p>A user's own schedule is a lambda. It can't be written to a file: a checkpoint records it as {@code custom}, and a resumed
 * run must be given it again.
 */
@FunctionalInterface
public interface Schedule {
    /**
     * Returns the value at a point of the run.
     *
     * @param progressRemaining 1 at the start, 0 at the end
     * @return the value
     */
    double at(double progressRemaining);

    /**
     * Returns the text that {@link #parse} reads back: {@code 3.0E-4}, {@code linear(0.001)}, {@code linear(0.001,1.0E-4)}, or
     * {@code custom}.
     *
     * @return the text
     */
    default String text() {
        return "custom";
    }

    /**
     * Returns a schedule that never changes.
     *
     * @param value the value
     * @return the schedule
     */
    static Schedule constant(double value) {
        return new Constant(value);
    }

    /**
     * Returns a schedule that falls in a straight line to 0.
     *
     * @param start the first value
     * @return the schedule
     */
    static Schedule linear(double start) {
        return new Linear(start, 0);
    }

    /**
     * Returns a schedule that goes in a straight line.
     *
     * @param start the first value
     * @param end the last value
     * @return the schedule
     */
    static Schedule linear(double start, double end) {
        return new Linear(start, end);
    }

    /**
     * Reads a schedule.
     *
     * @param text a number, {@code linear(start)}, {@code linear(start,end)}, or {@code lin_start} as other tools write it
     * @param name the name of the value, for the error
     * @return the schedule
     * @throws InvalidConfigurationException if the text is none of these
     */
    static Schedule parse(String text, String name) {
        String trimmed = text.strip();
        try {
            if (trimmed.startsWith("linear(") && trimmed.endsWith(")")) {
                String[] parts = trimmed.substring("linear(".length(), trimmed.length() - 1)
                        .split(",", -1);
                if (parts.length <= 2) {
                    double end = parts.length == 2 ? finite(parts[1], text, name) : 0;
                    return new Linear(finite(parts[0], text, name), end);
                }
            } else if (trimmed.startsWith("lin_")) {
                return new Linear(finite(trimmed.substring("lin_".length()), text, name), 0);
            } else if (trimmed.equals("custom")) {
                throw new InvalidConfigurationException(
                        name + " was a schedule written in Java, which no file can hold: pass it again in Java");
            } else {
                return new Constant(finite(trimmed, text, name));
            }
        } catch (NumberFormatException e) {
            // falls through to the message that says what is allowed
        }
        throw new InvalidConfigurationException(
                name + " must be a number, linear(start) or linear(start,end), but was '" + text + "'");
    }

    private static double finite(String number, String text, String name) {
        double value = Double.parseDouble(number.strip());
        Require.that(Double.isFinite(value), name, "must be finite", "'" + text + "'");
        return value;
    }

    /**
     * A schedule that never changes.
     *
     * @param value the value, finite
     */
    record Constant(double value) implements Schedule {
        /** Validates. */
        public Constant {
            Require.that(Double.isFinite(value), "a schedule's value", "must be finite", value);
        }

        @Override
        public double at(double progressRemaining) {
            return value;
        }

        @Override
        public String text() {
            return Double.toString(value);
        }
    }

    /**
     * What stands for a user's own schedule in a checkpoint that was read from a file: acting needs no schedule, but learning can't
     * go on until it is passed again.
     *
     * @param name the name of the value, for the error
     * @param last the value that was in force when the checkpoint was written
     */
    record Unavailable(String name, double last) implements Schedule {
        /**
         * Refuses.
         *
         * @throws InvalidConfigurationException always, saying what to do
         */
        @Override
        public double at(double progressRemaining) {
            throw new InvalidConfigurationException(
                    name + " was a schedule written in Java, which no file can hold: pass it again in Java");
        }
    }

    /**
     * A schedule that goes in a straight line.
     *
     * @param start the first value, finite
     * @param end the last value, finite
     */
    record Linear(double start, double end) implements Schedule {
        /** Validates. */
        public Linear {
            Require.that(Double.isFinite(start), "a schedule's start", "must be finite", start);
            Require.that(Double.isFinite(end), "a schedule's end", "must be finite", end);
        }

        @Override
        public double at(double progressRemaining) {
            return end + progressRemaining * (start - end);
        }

        @Override
        public String text() {
            return end == 0 ? "linear(" + start + ")" : "linear(" + start + "," + end + ")";
        }
    }
}
