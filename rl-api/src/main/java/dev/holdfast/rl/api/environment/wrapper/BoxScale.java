package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;

/** A linear map of the bounds of each element of a {@code Box} to bounds that all elements share, and back. */
final class BoxScale {
    private final float[] low;
    private final float[] high;
    private final Box scaled;
    private final float scaledLow;
    private final float scaledHigh;

    BoxScale(String name, Space space, float scaledLow, float scaledHigh) {
        if (!(space instanceof Box box)) {
            throw new InvalidConfigurationException(name + " needs a Box, but the environment has " + space);
        }
        low = box.low();
        high = box.high();
        for (int i = 0; i < low.length; i++) {
            Require.that(
                    Float.isFinite(low[i]) && Float.isFinite(high[i]),
                    name,
                    "needs finite bounds of the environment",
                    low[i] + " and " + high[i] + " at element " + i);
        }
        Require.that(
                scaledLow < scaledHigh && Float.isFinite(scaledLow) && Float.isFinite(scaledHigh),
                name + " low and high",
                "must be finite with low < high",
                scaledLow + " and " + scaledHigh);
        scaled = Box.of(scaledLow, scaledHigh, box.shape());
        this.scaledLow = scaledLow;
        this.scaledHigh = scaledHigh;
    }

    Box scaled() {
        return scaled;
    }

    float[] scale(float[] values) {
        float[] result = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = map(values[i], low[i], high[i], scaledLow, scaledHigh);
        }
        return result;
    }

    float[] unscale(float[] values) {
        float[] result = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = map(values[i], scaledLow, scaledHigh, low[i], high[i]);
        }
        return result;
    }

    /** What is inside the bounds stays inside, however it is rounded; what is outside stays outside, to be noticed. */
    private static float map(double value, double low, double high, double newLow, double newHigh) {
        double share = value == low ? 0 : (value - low) / (high - low);
        return (float) ((1 - share) * newLow + share * newHigh);
    }
}
