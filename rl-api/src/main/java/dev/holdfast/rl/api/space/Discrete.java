package dev.holdfast.rl.api.space;

import dev.holdfast.rl.api.Require;
import org.jspecify.annotations.Nullable;

/**
 * One of {@code n} choices, 0 to {@code n - 1}.
 *
 * @param n the number of choices, 1 to 2^24 (the integers that a float holds exactly)
 */
public record Discrete(int n) implements Space {
    static final int LIMIT = 1 << 24;

    /** Validates. */
    public Discrete {
        Require.that(n >= 1 && n <= LIMIT, "Discrete n", "must be in [1, 2^24]", n);
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public int featureSize() {
        return n;
    }

    @Override
    public void encode(float[] values, int offset, float[] features, int featureOffset) {
        OneHot.encode(values[offset], n, features, featureOffset);
    }

    @Override
    public @Nullable String problem(float[] values, int offset) {
        return OneHot.problem(values[offset], n);
    }

    @Override
    public String toString() {
        return "Discrete(" + n + ")";
    }
}
