package dev.holdfast.rl.api.network;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A named array of numbers in row-major order, as it is exported, imported and saved.
 *
 * <p>The array is not copied: whoever makes a tensor hands its array over.
 *
 * @param name the name, for example {@code mlp_extractor.policy_net.0.weight}
 * @param shape the dimensions; a scalar has none
 * @param data a {@code float[]}, {@code double[]}, {@code int[]}, {@code long[]} or {@code boolean[]}, one element per element of
 *     the tensor
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content
public record Tensor(String name, int[] shape, Object data) {
    /** Checks that shape and data agree. */
    public Tensor {
        long expected = 1;
        for (int dimension : shape) {
            expected *= dimension;
        }
        if (length(data) != expected) {
            throw new IllegalArgumentException("tensor " + name + " of shape " + Arrays.toString(shape) + " needs "
                    + expected + " elements, but has " + length(data));
        }
    }

    private static int length(Object data) {
        if (data instanceof float[]
                || data instanceof double[]
                || data instanceof int[]
                || data instanceof long[]
                || data instanceof boolean[]) {
            return java.lang.reflect.Array.getLength(data);
        }
        throw new IllegalArgumentException(
                "a tensor can't hold " + data.getClass().getSimpleName());
    }

    /**
     * Returns the elements of a float tensor.
     *
     * @return the tensor's own array
     * @throws IllegalStateException if it holds another type
     */
    public float[] floats() {
        return as(float[].class);
    }

    /**
     * Returns the elements of a double tensor.
     *
     * @return the tensor's own array
     * @throws IllegalStateException if it holds another type
     */
    public double[] doubles() {
        return as(double[].class);
    }

    /**
     * Returns the elements of an int tensor.
     *
     * @return the tensor's own array
     * @throws IllegalStateException if it holds another type
     */
    public int[] ints() {
        return as(int[].class);
    }

    /**
     * Returns the elements of a long tensor.
     *
     * @return the tensor's own array
     * @throws IllegalStateException if it holds another type
     */
    public long[] longs() {
        return as(long[].class);
    }

    /**
     * Returns the elements of a boolean tensor.
     *
     * @return the tensor's own array
     * @throws IllegalStateException if it holds another type
     */
    public boolean[] booleans() {
        return as(boolean[].class);
    }

    private <T> T as(Class<T> type) {
        if (!type.isInstance(data)) {
            throw new IllegalStateException("tensor " + name + " must hold " + type.getSimpleName() + ", but holds "
                    + data.getClass().getSimpleName());
        }
        return type.cast(data);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Tensor tensor
                && name.equals(tensor.name)
                && Arrays.equals(shape, tensor.shape)
                && Arrays.deepEquals(new Object[] {data}, new Object[] {tensor.data});
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
        return name + Arrays.toString(shape) + ":" + data.getClass().getSimpleName();
    }
}
