package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.space.Box;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** What random play is like: what in it will make learning slow or hard. */
final class PlayStatistics {
    private static final double SLOW_RESET_MILLIS = 100;
    private static final double SLOW_STEP_MILLIS = 10;
    private static final float LARGE = 100;
    private static final float LARGE_ACTION = 10;
    private static final float SMALL_ACTION_RANGE = 0.1f;

    private final Set<Double> rewards = new HashSet<>();
    private final Set<Integer> lengths = new HashSet<>();
    private int resets;
    private int steps;
    private int length;
    private long resetNanos;
    private long stepNanos;
    private float largest;

    int steps() {
        return steps;
    }

    void reset(long nanos) {
        resets++;
        length = 0;
        resetNanos += nanos;
    }

    void step(Moment moment, long nanos) {
        steps++;
        length++;
        stepNanos += nanos;
        // Two are enough to know that they differ.
        if (rewards.size() < 2) {
            rewards.add(moment.reward());
        }
        for (float x : moment.observation()) {
            largest = Math.max(largest, Math.abs(x));
        }
        if (moment.done()) {
            lengths.add(length);
        }
    }

    void warn(EnvironmentProbe probe) {
        if (lengths.isEmpty()) {
            probe.warning("an episode should end some time", "none did within " + steps + " steps");
        }
        if (probe.observationSpace() instanceof Box && largest > LARGE) {
            probe.warning(
                    "observations should be about as large as 1",
                    "one element was as large as " + largest + "; consider normalising observations");
        }
        if (probe.actionSpace() instanceof Box box) {
            warn(probe, box);
        }
        if (rewards.size() == 1 && lengths.size() <= 1) {
            probe.warning(
                    "random actions should make a difference to the return",
                    "each of " + steps + " steps paid " + rewards.iterator().next()
                            + ", and no episode was shorter or longer");
        }
        double resetMillis = resetNanos / 1e6 / resets;
        if (resetMillis > SLOW_RESET_MILLIS) {
            probe.warning("a reset should be quick", "it took " + millis(resetMillis) + " on average");
        }
        double stepMillis = stepNanos / 1e6 / Math.max(steps, 1);
        if (stepMillis > SLOW_STEP_MILLIS) {
            probe.warning("a step should be quick", "it took " + millis(stepMillis) + " on average");
        }
    }

    /** A policy begins with a standard normal distribution. */
    private static void warn(EnvironmentProbe probe, Box actions) {
        float[] lows = actions.low();
        float[] highs = actions.high();
        for (int i = 0; i < lows.length; i++) {
            float low = lows[i];
            float high = highs[i];
            if (isLarge(low) || isLarge(high) || high - low < SMALL_ACTION_RANGE) {
                probe.warning(
                        "Box actions should be about as large as 1",
                        "element " + i + " is in [" + low + ", " + high
                                + "]; consider EnvironmentWrapper.scaleAction(-1, 1)");
            }
        }
    }

    private static boolean isLarge(float bound) {
        return Float.isFinite(bound) && Math.abs(bound) > LARGE_ACTION;
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.1f ms", millis);
    }
}
