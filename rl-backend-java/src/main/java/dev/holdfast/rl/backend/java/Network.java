package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network's layers in the order in which they are computed, and where this backend keeps their parameters in one flat array.
 *
 * <p>A layer's weights are kept as one row per input, {@code [in, width]}, padded as {@link Kernel} wants its B. A head of few
 * outputs, whose rows would be mostly padding, keeps PyTorch's {@code [out, in]} instead, its rows as wide as those of its input.
 *
 * <p>Immutable, safe to share by threads.
 */
final class Network {
    private static final int FEW_OUTPUTS = 8;

    /** What a layer's outputs are for. */
    enum Role {
        /** They go through the activation and are read by other layers. */
        HIDDEN,
        /** They describe the distribution over actions. */
        ACTION_HEAD,
        /** They are the value estimates. */
        VALUE_HEAD
    }

    /**
     * One linear layer.
     *
     * @param index its place in the order
     * @param input the layer whose outputs it reads; null for the features
     * @param in the number of inputs
     * @param out the number of outputs
     * @param narrow whether its weights are {@code [out, in]}; such a layer is a head, and its outputs have no padding
     * @param role what its outputs are for
     * @param joins whether a later layer reads the same input
     * @param width the length of a row of its outputs
     * @param inWidth the length of a row of its inputs
     * @param weights where its weights start
     * @param bias where its biases start
     * @param transposed where the copy of its weights as {@code [out, in]} starts in an array for these copies; -1 if it needs none
     * @param torch the same layer in PyTorch's layout
     */
    record Layer(
            int index,
            @Nullable Layer input,
            int in,
            int out,
            boolean narrow,
            Role role,
            boolean joins,
            int width,
            int inWidth,
            int weights,
            int bias,
            int transposed,
            ParameterLayout.Layer torch) {}

    private final ParameterLayout layout;
    private final List<Layer> layers = new ArrayList<>();
    private final int logStdCount;
    private final int logStd;
    private int size;
    private int transposedSize;

    Network(NetworkSpec spec) {
        layout = new ParameterLayout(spec);
        logStdCount = layout.logStdOffset() < 0 ? 0 : layout.actionHead().out();
        logStd = size;
        size += logStdCount;
        Layer trunk = stack(null, layout.shared(), false);
        // The value function's first layer comes later and reads the same.
        Layer policy = stack(trunk, layout.policy(), true);
        add(policy, layout.actionHead(), Role.ACTION_HEAD, layout.policy().isEmpty());
        Layer value = stack(trunk, layout.value(), false);
        add(value, layout.valueHead(), Role.VALUE_HEAD, false);
    }

    private @Nullable Layer stack(@Nullable Layer input, List<ParameterLayout.Layer> stack, boolean firstJoins) {
        Layer last = input;
        for (int i = 0; i < stack.size(); i++) {
            last = add(last, stack.get(i), Role.HIDDEN, firstJoins && i == 0);
        }
        return last;
    }

    private Layer add(@Nullable Layer input, ParameterLayout.Layer torch, Role role, boolean joins) {
        int in = torch.in();
        int out = torch.out();
        boolean narrow = role != Role.HIDDEN && input != null && out < FEW_OUTPUTS;
        int width = narrow ? out : Kernel.padded(out);
        int inWidth = input == null ? in : input.width();
        int weights = size;
        size = Math.addExact(size, Math.multiplyExact(narrow ? out : in, narrow ? inWidth : width));
        int bias = size;
        size = Math.addExact(size, width);
        int transposed = -1;
        if (!narrow && input != null) {
            transposed = transposedSize;
            transposedSize = Math.addExact(transposedSize, Math.multiplyExact(out, inWidth));
        }
        Layer layer = new Layer(
                layers.size(), input, in, out, narrow, role, joins, width, inWidth, weights, bias, transposed, torch);
        layers.add(layer);
        return layer;
    }

    /** Returns all layers; each comes after the one that it reads. */
    List<Layer> layers() {
        return layers;
    }

    /** Returns the number of outputs of the action head. */
    int outputs() {
        return layout.actionHead().out();
    }

    /** Returns where the logarithms of the standard deviations start. */
    int logStd() {
        return logStd;
    }

    /** Returns 0 unless actions are a {@code Box}. */
    int logStdCount() {
        return logStdCount;
    }

    /** Returns the number of parameters and padding. */
    int size() {
        return size;
    }

    /** Returns the number of elements of all transposed copies of weights. */
    int transposedSize() {
        return transposedSize;
    }

    /** Returns PyTorch's layout. */
    ParameterLayout layout() {
        return layout;
    }

    /** Copies numbers from PyTorch's layout to this one; padding stays as it is. */
    void load(float[] torch, float[] own) {
        copy(torch, own, true);
    }

    /** Copies numbers from this layout to PyTorch's. */
    void store(float[] own, float[] torch) {
        copy(torch, own, false);
    }

    private void copy(float[] torch, float[] own, boolean load) {
        transfer(torch, Math.max(layout.logStdOffset(), 0), own, logStd, logStdCount, load);
        for (Layer layer : layers) {
            transfer(torch, layer.torch.biasOffset(), own, layer.bias, layer.out, load);
            for (int o = 0; o < layer.out; o++) {
                int row = layer.torch.weightOffset() + o * layer.in;
                if (layer.narrow) {
                    transfer(torch, row, own, layer.weights + o * layer.inWidth, layer.in, load);
                } else {
                    for (int i = 0; i < layer.in; i++) {
                        transfer(torch, row + i, own, layer.weights + i * layer.width + o, 1, load);
                    }
                }
            }
        }
    }

    private static void transfer(float[] torch, int torchAt, float[] own, int ownAt, int count, boolean load) {
        if (load) {
            System.arraycopy(torch, torchAt, own, ownAt, count);
        } else {
            System.arraycopy(own, ownAt, torch, torchAt, count);
        }
    }
}
