package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import java.util.Arrays;
import java.util.List;

/**
 * What one thread needs to turn rows of a mini-batch into its share of the gradient.
 *
 * <p>Rows come in chunks, and each chunk goes forward, through the loss and backward before the next one begins: so its activations
 * are still in the cache when they are needed again, and their memory doesn't grow with the mini-batch.
 *
 * <p><em>Threads.</em> One thread at a time. Nothing is allocated after construction.
 */
final class Shard {
    private final Network network;
    private final Kernel kernel;
    private final Activation activation;
    private final LearnerArrays arrays;
    private final float[] zeros;
    /** By layer: its outputs for the rows of a chunk. Not of narrow layers, whose outputs go where the loss wants them. */
    private final float[][] activations;
    /** By layer, likewise: the gradient of the loss with respect to these outputs; in the end to what the activation was given. */
    private final float[][] deltas;

    private final float[] logStd;
    private final double[] logStdGradient;
    private final float[] gradient;

    Shard(NetworkSpec spec, Network network, Kernel kernel, LearnerArrays arrays, int chunkRows) {
        this.network = network;
        this.kernel = kernel;
        this.arrays = arrays;
        activation = spec.activation();
        List<Network.Layer> layers = network.layers();
        activations = new float[layers.size()][];
        deltas = new float[layers.size()][];
        int widest = 0;
        for (Network.Layer layer : layers) {
            int size = layer.narrow() ? 0 : Math.multiplyExact(chunkRows, layer.width());
            activations[layer.index()] = new float[size];
            deltas[layer.index()] = new float[size];
            widest = Math.max(widest, Math.max(layer.width(), layer.inWidth()));
        }
        zeros = new float[widest];
        logStd = new float[network.logStdCount()];
        logStdGradient = new double[network.logStdCount()];
        gradient = new float[network.size()];
    }

    /** Returns the shard's share of the gradient, in the network's layout. */
    float[] gradient() {
        return gradient;
    }

    /**
     * Adds the gradient of the loss of the rows {@code from} to {@code to - 1} to the shard's share.
     *
     * @param anew whether to start anew, with these rows
     */
    void add(MiniBatch batch, int from, int to, UpdateSettings settings, PpoLoss loss, boolean anew) {
        int rows = to - from;
        List<Network.Layer> layers = network.layers();
        forward(batch.features(), from, to);
        System.arraycopy(arrays.parameters, network.logStd(), logStd, 0, logStd.length);
        loss.evaluate(
                batch,
                from,
                to,
                settings,
                arrays.outputs,
                arrays.values,
                logStd,
                arrays.outputGradient,
                arrays.valueGradient,
                logStdGradient);
        for (int i = 0; i < logStd.length; i++) {
            int at = network.logStd() + i;
            gradient[at] = (anew ? 0f : gradient[at]) + (float) logStdGradient[i];
        }
        for (int i = layers.size() - 1; i >= 0; i--) {
            backward(layers.get(i), batch.features(), from, rows, anew);
        }
    }

    /** Puts the network's outputs for the rows {@code from} to {@code to - 1} where the loss wants them. */
    void forward(float[] features, int from, int to) {
        List<Network.Layer> layers = network.layers();
        for (int i = 0; i < layers.size(); i++) {
            forward(layers.get(i), features, from, to - from);
        }
    }

    private void forward(Network.Layer layer, float[] features, int from, int rows) {
        Network.Layer input = layer.input();
        float[] x = input == null ? features : activations[input.index()];
        int xAt = input == null ? from * layer.in() : 0;
        float[] y = activations[layer.index()];
        float[] outputs = layer.role() == Network.Role.ACTION_HEAD ? arrays.outputs : arrays.values;
        int outputsAt = from * layer.out();
        float[] parameters = arrays.parameters;
        int inWidth = layer.inWidth();
        int width = layer.width();
        if (layer.narrow()) {
            kernel.dots(
                    rows, inWidth, width, x, parameters, layer.weights(), parameters, layer.bias(), outputs, outputsAt);
            return;
        }
        kernel.multiply(
                rows,
                layer.in(),
                width,
                x,
                xAt,
                inWidth,
                1,
                parameters,
                layer.weights(),
                parameters,
                layer.bias(),
                0,
                y,
                0);
        if (layer.role() != Network.Role.HIDDEN) {
            copyRows(rows, layer.out(), y, 0, width, outputs, outputsAt, layer.out());
        } else if (activation == Activation.TANH) {
            kernel.tanh(y, rows * width);
        } else {
            for (int i = 0; i < rows * width; i++) {
                y[i] = Math.max(y[i], 0f);
            }
        }
    }

    private void backward(Network.Layer layer, float[] features, int from, int rows, boolean anew) {
        Network.Layer input = layer.input();
        float[] x = input == null ? features : activations[input.index()];
        int xAt = input == null ? from * layer.in() : 0;
        float[] outputGradient =
                layer.role() == Network.Role.ACTION_HEAD ? arrays.outputGradient : arrays.valueGradient;
        int outputsAt = from * layer.out();
        float[] d = layer.narrow() ? outputGradient : deltas[layer.index()];
        int dAt = layer.narrow() ? outputsAt : 0;
        int inWidth = layer.inWidth();
        int width = layer.width();
        if (layer.role() == Network.Role.HIDDEN) {
            differentiate(activations[layer.index()], d, rows * width);
        } else if (!layer.narrow()) {
            copyRows(rows, layer.out(), outputGradient, outputsAt, layer.out(), d, 0, width);
        }

        int weights = layer.weights();
        float[] start = anew ? zeros : gradient;
        int startAt = anew ? 0 : weights;
        if (layer.narrow()) {
            int startRow = anew ? 0 : inWidth;
            kernel.multiply(
                    layer.out(), rows, inWidth, d, dAt, 1, width, x, xAt, start, startAt, startRow, gradient, weights);
        } else {
            int startRow = anew ? 0 : width;
            kernel.multiply(
                    layer.in(), rows, width, x, xAt, 1, inWidth, d, dAt, start, startAt, startRow, gradient, weights);
        }
        if (anew) {
            Arrays.fill(gradient, layer.bias(), layer.bias() + width, 0f);
        }
        kernel.addRows(rows, width, d, dAt, gradient, layer.bias());

        if (input != null) {
            float[] rowsPerOutput = layer.narrow() ? arrays.parameters : arrays.transposed;
            int rowsAt = layer.narrow() ? weights : layer.transposed();
            float[] dx = deltas[input.index()];
            // The later layer that read the same input has been here before, and has left its share.
            float[] dxStart = layer.joins() ? dx : zeros;
            int dxStartRow = layer.joins() ? inWidth : 0;
            kernel.multiply(
                    rows, layer.out(), inWidth, d, dAt, width, 1, rowsPerOutput, rowsAt, dxStart, 0, dxStartRow, dx, 0);
        }
    }

    /** Multiplies by the derivative of the activation, which can be told from its results. */
    private void differentiate(float[] y, float[] d, int n) {
        if (activation == Activation.TANH) {
            for (int i = 0; i < n; i++) {
                d[i] *= 1f - y[i] * y[i];
            }
        } else {
            // 1 where y > 0, without a branch that would be mispredicted every other time.
            for (int i = 0; i < n; i++) {
                d[i] *= Math.min(y[i] * Float.MAX_VALUE, 1f);
            }
        }
    }

    private static void copyRows(
            int rows,
            int columns,
            float[] source,
            int sourceAt,
            int sourceRow,
            float[] target,
            int targetAt,
            int targetRow) {
        for (int i = 0; i < rows; i++) {
            System.arraycopy(source, sourceAt + i * sourceRow, target, targetAt + i * targetRow, columns);
        }
    }
}
