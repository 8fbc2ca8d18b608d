package dev.holdfast.rl.backend.dl4j;

/**
 * A network's parameters and activations where an engine computes with them: forward, and backward from the gradient of the
 * outputs. The rows of a mini-batch may come in several parts, each forward and then backward.
 *
 * <p><em>Threads.</em> One thread at a time.
 */
interface Network extends AutoCloseable {
    /**
     * Takes parameters over.
     *
     * @param flat in the order of {@link dev.holdfast.rl.api.network.ParameterLayout}; copied
     */
    void load(float[] flat);

    /**
     * Goes forward.
     *
     * @param features {@code [size, inputs]} of a whole mini-batch
     * @param from the first row
     * @param rows the number of rows, at least 1
     * @param outputs receives the action head's outputs in the same rows, {@code [size, outputs]}
     * @param values receives the value head's outputs, {@code [size]}
     */
    void forward(float[] features, int from, int rows, float[] outputs, float[] values);

    /**
     * Goes backward through the rows that last went forward, and adds their gradient to the sum.
     *
     * @param outputGradient the gradient of the action head's outputs, {@code [size, outputs]} of a whole mini-batch
     * @param valueGradient the gradient of the value head's outputs, {@code [size]}
     * @param from the first row
     * @param rows the number of rows
     * @param anew whether these rows begin a new sum
     */
    void backward(float[] outputGradient, float[] valueGradient, int from, int rows, boolean anew);

    /**
     * Copies the sum of gradients out.
     *
     * @param flat receives it in the order of {@link dev.holdfast.rl.api.network.ParameterLayout}; logarithms of standard
     *     deviations, which the network doesn't know, stay as they are
     */
    void store(float[] flat);

    /** Frees native memory. */
    @Override
    void close();
}
