package dev.holdfast.rl.api.space;

import org.jspecify.annotations.Nullable;

/**
 * The set of possible observations or actions.
 *
 * <p>A <em>value</em> of a space is {@link #size()} floats in a row of an array: the numbers of a {@link Box} in row-major
 * order, the index of a {@link Discrete}, one index per branch of a {@link MultiDiscrete} or a {@link ConditionalDiscrete}, 0 or
 * 1 per bit of a {@link MultiBinary}. The <em>features</em> of a value are what a network reads: {@link #featureSize()} floats,
 * in which every index is one-hot.
 *
 * <p>Spaces are immutable, may be shared by threads, and are equal if they were made of the same numbers.
 */
public sealed interface Space permits Box, Discrete, MultiDiscrete, ConditionalDiscrete, MultiBinary {
    /**
     * Returns the number of floats of one value.
     *
     * @return at least 1
     */
    int size();

    /**
     * Returns the number of floats of one value's features.
     *
     * @return at least 1
     */
    int featureSize();

    /**
     * Writes the features of one value. The value must be a valid one ({@link #problem}).
     *
     * @param values holds the value
     * @param offset where the value starts
     * @param features receives {@link #featureSize()} floats
     * @param featureOffset where they start
     */
    void encode(float[] values, int offset, float[] features, int featureOffset);

    /**
     * Says what is wrong with a value, or returns null for a valid one.
     *
     * @param values holds the value
     * @param offset where it starts
     * @return for example {@code element 2 is NaN}, or null
     */
    @Nullable String problem(float[] values, int offset);
}
