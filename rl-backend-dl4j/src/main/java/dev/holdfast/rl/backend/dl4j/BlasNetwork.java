package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.math.FloatMath;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;

/**
 * A network on the CPU: matrix products by OpenBLAS in native memory, everything else in Java's loops.
 *
 * <p>The networks of reinforcement learning are small. A call of OpenBLAS costs a tenth of a microsecond beside its work, an operation
 * of ND4J ten to fifty times as much, and ND4J's tanh takes ten times as long as a loop here.
 */
final class BlasNetwork implements Network {
    private final List<Layer> layers;
    private final Activation activation;
    /** All native memory; the matrices are parts of it. */
    private final FloatPointer memory;

    private final Matrix features;
    private final Matrix ones;
    /** By layer: its weights {@code [out, in]} and after them its biases {@code [out]}, as in the flat array. */
    private final Matrix[] parameters;

    private final Matrix[] gradients;
    /** By layer: its outputs {@code [rows, out]}, of a hidden one after the activation. */
    private final Matrix[] outputs;
    /** By layer: the gradient of the loss with respect to what the activation was given. */
    private final Matrix[] deltas;
    /** By layer: its biases, again and again for all rows. */
    private final float[][] biasRows;
    /** By layer: for a hidden one a copy of its outputs, from which the derivative of the activation is told. */
    private final float[][] activations;

    private final float[] delta;

    /**
     * Allocates a network.
     *
     * @param rows the largest number of rows that go forward at once
     */
    BlasNetwork(NetworkSpec spec, int rows) {
        ParameterLayout layout = new ParameterLayout(spec);
        layers = Layer.of(layout);
        activation = spec.activation();
        int count = layers.size();
        parameters = new Matrix[count];
        gradients = new Matrix[count];
        outputs = new Matrix[count];
        deltas = new Matrix[count];
        biasRows = new float[count][];
        activations = new float[count][];
        int widest = 0;
        for (Layer layer : layers) {
            int size = Math.multiplyExact(rows, layer.out());
            biasRows[layer.index()] = new float[size];
            activations[layer.index()] = new float[layer.hidden() ? size : 0];
            widest = Math.max(widest, size);
        }
        delta = new float[widest];
        float[] onesRow = new float[rows];
        Arrays.fill(onesRow, 1f);

        // Last, so that nothing can fail any more once there is something to free.
        int inputs = Math.multiplyExact(rows, spec.inputs());
        long total = (long) inputs + rows + 2L * layout.size();
        for (float[] outputRows : biasRows) {
            total += 2L * outputRows.length;
        }
        memory = new FloatPointer(total);
        features = new Matrix(memory, 0, inputs);
        ones = new Matrix(memory, inputs, rows);
        ones.put(onesRow, 0, rows);
        long at = (long) inputs + rows;
        for (Layer layer : layers) {
            int i = layer.index();
            parameters[i] = new Matrix(memory, at, layer.parameters());
            gradients[i] = new Matrix(memory, at + layer.parameters(), layer.parameters());
            at += 2L * layer.parameters();
            outputs[i] = new Matrix(memory, at, biasRows[i].length);
            deltas[i] = new Matrix(memory, at + biasRows[i].length, biasRows[i].length);
            at += 2L * biasRows[i].length;
        }
    }

    @Override
    public void load(float[] flat) {
        for (Layer layer : layers) {
            int i = layer.index();
            parameters[i].put(flat, layer.torch().weightOffset(), layer.parameters());
            float[] rows = biasRows[i];
            System.arraycopy(flat, layer.torch().biasOffset(), rows, 0, layer.out());
            for (int done = layer.out(); done < rows.length; done *= 2) {
                System.arraycopy(rows, 0, rows, done, Math.min(done, rows.length - done));
            }
        }
    }

    @Override
    public void store(float[] flat) {
        for (Layer layer : layers) {
            gradients[layer.index()].get(flat, layer.torch().weightOffset(), layer.parameters());
        }
    }

    @Override
    public void forward(float[] features, int from, int rows, float[] actionOutputs, float[] values) {
        OpenBlas.useOneThread();
        int inputs = layers.get(0).in();
        this.features.put(features, from * inputs, rows * inputs);
        for (int i = 0; i < layers.size(); i++) {
            Layer layer = layers.get(i);
            int out = layer.out();
            int count = rows * out;
            Matrix y = outputs[i];
            y.put(biasRows[i], 0, count);
            Matrix.forward(rows, layer.in(), out, input(layer), parameters[i], y);
            switch (layer.role()) {
                case HIDDEN -> {
                    y.get(activations[i], 0, count);
                    activate(activations[i], count);
                    y.put(activations[i], 0, count);
                }
                case ACTION_HEAD -> y.get(actionOutputs, from * out, count);
                case VALUE_HEAD -> y.get(values, from, count);
            }
        }
    }

    @Override
    public void backward(float[] outputGradient, float[] valueGradient, int from, int rows, boolean anew) {
        for (int i = layers.size() - 1; i >= 0; i--) {
            Layer layer = layers.get(i);
            int out = layer.out();
            int count = rows * out;
            Matrix d = deltas[i];
            switch (layer.role()) {
                case HIDDEN -> {
                    d.get(delta, 0, count);
                    differentiate(activations[i], delta, count);
                    d.put(delta, 0, count);
                }
                case ACTION_HEAD -> d.put(outputGradient, from * out, count);
                case VALUE_HEAD -> d.put(valueGradient, from, count);
            }
            Matrix.gradient(rows, layer.in(), out, d, input(layer), ones, gradients[i], !anew);
            Layer input = layer.input();
            if (input != null) {
                // The later layer that read the same input has been here before, and has left its share.
                Matrix.backward(rows, layer.in(), out, d, parameters[i], deltas[input.index()], layer.joins());
            }
        }
    }

    private Matrix input(Layer layer) {
        Layer input = layer.input();
        return input == null ? features : outputs[input.index()];
    }

    private void activate(float[] y, int count) {
        if (activation == Activation.TANH) {
            FloatMath.tanh(y, 0, count);
        } else {
            for (int i = 0; i < count; i++) {
                y[i] = Math.max(y[i], 0f);
            }
        }
    }

    /** Multiplies by the derivative of the activation, which can be told from its results. */
    private void differentiate(float[] y, float[] d, int count) {
        if (activation == Activation.TANH) {
            for (int i = 0; i < count; i++) {
                d[i] *= 1f - y[i] * y[i];
            }
        } else {
            // 1 where y > 0, without a branch that would be mispredicted every other time.
            for (int i = 0; i < count; i++) {
                d[i] *= Math.min(y[i] * Float.MAX_VALUE, 1f);
            }
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
