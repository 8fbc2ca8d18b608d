package dev.holdfast.rl.api.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Indices as floats. */
final class OneHot {
    private OneHot() {}

    static void encode(float index, int n, float[] features, int offset) {
        Arrays.fill(features, offset, offset + n, 0f);
        features[offset + (int) index] = 1f;
    }

    static @Nullable String problem(float index, int n) {
        return index >= 0 && index < n && index == (int) index
                ? null
                : "must be an integer in [0, " + (n - 1) + "], but was " + index;
    }
}
