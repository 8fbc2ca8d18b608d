package dev.holdfast.rl.backend.dl4j.model;

import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import java.util.Arrays;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.misc.ElementWiseMultiplicationLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Layers with their parameters, in the order in which data passes through them. */
final class NetworkBuilder {
    /** With a fixed seed, which is part of the configuration, the networks of equal policies are equal. */
    private final NeuralNetConfiguration.ListBuilder layers = new NeuralNetConfiguration.Builder()
            .seed(0)
            .dataType(DataType.FLOAT)
            .list();

    private final float[] weights;
    private float[] parameters = new float[0];

    /**
     * @param weights in the order of {@link ParameterLayout}
     */
    NetworkBuilder(float[] weights) {
        this.weights = weights;
    }

    /**
     * Adds {@code clip((x - mean) / deviation, ±clip)}.
     *
     * <p>A mean far from 0 would cost digits in {@code x w + b} with {@code w = 1 / deviation} and {@code b = -mean w}: both terms are
     * large, and their difference is not. So the mean is subtracted first, rounded, which is exact near the mean, and what was rounded
     * off is subtracted afterwards. The hard hyperbolic tangent clips to ±1.
     */
    void addNormalizer(ObservationNormalizer normalizer) {
        double[] mean = normalizer.mean();
        double[] deviation = normalizer.deviation();
        boolean clipped = !Double.isInfinite(normalizer.clip());
        double limit = clipped ? normalizer.clip() : 1;
        int n = mean.length;
        float[] ones = new float[n];
        Arrays.fill(ones, 1f);
        float[] minusMean = new float[n];
        float[] scale = new float[n];
        float[] minusRest = new float[n];
        float[] limits = new float[n];
        Arrays.fill(limits, (float) limit);
        for (int i = 0; i < n; i++) {
            minusMean[i] = (float) -mean[i];
            scale[i] = (float) (1 / (deviation[i] * limit));
            minusRest[i] = (float) ((-mean[i] - minusMean[i]) / (deviation[i] * limit));
        }
        addElementWise(ones, minusMean, Activation.IDENTITY);
        addElementWise(scale, minusRest, clipped ? Activation.HARDTANH : Activation.IDENTITY);
        addElementWise(limits, new float[n], Activation.IDENTITY);
    }

    private void addElementWise(float[] factors, float[] summands, Activation activation) {
        int n = factors.length;
        Layer layer = new ElementWiseMultiplicationLayer.Builder()
                .nIn(n)
                .nOut(n)
                .activation(activation)
                .build();
        layers.layer(new FrozenLayer(layer));
        append(factors, 0, n);
        append(summands, 0, n);
    }

    void addHidden(ParameterLayout.Layer layer, Activation activation) {
        layers.layer(new DenseLayer.Builder()
                .nIn(layer.in())
                .nOut(layer.out())
                .activation(activation)
                .build());
        append(layer);
    }

    void addHead(ParameterLayout.Layer layer) {
        layers.layer(new OutputLayer.Builder(LossFunction.MSE)
                .nIn(layer.in())
                .nOut(layer.out())
                .activation(Activation.IDENTITY)
                .build());
        append(layer);
    }

    /** Deeplearning4j keeps a weight {@code [in, out]} column by column: the same order as {@code [out, in]} row by row. */
    private void append(ParameterLayout.Layer layer) {
        append(weights, layer.weightOffset(), layer.in() * layer.out());
        append(weights, layer.biasOffset(), layer.out());
    }

    private void append(float[] from, int offset, int count) {
        int size = parameters.length;
        parameters = Arrays.copyOf(parameters, size + count);
        System.arraycopy(from, offset, parameters, size, count);
    }

    MultiLayerNetwork build() {
        MultiLayerNetwork network = new MultiLayerNetwork(layers.build());
        network.init(Nd4j.createFromArray(new float[][] {parameters}), false);
        return network;
    }
}
