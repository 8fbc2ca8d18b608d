package dev.holdfast.rl.backend.dl4j.model;

import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.policy.Policy;
import java.util.List;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.misc.ElementWiseMultiplicationLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;

/**
 * Trained policies as networks of Deeplearning4j, for applications that predict, save ({@link
 * org.deeplearning4j.util.ModelSerializer}), or train on with Deeplearning4j's own classes.
 *
 * <p>A network reads rows of observations, {@code [batch, inputs]} in single precision: raw ones, as the environment gives them,
 * with indices one-hot ({@link dev.holdfast.rl.api.space.Space#encode}). It is made of
 *
 * <ol>
 *   <li>if the policy's observations are normalised, three frozen {@link ElementWiseMultiplicationLayer}s that normalise and clip them,
 *   <li>a {@link DenseLayer} for each hidden layer; layers that policy and value function share come first,
 *   <li>an {@link OutputLayer} with the identity and the mean squared error; no softmax, so that masks can be applied.
 * </ol>
 *
 * <p>Outputs are those of the {@link Policy} but for the rounding of single precision: they differ by less than 1e-6 of the largest
 * output, or of 1 where all are smaller. {@link Policy#mostProbable} makes an action of them.
 *
 * <p>A network is the caller's and shares nothing with the policy. As any {@link MultiLayerNetwork}, it is trained by one thread at a
 * time. Before ND4J
 * starts, its system properties are set as {@link dev.holdfast.rl.backend.dl4j.Dl4jBackend} says.
 */
public final class Dl4jModels {
    private Dl4jModels() {}

    /**
     * Returns the policy's network.
     *
     * @param policy the policy; only read
     * @return a network whose outputs {@code [batch, outputs]} are the logits, or the means of a {@code Box}, in the order of {@link
     *     dev.holdfast.rl.api.distribution.ActionDistribution}
     */
    public static MultiLayerNetwork policy(Policy policy) {
        ParameterLayout layout = new ParameterLayout(policy.network());
        return network(policy, layout, layout.policy(), layout.actionHead());
    }

    /**
     * Returns the value function's network.
     *
     * @param policy the policy; only read
     * @return a network with one output {@code [batch, 1]}, the value estimate ({@link Policy#value})
     */
    public static MultiLayerNetwork value(Policy policy) {
        ParameterLayout layout = new ParameterLayout(policy.network());
        return network(policy, layout, layout.value(), layout.valueHead());
    }

    private static MultiLayerNetwork network(
            Policy policy, ParameterLayout layout, List<ParameterLayout.Layer> own, ParameterLayout.Layer head) {
        Nd4jStart.prepare();
        Activation activation = switch (policy.network().activation()) {
            case TANH -> Activation.TANH;
            case RELU -> Activation.RELU;
        };
        NetworkBuilder builder = new NetworkBuilder(layout.join(policy.weights()));
        ObservationNormalizer normalizer = policy.normalizer();
        if (normalizer != null) {
            builder.addNormalizer(normalizer);
        }
        layout.shared().forEach(layer -> builder.addHidden(layer, activation));
        own.forEach(layer -> builder.addHidden(layer, activation));
        builder.addHead(head);
        return builder.build();
    }
}
