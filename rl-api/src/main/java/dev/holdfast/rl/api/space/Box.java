package dev.holdfast.rl.api.space;

import dev.holdfast.rl.api.Require;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Real numbers of a fixed shape, each in an interval of its own; a bound may be infinite.
 *
 * @param shape the dimensions, each at least 1
 * @param low the lower bounds in row-major order, one per element
 * @param high the upper bounds, each at least its lower bound
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by content
public record Box(int[] shape, float[] low, float[] high) implements Space {
    /** Validates and copies. */
    public Box {
        shape = shape.clone();
        low = low.clone();
        high = high.clone();
        Require.that(shape.length > 0, "Box shape", "must have at least one dimension", "[]");
        long size = 1;
        for (int dimension : shape) {
            Require.that(dimension > 0, "Box shape", "must have positive dimensions", Arrays.toString(shape));
            size *= dimension;
            Require.that(size <= 1 << 28, "Box shape", "must have at most 2^28 elements", Arrays.toString(shape));
        }
        Require.that(low.length == size, "Box low", "must have " + size + " elements", low.length);
        Require.that(high.length == size, "Box high", "must have " + size + " elements", high.length);
        for (int i = 0; i < size; i++) {
            Require.that(
                    low[i] <= high[i],
                    "Box bounds",
                    "must be numbers with low <= high",
                    low[i] + " and " + high[i] + " at element " + i);
        }
    }

    /**
     * Returns a vector of numbers that share their bounds.
     *
     * @param low the lower bound, may be infinite
     * @param high the upper bound, may be infinite
     * @param shape the dimensions
     * @return the space
     */
    public static Box of(float low, float high, int... shape) {
        int size = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        float[] lows = new float[Math.max(size, 0)];
        float[] highs = lows.clone();
        Arrays.fill(lows, low);
        Arrays.fill(highs, high);
        return new Box(shape, lows, highs);
    }

    /**
     * Returns a vector of unbounded numbers.
     *
     * @param shape the dimensions
     * @return the space
     */
    public static Box unbounded(int... shape) {
        return of(Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, shape);
    }

    @Override
    public int[] shape() {
        return shape.clone();
    }

    @Override
    public float[] low() {
        return low.clone();
    }

    @Override
    public float[] high() {
        return high.clone();
    }

    @Override
    public int size() {
        return low.length;
    }

    @Override
    public int featureSize() {
        return low.length;
    }

    @Override
    public void encode(float[] values, int offset, float[] features, int featureOffset) {
        System.arraycopy(values, offset, features, featureOffset, low.length);
    }

    @Override
    public @Nullable String problem(float[] values, int offset) {
        for (int i = 0; i < low.length; i++) {
            float value = values[offset + i];
            if (!Float.isFinite(value)) {
                return "element " + i + " is " + value;
            }
            if (value < low[i] || value > high[i]) {
                return "element " + i + " must be in [" + low[i] + ", " + high[i] + "], but was " + value;
            }
        }
        return null;
    }

    /**
     * Moves every element of a value into its bounds.
     *
     * @param values holds the value, is changed
     * @param offset where the value starts
     */
    public void clip(float[] values, int offset) {
        for (int i = 0; i < low.length; i++) {
            values[offset + i] = Math.min(Math.max(values[offset + i], low[i]), high[i]);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Box box
                && Arrays.equals(shape, box.shape)
                && Arrays.equals(low, box.low)
                && Arrays.equals(high, box.high);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(shape) + Arrays.hashCode(low)) + Arrays.hashCode(high);
    }

    /** Returns the shape, and the bounds if all elements share them. */
    @Override
    public String toString() {
        boolean shared = true;
        for (int i = 1; i < low.length; i++) {
            shared &= low[i] == low[0] && high[i] == high[0];
        }
        return "Box(" + (shared ? low[0] + ".." + high[0] : "own bounds per element") + ", " + Arrays.toString(shape)
                + ")";
    }
}
