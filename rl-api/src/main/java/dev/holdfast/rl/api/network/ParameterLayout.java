package dev.holdfast.rl.api.network;

import dev.holdfast.rl.api.space.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where each parameter of a network lies in one flat {@code float[]}, with PyTorch's names, order and shapes.
 *
 * <pre>
 *   log_std                                 [actions]     Box actions only
 *   mlp_extractor.shared_net.{0,2,…}.weight [out, in]     row-major, y = x Wᵀ + b
 *   mlp_extractor.shared_net.{0,2,…}.bias   [out]
 *   mlp_extractor.policy_net.{0,2,…}.weight/bias
 *   mlp_extractor.value_net.{0,2,…}.weight/bias
 *   action_net.weight/bias
 *   value_net.weight/bias
 * </pre>
 *
 * Immutable, safe to share by threads.
 */
public final class ParameterLayout {
    /**
     * One parameter tensor.
     *
     * @param name its name in PyTorch's style
     * @param shape its dimensions, {@code [out, in]} or {@code [n]}
     * @param offset where it starts in the flat array
     * @param size its number of elements
     */
    public record Entry(String name, List<Integer> shape, int offset, int size) {}

    /**
     * One linear layer: {@code y = x Wᵀ + b}.
     *
     * @param name its name, without {@code .weight} and {@code .bias}
     * @param in the number of inputs
     * @param out the number of outputs
     * @param weightOffset where its weights {@code [out, in]} start in the flat array
     * @param biasOffset where its biases {@code [out]} start
     */
    public record Layer(String name, int in, int out, int weightOffset, int biasOffset) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<Layer> shared;
    private final List<Layer> policy;
    private final List<Layer> value;
    private final Layer actionHead;
    private final Layer valueHead;
    private final int logStdOffset;
    private int size;

    /**
     * Lays out the parameters of a network.
     *
     * @param spec the network
     * @throws dev.holdfast.rl.api.InvalidConfigurationException if it has more than 2^30 parameters
     */
    public ParameterLayout(NetworkSpec spec) {
        int outputs = spec.distribution().parameterCount();
        logStdOffset = spec.actionSpace() instanceof Box ? add("log_std", outputs) : -1;
        shared = stack("mlp_extractor.shared_net", spec.inputs(), spec.sharedLayers());
        int trunk = width(shared, spec.inputs());
        policy = stack("mlp_extractor.policy_net", trunk, spec.policyLayers());
        value = stack("mlp_extractor.value_net", trunk, spec.valueLayers());
        actionHead = layer("action_net", width(policy, trunk), outputs);
        valueHead = layer("value_net", width(value, trunk), 1);
    }

    private List<Layer> stack(String name, int inputs, List<Integer> widths) {
        List<Layer> layers = new ArrayList<>();
        int in = inputs;
        for (int i = 0; i < widths.size(); i++) {
            // PyTorch counts the activation between two linear layers as a module of its own.
            layers.add(layer(name + "." + 2 * i, in, widths.get(i)));
            in = widths.get(i);
        }
        return List.copyOf(layers);
    }

    private static int width(List<Layer> layers, int inputs) {
        return layers.isEmpty() ? inputs : layers.get(layers.size() - 1).out();
    }

    private Layer layer(String name, int in, int out) {
        int weight = add(name + ".weight", out, in);
        return new Layer(name, in, out, weight, add(name + ".bias", out));
    }

    private int add(String name, Integer... shape) {
        long count = Arrays.stream(shape).mapToLong(i -> i).reduce(1, (a, b) -> a * b);
        dev.holdfast.rl.api.Require.that(size + count <= 1 << 30, "network", "must have at most 2^30 parameters", name);
        entries.add(new Entry(name, List.of(shape), size, (int) count));
        int offset = size;
        size += (int) count;
        return offset;
    }

    /**
     * Returns all parameters in the order of the flat array, which is PyTorch's.
     *
     * @return an immutable list
     */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /**
     * Returns the number of parameters.
     *
     * @return the length of the flat array
     */
    public int size() {
        return size;
    }

    /**
     * Returns the hidden layers that policy and value function share.
     *
     * @return possibly empty
     */
    public List<Layer> shared() {
        return shared;
    }

    /**
     * Returns the policy's own hidden layers.
     *
     * @return possibly empty
     */
    public List<Layer> policy() {
        return policy;
    }

    /**
     * Returns the value function's own hidden layers.
     *
     * @return possibly empty
     */
    public List<Layer> value() {
        return value;
    }

    /**
     * Returns the action head.
     *
     * @return the linear layer that gives the distribution's parameters
     */
    public Layer actionHead() {
        return actionHead;
    }

    /**
     * Returns the value head.
     *
     * @return a linear layer with one output
     */
    public Layer valueHead() {
        return valueHead;
    }

    /**
     * Returns where the logarithms of the standard deviations start.
     *
     * @return an offset, or -1 if actions are not a {@code Box}
     */
    public int logStdOffset() {
        return logStdOffset;
    }

    /**
     * Cuts a flat array into named tensors.
     *
     * @param flat {@link #size()} numbers; copied
     * @return one tensor per entry, in order
     */
    public List<Tensor> split(float[] flat) {
        return entries.stream()
                .map(entry -> new Tensor(
                        entry.name(),
                        entry.shape().stream().mapToInt(i -> i).toArray(),
                        Arrays.copyOfRange(flat, entry.offset(), entry.offset() + entry.size())))
                .toList();
    }

    /**
     * Joins named tensors into a flat array; their order doesn't matter.
     *
     * @param tensors one float tensor per entry
     * @return {@link #size()} numbers
     * @throws IllegalArgumentException naming the tensor that is missing, unknown, given twice, or of another shape
     */
    public float[] join(List<Tensor> tensors) {
        float[] flat = new float[size];
        Set<String> seen = new HashSet<>();
        for (Tensor tensor : tensors) {
            Entry entry = entries.stream()
                    .filter(e -> e.name().equals(tensor.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the network has no parameter " + tensor.name()));
            if (!seen.add(entry.name())) {
                throw new IllegalArgumentException("parameter " + entry.name() + " is given twice");
            }
            List<Integer> shape = Arrays.stream(tensor.shape()).boxed().toList();
            if (!shape.equals(entry.shape())) {
                throw new IllegalArgumentException(
                        "parameter " + entry.name() + " must have shape " + entry.shape() + ", but has " + shape);
            }
            System.arraycopy(tensor.floats(), 0, flat, entry.offset(), entry.size());
        }
        for (Entry entry : entries) {
            if (!seen.contains(entry.name())) {
                throw new IllegalArgumentException("parameter " + entry.name() + " is missing");
            }
        }
        return flat;
    }
}
