package dev.holdfast.rl.backend.java;

/**
 * The arrays of a learner that all its threads use: they read the parameters, and each writes to its own rows of the others.
 * Plain fields, since there is nothing to hide.
 */
final class LearnerArrays {
    /** In the network's layout. */
    final float[] parameters;

    /** Weights as {@code [out, in]}, for the backward pass. */
    final float[] transposed;

    /** {@code [batch size, outputs]}. */
    final float[] outputs;

    /** {@code [batch size]}. */
    final float[] values;

    final float[] outputGradient;
    final float[] valueGradient;

    LearnerArrays(Network network, int maxBatchSize) {
        parameters = new float[network.size()];
        transposed = new float[network.transposedSize()];
        outputs = new float[Math.multiplyExact(maxBatchSize, network.outputs())];
        values = new float[maxBatchSize];
        outputGradient = new float[outputs.length];
        valueGradient = new float[maxBatchSize];
    }
}
