package dev.holdfast.rl.api.space;

import dev.holdfast.rl.api.Require;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of bits, each 0 or 1.
 *
 * @param n the number of bits, 1 to 2^24
 */
public record MultiBinary(int n) implements Space {
    /** Validates. */
    public MultiBinary {
        Require.that(n >= 1 && n <= Discrete.LIMIT, "MultiBinary n", "must be in [1, 2^24]", n);
    }

    @Override
    public int size() {
        return n;
    }

    @Override
    public int featureSize() {
        return n;
    }

    @Override
    public void encode(float[] values, int offset, float[] features, int featureOffset) {
        System.arraycopy(values, offset, features, featureOffset, n);
    }

    @Override
    public @Nullable String problem(float[] values, int offset) {
        for (int i = 0; i < n; i++) {
            float value = values[offset + i];
            if (value != 0f && value != 1f) {
                return "bit " + i + " must be 0 or 1, but was " + value;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "MultiBinary(" + n + ")";
    }
}
