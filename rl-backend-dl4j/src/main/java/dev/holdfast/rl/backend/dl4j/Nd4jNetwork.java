package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * A network in ND4J's arrays, wherever its backend keeps them: in a GPU's memory if that is CUDA.
 *
 * <p>Memory is allocated once, as vectors, and matrices are views of their beginnings, in column-major order: that is what BLAS wants.
 * So activations have a column for each sample, and weights, {@code [out, in]} row by row in the flat array, are {@code [in, out]}
 * column by column.
 */
final class Nd4jNetwork implements Network {
    private final List<Layer> layers;
    private final Activation activation;
    private final int device;
    /** What is to be freed. */
    private final List<INDArray> memory = new ArrayList<>();

    /** In the order of the flat array. */
    private final INDArray parameters;

    private final INDArray gradient;
    private final INDArray features;
    /** By layer: its outputs, of a hidden one after the activation. */
    private final INDArray[] outputs;
    /** By layer: the gradient of the loss with respect to what the activation was given. */
    private final INDArray[] deltas;

    private final INDArray derivative;

    /**
     * Allocates a network.
     *
     * @param rows the largest number of rows that go forward at once
     * @param device the number of the GPU; 0 on the CPU
     */
    Nd4jNetwork(NetworkSpec spec, int rows, int device) {
        ParameterLayout layout = new ParameterLayout(spec);
        layers = Layer.of(layout);
        activation = spec.activation();
        this.device = device;
        outputs = new INDArray[layers.size()];
        deltas = new INDArray[layers.size()];
        try {
            use();
            parameters = allocate(layout.size());
            gradient = allocate(layout.size());
            features = allocate((long) rows * spec.inputs());
            long widest = 0;
            for (Layer layer : layers) {
                outputs[layer.index()] = allocate((long) rows * layer.out());
                deltas[layer.index()] = allocate((long) rows * layer.out());
                widest = Math.max(widest, outputs[layer.index()].length());
            }
            derivative = allocate(widest);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private INDArray allocate(long size) {
        INDArray array = Nd4j.create(DataType.FLOAT, size);
        memory.add(array);
        return array;
    }

    /** Makes this thread compute on the right GPU: ND4J deals its threads out to all of them. */
    private void use() {
        Nd4j.getAffinityManager().unsafeSetDevice(device);
    }

    private static INDArray part(INDArray vector, long from, long size) {
        return vector.get(NDArrayIndex.interval(from, from + size));
    }

    private static INDArray matrix(INDArray vector, long from, long rows, long columns) {
        return part(vector, from, rows * columns).reshape('f', rows, columns);
    }

    private static void put(float[] source, int at, int count, INDArray vector) {
        try (INDArray copy = Nd4j.createFromArray(Arrays.copyOfRange(source, at, at + count))) {
            part(vector, 0, count).assign(copy);
        }
    }

    private static void get(INDArray vector, int from, int count, float[] target, int at) {
        System.arraycopy(part(vector, from, count).toFloatVector(), 0, target, at, count);
    }

    @Override
    public void load(float[] flat) {
        use();
        put(flat, 0, flat.length, parameters);
    }

    @Override
    public void store(float[] flat) {
        use();
        for (Layer layer : layers) {
            int at = layer.torch().weightOffset();
            get(gradient, at, layer.parameters(), flat, at);
        }
    }

    @Override
    public void forward(float[] features, int from, int rows, float[] actionOutputs, float[] values) {
        use();
        int inputs = layers.get(0).in();
        put(features, from * inputs, rows * inputs, this.features);
        for (Layer layer : layers) {
            int out = layer.out();
            INDArray vector = outputs[layer.index()];
            INDArray y = matrix(vector, 0, out, rows);
            Nd4j.gemm(weights(parameters, layer), input(layer, rows), y, true, false, 1, 0);
            y.addiColumnVector(matrix(parameters, layer.torch().biasOffset(), out, 1));
            switch (layer.role()) {
                case HIDDEN -> activate(y);
                case ACTION_HEAD -> get(vector, 0, rows * out, actionOutputs, from * out);
                case VALUE_HEAD -> get(vector, 0, rows, values, from);
            }
        }
    }

    @Override
    public void backward(float[] outputGradient, float[] valueGradient, int from, int rows, boolean anew) {
        use();
        double beta = anew ? 0 : 1;
        for (int i = layers.size() - 1; i >= 0; i--) {
            Layer layer = layers.get(i);
            int out = layer.out();
            switch (layer.role()) {
                case HIDDEN -> differentiate(outputs[i], deltas[i], rows * out);
                case ACTION_HEAD -> put(outputGradient, from * out, rows * out, deltas[i]);
                case VALUE_HEAD -> put(valueGradient, from, rows, deltas[i]);
            }
            INDArray d = matrix(deltas[i], 0, out, rows);
            Nd4j.gemm(input(layer, rows), d, weights(gradient, layer), false, true, 1, beta);
            try (INDArray sums = d.sum(1)) {
                INDArray biases = part(gradient, layer.torch().biasOffset(), out);
                if (anew) {
                    biases.assign(sums);
                } else {
                    biases.addi(sums);
                }
            }
            Layer input = layer.input();
            if (input != null) {
                // The later layer that read the same input has been here before, and has left its share.
                INDArray dx = matrix(deltas[input.index()], 0, layer.in(), rows);
                Nd4j.gemm(weights(parameters, layer), d, dx, false, false, 1, layer.joins() ? 1 : 0);
            }
        }
    }

    private static INDArray weights(INDArray flat, Layer layer) {
        return matrix(flat, layer.torch().weightOffset(), layer.in(), layer.out());
    }

    private INDArray input(Layer layer, int rows) {
        Layer input = layer.input();
        return matrix(input == null ? features : outputs[input.index()], 0, layer.in(), rows);
    }

    private void activate(INDArray y) {
        if (activation == Activation.TANH) {
            Transforms.tanh(y, false);
        } else {
            Transforms.relu(y, false);
        }
    }

    /** Multiplies by the derivative of the activation, which can be told from its results. */
    private void differentiate(INDArray outputs, INDArray deltas, int count) {
        INDArray y = part(outputs, 0, count);
        INDArray factor = part(derivative, 0, count).assign(y);
        if (activation == Activation.TANH) {
            factor.muli(y).rsubi(1);
        } else {
            Transforms.sign(factor, false);
        }
        part(deltas, 0, count).muli(factor);
    }

    @Override
    public void close() {
        memory.forEach(INDArray::close);
    }
}
