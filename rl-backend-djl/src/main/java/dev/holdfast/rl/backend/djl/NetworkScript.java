package dev.holdfast.rl.backend.djl;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.backend.djl.Network.Block;
import dev.holdfast.rl.backend.djl.Network.Input;
import dev.holdfast.rl.backend.djl.Network.Layer;
import dev.holdfast.rl.backend.djl.Network.Level;
import dev.holdfast.rl.backend.djl.Network.Offset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the numerical work on one network as a TorchScript program: forward, backward, clipping and Adam, in two calls
 * per gradient step.
 *
 * <p>Each call from Java costs microseconds, and so does each NDArray; on a small network that is more than the
 * arithmetic. The program therefore keeps every view of its tensors as an attribute, made once or when the number of
 * rows changes, and writes all results in place. The backward pass is written out: that takes neither autograd's
 * bookkeeping nor the lock that DJL has around it.
 *
 * <p>The hyperbolic tangent is computed as tanh(z) = 2 σ(2z) - 1, with the inner factor in the product that gives z:
 * PyTorch's tanh takes four times as long as its logistic function. The absolute error is a few units in the last place
 * of a number near 1.
 */
final class NetworkScript {
    private static final String CLASS = "Network";
    private static final List<String> TENSORS = List.of(
            "gradient", "gradient_divisor", "host_io", "host_parameters", "io", "minus_one", "step_number", "work");
    private static final List<String> LISTS =
            List.of("gradients", "ms", "none", "parts", "step_numbers", "thetas", "vs");

    private static final Offset BEGIN = new Offset(0, 0);

    private final Network network;
    private final Activation activation;
    private final boolean staged;
    /** What gives each view of a parameter, by name. */
    private final Map<String, String> parameterViews = new TreeMap<>();
    /** What gives each view that depends on the number of rows, by name. */
    private final Map<String, String> rowViews = new TreeMap<>();
    /** The columns of ones. */
    private final Map<String, String> ones = new TreeMap<>();

    private final List<String> forward = new ArrayList<>();
    private final List<String> backward = new ArrayList<>();

    /**
     * Writes a program.
     *
     * @param network the network
     * @param activation the non-linearity
     * @param staged whether what goes in and out is copied between host and device, which otherwise are the same
     */
    NetworkScript(Network network, Activation activation, boolean staged) {
        this.network = network;
        this.activation = activation;
        this.staged = staged;
        writeForward();
        writeBackward();
    }

    /** Returns the program as an archive that {@code torch.jit.load} takes. */
    byte[] archive() {
        List<String> attributes = Stream.of(TENSORS, LISTS, parameterViews.keySet(), rowViews.keySet())
                .flatMap(names -> names.stream())
                .toList();
        return ScriptArchive.pack(source(), CLASS, attributes);
    }

    /**
     * Returns the program in the language in which TorchScript is stored, which is nearly Python. An operation's
     * variant with {@code out} or {@code grad_input} writes there instead of allocating.
     */
    String source() {
        return """
                class Network(Module):
                  __parameters__ = []
                  __buffers__ = []
                %s
                  def bind(self: __torch__.Network, theta: Tensor, m: Tensor, v: Tensor, host_parameters: Tensor, \
                host_io: Tensor, io: Tensor, work: Tensor) -> NoneType:
                    gradient = torch.zeros_like(theta)
                    self.gradient = gradient
                    self.step_number = torch.zeros_like(torch.slice(theta, 0, 0, 1))
                    self.gradient_divisor = torch.zeros_like(self.step_number)
                    self.minus_one = torch.neg(torch.ones_like(torch.select(theta, 0, 0)))
                    self.host_parameters = host_parameters
                    self.host_io = host_io
                    self.io = io
                    self.work = work
                    self.parts = [theta, m, v]
                    self.thetas = [theta]
                    self.ms = [m]
                    self.vs = [v]
                    self.gradients = [gradient]
                    self.step_numbers = [self.step_number]
                    self.none = annotate(List[Tensor], [])
                %s    return None

                  def resize(self: __torch__.Network, rows: int) -> NoneType:
                %s    return None

                  def forward(self: __torch__.Network) -> NoneType:
                %s    return None

                  def step(self: __torch__.Network, learning_rate: float, number: int, max_norm: float) -> float:
                %s    norm = torch.sqrt(float(torch.dot(self.gradient, self.gradient)))
                    if torch.isfinite(norm):
                      torch.fill_(self.step_number, number)
                      torch.fill_(self.gradient_divisor, max(1., (norm + 1.0e-6) / max_norm))
                      torch._fused_adam_(self.thetas, self.gradients, self.ms, self.vs, self.none, self.step_numbers, \
                lr=learning_rate, beta1=%s, beta2=%s, weight_decay=0., eps=%s, amsgrad=False, maximize=False, \
                grad_scale=self.gradient_divisor)
                    else:
                      pass
                    return norm

                  def pull(self: __torch__.Network, part: int) -> NoneType:
                    torch.copy_(self.host_parameters, self.parts[part])
                    return None

                  def push(self: __torch__.Network, part: int) -> NoneType:
                    torch.copy_(self.parts[part], self.host_parameters)
                    return None
                """.formatted(
                        declarations(),
                        lines(assignments(parameterViews)),
                        lines(Stream.concat(assignments(rowViews), fillOnes())),
                        lines(forward.stream()),
                        lines(backward.stream()),
                        UpdateSettings.BETA1,
                        UpdateSettings.BETA2,
                        UpdateSettings.EPSILON);
    }

    private String declarations() {
        Stream<String> tensors = Stream.of(TENSORS, parameterViews.keySet(), rowViews.keySet())
                .flatMap(names -> names.stream())
                .map(name -> "  " + name + " : Tensor\n");
        Stream<String> lists = LISTS.stream().map(name -> "  " + name + " : List[Tensor]\n");
        return Stream.concat(tensors, lists).collect(Collectors.joining());
    }

    private static Stream<String> assignments(Map<String, String> views) {
        return views.entrySet().stream().map(view -> "self." + view.getKey() + " = " + view.getValue());
    }

    private Stream<String> fillOnes() {
        return ones.values().stream().map(column -> "torch.fill_(" + column + ", 1.)");
    }

    private static String lines(Stream<String> lines) {
        return lines.map(line -> "    " + line + "\n").collect(Collectors.joining());
    }

    // ---- forward

    private void writeForward() {
        if (staged) {
            forward.add("torch.copy_(%s, %s)"
                    .formatted(
                            section("features", "self.io", BEGIN, network.outputsAt()),
                            section("host_features", "self.host_io", BEGIN, network.outputsAt())));
        }
        for (Level level : network.levels()) {
            for (Layer layer : level.layers()) {
                String z = activations(level, layer.output());
                forward.add(
                        activation == Activation.TANH
                                ? "torch.addmm(%3$s, %1$s, %2$s, beta=0, alpha=2, out=%3$s)"
                                        .formatted(input(layer), transposedWeights(layer), z)
                                : product(input(layer), transposedWeights(layer), z));
            }
            String h = activations(level, Block.WHOLE);
            if (activation == Activation.TANH) {
                forward.add("torch.sigmoid_(%s)".formatted(h));
                forward.add("torch.add(self.minus_one, %1$s, alpha=2, out=%1$s)".formatted(h));
            } else {
                forward.add("torch.relu_(%s)".formatted(h));
            }
        }
        for (Layer head : heads()) {
            forward.add(product(input(head), transposedWeights(head), outputs(head)));
        }
        if (network.logStdCount() > 0) {
            forward.add("torch.copy_(%s, %s)".formatted(logStd(), logStdParameters("theta")));
        }
        if (staged) {
            forward.add("torch.copy_(%s, %s)"
                    .formatted(
                            section("host_results", "self.host_io", network.outputsAt(), network.outputGradientAt()),
                            section("results", "self.io", network.outputsAt(), network.outputGradientAt())));
        }
    }

    // ---- backward

    private void writeBackward() {
        if (staged) {
            backward.add("torch.copy_(%s, %s)"
                    .formatted(
                            section("d_results", "self.io", network.outputGradientAt(), network.end()),
                            section("host_d_results", "self.host_io", network.outputGradientAt(), network.end())));
        }
        if (network.logStdCount() > 0) {
            backward.add("torch.copy_(%s, %s)".formatted(logStdParameters("gradient"), logStdGradient()));
        }
        Set<Input> written = new HashSet<>();
        for (Layer head : heads()) {
            writeBackward(head, outputGradient(head, false), outputGradient(head, true), written);
        }
        for (int i = network.levels().size() - 1; i >= 0; i--) {
            Level level = network.levels().get(i);
            String derivative = activation == Activation.TANH
                    ? "torch.tanh_backward(%1$s, %2$s, grad_input=%1$s)"
                    : "torch.threshold_backward(%1$s, %2$s, 0, grad_input=%1$s)";
            backward.add(derivative.formatted(gradient(level, Block.WHOLE, false), activations(level, Block.WHOLE)));
            for (Layer layer : level.layers()) {
                writeBackward(
                        layer, gradient(level, layer.output(), false), gradient(level, layer.output(), true), written);
            }
        }
    }

    /**
     * Writes a layer's share: the gradient of its parameters, and that of what it reads.
     *
     * @param written what already has a gradient from another layer that reads it, to be added to
     */
    private void writeBackward(Layer layer, String d, String transposed, Set<Input> written) {
        backward.add(product(transposed, input(layer), parameterGradient(layer)));
        Input input = layer.input();
        if (!input.features()) {
            String target = gradient(network.levels().get(input.level()), input.block(), false);
            backward.add(
                    written.add(input)
                            ? product(d, weights(layer), target)
                            : "torch.addmm(%3$s, %1$s, %2$s, out=%3$s)".formatted(d, weights(layer), target));
        }
    }

    private static String product(String a, String b, String out) {
        return "torch.mm(%s, %s, out=%s)".formatted(a, b, out);
    }

    private List<Layer> heads() {
        return List.of(network.actionHead(), network.valueHead());
    }

    // ---- views of parameters and their gradient

    private String weights(Layer layer) {
        int offset = layer.offset() + (layer.input().onesFirst() ? 1 : 0);
        return parameterView(
                layer.name() + "_weights",
                "torch.as_strided(theta, [%d, %d], [%d, 1], %d)"
                        .formatted(layer.out(), layer.input().width(), layer.columns(), offset));
    }

    private String transposedWeights(Layer layer) {
        return parameterView(
                layer.name() + "_transposed",
                "torch.as_strided(theta, [%1$d, %2$d], [1, %1$d], %3$d)"
                        .formatted(layer.columns(), layer.out(), layer.offset()));
    }

    private String parameterGradient(Layer layer) {
        return parameterView(
                layer.name() + "_gradient",
                "torch.as_strided(gradient, [%1$d, %2$d], [%2$d, 1], %3$d)"
                        .formatted(layer.out(), layer.columns(), layer.offset()));
    }

    private String logStdParameters(String vector) {
        return parameterView(
                "log_std_of_" + vector, "torch.slice(%s, 0, 0, %d)".formatted(vector, network.logStdCount()));
    }

    private String parameterView(String name, String expression) {
        parameterViews.put(name, expression);
        return "self." + name;
    }

    // ---- views of what goes in and out

    private String outputs(Layer head) {
        return head.equals(network.actionHead())
                ? rowView("outputs", "self.io", network.outputs(), network.outputs(), network.outputsAt(), false)
                : rowView("values", "self.io", 1, 1, network.valuesAt(), false);
    }

    private String outputGradient(Layer head, boolean transposed) {
        return head.equals(network.actionHead())
                ? rowView(
                        "d_outputs",
                        "self.io",
                        network.outputs(),
                        network.outputs(),
                        network.outputGradientAt(),
                        transposed)
                : rowView("d_values", "self.io", 1, 1, network.valueGradientAt(), transposed);
    }

    private String logStd() {
        return section("log_std", "self.io", network.logStdAt(), network.outputGradientAt());
    }

    private String logStdGradient() {
        return section("d_log_std", "self.io", network.logStdGradientAt(), network.end());
    }

    private String section(String name, String buffer, Offset from, Offset to) {
        rowViews.put(
                name,
                "torch.as_strided(%s, [%s], [1], %s)"
                        .formatted(buffer, text(to.plus(-from.perRow(), -from.fixed())), text(from)));
        return "self." + name;
    }

    // ---- views of activations and the gradient with respect to them

    /** What a layer reads, with its column of ones. */
    private String input(Layer layer) {
        Input input = layer.input();
        if (input.features()) {
            int stride = network.featureStride();
            // They are the host's, and go to the device with the features.
            ones.put("features", view("self.host_io", 1, stride, BEGIN.plus(0, input.width()), false));
            return rowView("features_1", "self.io", layer.columns(), stride, BEGIN, false);
        }
        Level level = network.levels().get(input.level());
        String name = name("h", level, input.block()) + "_1";
        Offset first = network.activationsAt(level).plus(0, level.column(input.block()) - (input.onesFirst() ? 1 : 0));
        ones.put(name, view("self.work", 1, level.stride(), first.plus(0, layer.biasColumn()), false));
        return rowView(name, "self.work", layer.columns(), level.stride(), first, false);
    }

    private String activations(Level level, Block block) {
        return rowView(
                name("h", level, block),
                "self.work",
                level.width(block),
                level.stride(),
                network.activationsAt(level).plus(0, level.column(block)),
                false);
    }

    private String gradient(Level level, Block block, boolean transposed) {
        return rowView(
                name("d", level, block),
                "self.work",
                level.width(block),
                level.gradientStride(),
                network.gradientsAt(level).plus(0, level.column(block) - level.column(Block.WHOLE)),
                transposed);
    }

    private static String name(String prefix, Level level, Block block) {
        return prefix
                + level.index()
                + switch (block) {
                    case VALUE -> "_value";
                    case POLICY -> "_policy";
                    case WHOLE -> "";
                };
    }

    private String rowView(String name, String buffer, int columns, int stride, Offset offset, boolean transposed) {
        String full = transposed ? name + "_transposed" : name;
        rowViews.put(full, view(buffer, columns, stride, offset, transposed));
        return "self." + full;
    }

    private static String view(String buffer, int columns, int stride, Offset offset, boolean transposed) {
        String format = transposed
                ? "torch.as_strided(%s, [%d, rows], [1, %d], %s)"
                : "torch.as_strided(%s, [rows, %d], [%d, 1], %s)";
        return format.formatted(buffer, columns, stride, text(offset));
    }

    private static String text(Offset offset) {
        return "rows * " + offset.perRow() + " + " + offset.fixed();
    }
}
