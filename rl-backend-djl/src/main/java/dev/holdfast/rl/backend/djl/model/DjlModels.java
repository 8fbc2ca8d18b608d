package dev.holdfast.rl.backend.djl.model;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.translate.Translator;
import ai.djl.util.Pair;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.backend.djl.DjlBackend;
import java.util.Arrays;
import java.util.List;

/**
 * Trained policies as models of DJL on PyTorch, for applications that predict, save or train on with DJL's own classes.
 *
 * <pre>
 *   observation ─ features ─ Linear ─ tanh or ReLU ─ … ─ Linear ─ outputs ─ action
 *                └ translator ┘└──────────── model ────────────┘ └─ translator ─┘
 * </pre>
 *
 * A model is a {@link SequentialBlock} of {@link Linear} layers and activations in single precision, in which layers that policy
 * and value function share come first. It reads features {@code [batch, inputs]} and gives outputs {@code [batch, outputs]}; no
 * softmax, so that masks can be applied. A translator does what {@link Policy#act(float[])} does around the network: it checks and
 * normalises the observation, writes indices one-hot, and picks the most probable action.
 *
 * <p>Outputs are those of the {@link Policy} but for the rounding of single precision: they differ by less than 1e-6 of the largest
 * output, or of 1 where all are smaller.
 *
 * <p>Models are on the CPU; {@link Model#newPredictor(Translator, Device)} takes a copy to another device. The caller closes models
 * and predictors. A predictor belongs to one thread at a time; a translator may be shared by threads and predictors, and doesn't
 * change when the model is trained. PyTorch is loaded as {@link DjlBackend} says.
 */
public final class DjlModels {
    private DjlModels() {}

    /**
     * Returns the policy's network.
     *
     * @param policy the policy; only read
     * @return a model named {@code policy} whose outputs are the logits, or the means of a {@code Box}, in the order of {@link
     *     dev.holdfast.rl.api.distribution.ActionDistribution}
     * @throws dev.holdfast.rl.api.InvalidConfigurationException if PyTorch can't be loaded; the message says why
     */
    public static Model policy(Policy policy) {
        ParameterLayout layout = new ParameterLayout(policy.network());
        return model("policy", policy, layout, layout.policy(), layout.actionHead());
    }

    /**
     * Returns the value function's network.
     *
     * @param policy the policy; only read
     * @return a model named {@code value} with one output, the value estimate ({@link Policy#value})
     * @throws dev.holdfast.rl.api.InvalidConfigurationException if PyTorch can't be loaded; the message says why
     */
    public static Model value(Policy policy) {
        ParameterLayout layout = new ParameterLayout(policy.network());
        return model("value", policy, layout, layout.value(), layout.valueHead());
    }

    /**
     * Returns the translator from an observation to the most probable action, for the model of {@link #policy}.
     *
     * @param policy a policy that was trained without masks
     * @return a translator; an observation that isn't a value of the observation space becomes a {@link
     *     ai.djl.translate.TranslateException} caused by an {@link IllegalArgumentException}
     */
    public static Translator<float[], Action> actions(Policy policy) {
        return new PolicyTranslator<>(policy, input -> input, (input, outputs) -> policy.mostProbable(outputs, null));
    }

    /**
     * Returns the translator from an observation and its mask to the most probable valid action, for the model of {@link #policy}.
     *
     * @param policy a policy that was trained with masks
     * @return a translator; errors as of {@link #actions}, for masks that don't fit too
     */
    public static Translator<Pair<float[], boolean[]>, Action> maskedActions(Policy policy) {
        return new PolicyTranslator<>(
                policy, Pair::getKey, (input, outputs) -> policy.mostProbable(outputs, input.getValue()));
    }

    /**
     * Returns the translator from an observation to the bare outputs, for the model of {@link #policy} or of {@link #value}.
     *
     * @param policy the policy
     * @return a translator; errors as of {@link #actions}
     */
    public static Translator<float[], float[]> outputs(Policy policy) {
        return new PolicyTranslator<>(policy, input -> input, (input, outputs) -> outputs);
    }

    private static Model model(
            String name,
            Policy policy,
            ParameterLayout layout,
            List<ParameterLayout.Layer> own,
            ParameterLayout.Layer head) {
        // Loads PyTorch as the backend does, or says why it can't be loaded.
        dev.holdfast.rl.api.backend.Device.choose(new DjlBackend(), "cpu");
        Model model = Model.newInstance(name, Device.cpu(), "PyTorch");
        NDManager manager = model.getNDManager();
        float[] weights = layout.join(policy.weights());
        NetworkSpec network = policy.network();
        SequentialBlock block = new SequentialBlock();
        for (List<ParameterLayout.Layer> hidden : List.of(layout.shared(), own)) {
            for (ParameterLayout.Layer layer : hidden) {
                block.add(linear(layer, weights, manager));
                block.add(
                        switch (network.activation()) {
                            case TANH -> Activation.tanhBlock();
                            case RELU -> Activation.reluBlock();
                        });
            }
        }
        block.add(linear(head, weights, manager));
        block.initialize(manager, DataType.FLOAT32, new Shape(1, network.inputs()));
        model.setBlock(block);
        return model;
    }

    private static Linear linear(ParameterLayout.Layer layer, float[] weights, NDManager manager) {
        Linear linear = Linear.builder().setUnits(layer.out()).build();
        set(linear, "weight", weights, layer.weightOffset(), new Shape(layer.out(), layer.in()), manager);
        set(linear, "bias", weights, layer.biasOffset(), new Shape(layer.out()), manager);
        return linear;
    }

    private static void set(
            Linear linear, String parameter, float[] weights, int offset, Shape shape, NDManager manager) {
        float[] values = Arrays.copyOfRange(weights, offset, offset + (int) shape.size());
        linear.getParameters().get(parameter).setArray(manager.create(values, shape));
    }
}
