package dev.holdfast.rl.backend.djl;

import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A network's layers in the order in which they are computed, and where this backend keeps their parameters and
 * activations.
 *
 * <p>A matrix product is what PyTorch is fast at, and every other operation on a small network costs as much as a
 * product. So a layer's bias is one more column of its weights, and its input has one more column that is always 1: the
 * product adds the bias, and its gradient comes out of the gradient's product. The hidden layers of policy and value
 * function that are equally deep lie side by side in one row, whatever their widths, so that one operation is enough
 * for the activation of both:
 *
 * <pre>
 *   column  0 …  15    16 … 16+v-1    16+v … 16+v+p-1    16+v+p
 *         ┌────────┬──┬─────────────┬──────────────────┬──┬──────┐
 *         │ unused │ 1│ value       │ policy or shared │ 1│unused│   to a multiple of 16: rows begin at cache lines
 *         └────────┴──┴─────────────┴──────────────────┴──┴──────┘
 *                   └─────┬────────┘ └───────┬──────────┘
 *       what the value function's       what the policy's
 *       next layer reads                next layer reads
 * </pre>
 *
 * The value function's own layers therefore have the bias in the first column, all others in the last. Where both begin
 * with a hidden layer of their own, these two read the same and are one layer here.
 *
 * <p>Immutable, safe to share by threads.
 */
final class Network {
    /** The number of floats in a cache line. */
    private static final int LINE = 16;

    /** Columns of a level's rows. */
    enum Block {
        /** The value function's. */
        VALUE,
        /** The policy's, or what both share. */
        POLICY,
        /** Both. */
        WHOLE
    }

    /**
     * What a layer reads.
     *
     * @param level the index of a level, or -1 for the features
     * @param block which part of it
     * @param width the number of inputs
     */
    record Input(int level, Block block, int width) {
        boolean features() {
            return level < 0;
        }

        /** Whether the column of ones comes first. */
        boolean onesFirst() {
            return block == Block.VALUE;
        }
    }

    /**
     * One linear layer, or two that read the same.
     *
     * @param name its name in the script
     * @param input what it reads
     * @param output which part of its level it writes; without a meaning for a head
     * @param out the number of outputs
     * @param offset where its parameters {@code [out, in + 1]} start in this backend's flat array
     * @param torch the same layers in PyTorch's layout, in the order of the rows
     */
    record Layer(String name, Input input, Block output, int out, int offset, List<ParameterLayout.Layer> torch) {
        int columns() {
            return input.width() + 1;
        }

        int biasColumn() {
            return input.onesFirst() ? 0 : input.width();
        }
    }

    /**
     * Hidden layers that are equally deep.
     *
     * @param index its place in the order
     * @param value the width of the value function's layer, or 0
     * @param policy the width of the policy's layer or of a shared one, or 0
     * @param layers what computes it
     */
    record Level(int index, int value, int policy, List<Layer> layers) {
        int width() {
            return value + policy;
        }

        /** The length of a row of activations. */
        int stride() {
            return lines(LINE + width() + 1);
        }

        /** The length of a row of the gradient with respect to them. */
        int gradientStride() {
            return lines(width());
        }

        /** The column in which a part begins, without its ones. */
        int column(Block block) {
            return LINE + (block == Block.POLICY ? value : 0);
        }

        int width(Block block) {
            return switch (block) {
                case VALUE -> value;
                case POLICY -> policy;
                case WHOLE -> width();
            };
        }
    }

    /**
     * Where something begins in a buffer that is laid out for a number of rows.
     *
     * @param perRow floats before it for each row
     * @param fixed floats before it whatever the number of rows
     */
    record Offset(long perRow, long fixed) {
        long at(long rows) {
            return perRow * rows + fixed;
        }

        Offset plus(long perRow, long fixed) {
            return new Offset(this.perRow + perRow, this.fixed + fixed);
        }
    }

    private final ParameterLayout layout;
    private final List<Level> levels = new ArrayList<>();
    private final Layer actionHead;
    private final Layer valueHead;
    private final int logStdCount;
    private int size;

    Network(NetworkSpec spec) {
        layout = new ParameterLayout(spec);
        logStdCount = layout.logStdOffset() < 0 ? 0 : layout.actionHead().out();
        size = logStdCount;
        Input trunk = new Input(-1, Block.POLICY, spec.inputs());
        for (ParameterLayout.Layer torch : layout.shared()) {
            int index = levels.size();
            levels.add(new Level(
                    index, 0, torch.out(), List.of(layer("shared" + index, trunk, Block.POLICY, List.of(torch)))));
            trunk = new Input(index, Block.POLICY, torch.out());
        }
        List<ParameterLayout.Layer> policy = layout.policy();
        List<ParameterLayout.Layer> value = layout.value();
        Input policyInput = trunk;
        Input valueInput = trunk;
        for (int depth = 0; depth < Math.max(policy.size(), value.size()); depth++) {
            List<Layer> layers = new ArrayList<>();
            if (depth == 0 && !policy.isEmpty() && !value.isEmpty()) {
                layers.add(layer("first", trunk, Block.WHOLE, List.of(value.get(0), policy.get(0))));
            } else {
                if (depth < value.size()) {
                    layers.add(layer("value" + depth, valueInput, Block.VALUE, List.of(value.get(depth))));
                }
                if (depth < policy.size()) {
                    layers.add(layer("policy" + depth, policyInput, Block.POLICY, List.of(policy.get(depth))));
                }
            }
            int index = levels.size();
            int valueWidth = depth < value.size() ? value.get(depth).out() : 0;
            int policyWidth = depth < policy.size() ? policy.get(depth).out() : 0;
            levels.add(new Level(index, valueWidth, policyWidth, List.copyOf(layers)));
            if (valueWidth > 0) {
                valueInput = new Input(index, Block.VALUE, valueWidth);
            }
            if (policyWidth > 0) {
                policyInput = new Input(index, Block.POLICY, policyWidth);
            }
        }
        actionHead = layer("action_head", policyInput, Block.POLICY, List.of(layout.actionHead()));
        valueHead = layer("value_head", valueInput, Block.VALUE, List.of(layout.valueHead()));
    }

    private Layer layer(String name, Input input, Block output, List<ParameterLayout.Layer> torch) {
        int out = torch.stream().mapToInt(ParameterLayout.Layer::out).sum();
        Layer layer = new Layer(name, input, output, out, size, torch);
        size += out * layer.columns();
        return layer;
    }

    private static int lines(int floats) {
        return (floats + LINE - 1) / LINE * LINE;
    }

    List<Level> levels() {
        return levels;
    }

    Layer actionHead() {
        return actionHead;
    }

    Layer valueHead() {
        return valueHead;
    }

    /** Returns the number of inputs. */
    int inputs() {
        return levels.isEmpty()
                ? actionHead.input().width()
                : levels.get(0).layers().get(0).input().width();
    }

    /** Returns the number of outputs of the action head. */
    int outputs() {
        return actionHead.out();
    }

    /**
     * Returns 0 unless actions are a {@code Box}. The logarithms of the standard deviations are the first parameters.
     */
    int logStdCount() {
        return logStdCount;
    }

    /** Returns the number of parameters. */
    int size() {
        return size;
    }

    // ---- what goes in and out, in one buffer: features | outputs, values, log_std | and their gradients

    /** Returns the length of a row of features, with its column of ones. */
    int featureStride() {
        return lines(inputs() + 1);
    }

    /** Returns where the action head's outputs begin. */
    Offset outputsAt() {
        return new Offset(featureStride(), 0);
    }

    /** Returns where the value head's outputs begin. */
    Offset valuesAt() {
        return outputsAt().plus(outputs(), 0);
    }

    /** Returns where the copy of log_std begins. */
    Offset logStdAt() {
        return valuesAt().plus(1, 0);
    }

    /** Returns where the gradient with respect to the action head's outputs begins. */
    Offset outputGradientAt() {
        return logStdAt().plus(0, logStdCount);
    }

    /** Returns where the gradient with respect to the value head's outputs begins. */
    Offset valueGradientAt() {
        return outputGradientAt().plus(outputs(), 0);
    }

    /** Returns where log_std's gradient begins. */
    Offset logStdGradientAt() {
        return valueGradientAt().plus(1, 0);
    }

    /** Returns where the buffer ends. */
    Offset end() {
        return logStdGradientAt().plus(0, logStdCount);
    }

    // ---- activations and the gradients with respect to them, in another

    /** Returns where a level's activations begin. */
    Offset activationsAt(Level level) {
        return new Offset(
                levels.stream().limit(level.index()).mapToLong(Level::stride).sum(), 0);
    }

    /** Returns where the gradients with respect to them begin. */
    Offset gradientsAt(Level level) {
        return new Offset(
                levels.stream().mapToLong(Level::stride).sum()
                        + levels.stream()
                                .limit(level.index())
                                .mapToLong(Level::gradientStride)
                                .sum(),
                0);
    }

    /** Returns the number of floats of that buffer for one row. */
    long workPerRow() {
        return levels.stream()
                .mapToLong(level -> level.stride() + level.gradientStride())
                .sum();
    }

    // ---- parameters

    /** Copies numbers from PyTorch's layout to this one. */
    void load(float[] torch, FloatBuffer own) {
        own.put(0, torch, Math.max(layout.logStdOffset(), 0), logStdCount);
        forEachRow((torchWeights, torchBias, weights, bias, count) -> {
            own.put(weights, torch, torchWeights, count);
            own.put(bias, torch[torchBias]);
        });
    }

    /** Copies numbers from this layout to PyTorch's. */
    void store(FloatBuffer own, float[] torch) {
        own.get(0, torch, Math.max(layout.logStdOffset(), 0), logStdCount);
        forEachRow((torchWeights, torchBias, weights, bias, count) -> {
            own.get(weights, torch, torchWeights, count);
            torch[torchBias] = own.get(bias);
        });
    }

    private interface RowAction {
        void accept(int torchWeights, int torchBias, int weights, int bias, int count);
    }

    private void forEachRow(RowAction action) {
        levels.forEach(level -> level.layers().forEach(layer -> forEachRow(layer, action)));
        forEachRow(actionHead, action);
        forEachRow(valueHead, action);
    }

    private static void forEachRow(Layer layer, RowAction action) {
        int row = layer.offset();
        for (ParameterLayout.Layer torch : layer.torch()) {
            for (int o = 0; o < torch.out(); o++) {
                action.accept(
                        torch.weightOffset() + o * torch.in(),
                        torch.biasOffset() + o,
                        row + (layer.input().onesFirst() ? 1 : 0),
                        row + layer.biasColumn(),
                        torch.in());
                row += layer.columns();
            }
        }
    }
}
