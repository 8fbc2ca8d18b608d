package dev.holdfast.rl.api.testing;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.ParameterLayout.Layer;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * PPO's loss of a mini-batch as a function of all parameters, in double precision, written down from its definition and sharing
 * no mathematics with the library.
 */
public final class ReferencePpo {
    private final NetworkSpec spec;
    private final ParameterLayout layout;
    private final Tape tape = new Tape();

    private final int parameterCount;

    private ReferencePpo(NetworkSpec spec, double[] parameters) {
        this.spec = spec;
        layout = new ParameterLayout(spec);
        parameterCount = parameters.length;
        // The parameters are the tape's first numbers, so that a parameter's offset is its node.
        Arrays.stream(parameters).forEach(tape::number);
    }

    /**
     * A mini-batch's loss.
     *
     * @param loss the whole
     * @param policyLoss the clipped surrogate objective, negated
     * @param valueLoss the mean squared error of the (clipped) value estimates
     * @param entropyLoss the mean entropy, negated
     * @param kl the mean of {@code (ratio - 1) - log(ratio)}
     * @param clipFraction the share of samples whose ratio left the clip range
     * @param gradient the derivative of the loss with respect to each parameter
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(
            double loss,
            double policyLoss,
            double valueLoss,
            double entropyLoss,
            double kl,
            double clipFraction,
            double[] gradient) {}

    /**
     * Computes the loss of a mini-batch.
     *
     * @param spec the network
     * @param parameters its parameters in the order of {@link ParameterLayout}
     * @param batch the samples; its advantages are not yet normalised, and stay so
     * @param settings the hyperparameters
     * @return the loss and its gradient
     */
    public static Result evaluate(NetworkSpec spec, double[] parameters, MiniBatch batch, UpdateSettings settings) {
        return new ReferencePpo(spec, parameters).loss(batch, settings);
    }

    /**
     * Computes the log-probability of each action of a mini-batch.
     *
     * @param spec the network
     * @param parameters its parameters in the order of {@link ParameterLayout}
     * @param batch the samples
     * @return one number a sample
     */
    public static double[] logProbabilities(NetworkSpec spec, double[] parameters, MiniBatch batch) {
        ReferencePpo reference = new ReferencePpo(spec, parameters);
        return IntStream.range(0, batch.size())
                .mapToDouble(row -> reference.tape.value(reference.forward(batch, row).logProbability))
                .toArray();
    }

    /**
     * Computes the value estimate of each observation of a mini-batch.
     *
     * @param spec the network
     * @param parameters its parameters in the order of {@link ParameterLayout}
     * @param batch the samples
     * @return one number a sample
     */
    public static double[] values(NetworkSpec spec, double[] parameters, MiniBatch batch) {
        ReferencePpo reference = new ReferencePpo(spec, parameters);
        return IntStream.range(0, batch.size())
                .mapToDouble(row -> reference.tape.value(reference.forward(batch, row).value))
                .toArray();
    }

    /**
     * Computes the network's outputs.
     *
     * @param spec the network
     * @param parameters its parameters in the order of {@link ParameterLayout}
     * @param size the number of rows
     * @param features {@code [size, inputs]}
     * @param outputs receives the action head's outputs, {@code [size, parameterCount]}
     * @param values receives the value head's outputs, {@code [size]}
     */
    public static void forward(
            NetworkSpec spec, double[] parameters, int size, float[] features, float[] outputs, float[] values) {
        ReferencePpo reference = new ReferencePpo(spec, parameters);
        for (int row = 0; row < size; row++) {
            Heads heads = reference.network(features, row);
            values[row] = (float) reference.tape.value(heads.value);
            int count = heads.outputs.size();
            for (int i = 0; i < count; i++) {
                outputs[row * count + i] = (float) reference.tape.value(heads.outputs.get(i));
            }
        }
    }

    /** Nodes of the network's outputs for one row. */
    private record Heads(List<Integer> outputs, int value) {}

    /** Nodes of one sample. */
    private record Sample(int logProbability, int entropy, int value) {}

    private Result loss(MiniBatch batch, UpdateSettings settings) {
        int n = batch.size();
        double[] advantages = advantages(batch, settings);
        int policyLoss = tape.number(0);
        int valueLoss = tape.number(0);
        int entropy = tape.number(0);
        double kl = 0;
        int clipped = 0;
        for (int row = 0; row < n; row++) {
            Sample sample = forward(batch, row);
            int logRatio = tape.subtract(sample.logProbability, tape.number(batch.logProbabilities()[row]));
            int ratio = tape.exp(logRatio);
            int bounded = tape.clamp(ratio, 1 - settings.clipRange(), 1 + settings.clipRange());
            int objective = tape.min(tape.scale(ratio, advantages[row]), tape.scale(bounded, advantages[row]));
            policyLoss = tape.subtract(policyLoss, objective);
            kl += tape.value(ratio) - 1 - tape.value(logRatio);
            clipped += Math.abs(tape.value(ratio) - 1) > settings.clipRange() ? 1 : 0;
            entropy = tape.add(entropy, sample.entropy);

            int old = tape.number(batch.values()[row]);
            int moved = tape.clamp(tape.subtract(sample.value, old), -settings.clipRangeVf(), settings.clipRangeVf());
            int error = tape.subtract(tape.add(old, moved), tape.number(batch.returns()[row]));
            valueLoss = tape.add(valueLoss, tape.multiply(error, error));
        }
        policyLoss = tape.scale(policyLoss, 1.0 / n);
        valueLoss = tape.scale(valueLoss, 1.0 / n);
        int entropyLoss = tape.scale(entropy, -1.0 / n);
        int loss = tape.add(
                policyLoss,
                tape.add(tape.scale(entropyLoss, settings.entCoef()), tape.scale(valueLoss, settings.vfCoef())));
        return new Result(
                tape.value(loss),
                tape.value(policyLoss),
                tape.value(valueLoss),
                tape.value(entropyLoss),
                kl / n,
                (double) clipped / n,
                tape.gradient(loss, parameterCount));
    }

    private static double[] advantages(MiniBatch batch, UpdateSettings settings) {
        int n = batch.size();
        double[] advantages = new double[n];
        for (int i = 0; i < n; i++) {
            advantages[i] = batch.advantages()[i];
        }
        if (settings.normalizeAdvantage() && n > 1) {
            double mean = Arrays.stream(advantages).sum() / n;
            double variance =
                    Arrays.stream(advantages).map(a -> (a - mean) * (a - mean)).sum() / (n - 1);
            return Arrays.stream(advantages)
                    .map(a -> (a - mean) / (Math.sqrt(variance) + 1e-8))
                    .toArray();
        }
        return advantages;
    }

    private Heads network(float[] features, int row) {
        List<Integer> inputs = new ArrayList<>();
        for (int i = 0; i < spec.inputs(); i++) {
            inputs.add(tape.number(features[row * spec.inputs() + i]));
        }
        List<Integer> trunk = hidden(layout.shared(), inputs);
        return new Heads(
                linear(layout.actionHead(), hidden(layout.policy(), trunk)),
                linear(layout.valueHead(), hidden(layout.value(), trunk)).get(0));
    }

    private Sample forward(MiniBatch batch, int row) {
        Heads heads = network(batch.features(), row);
        List<Integer> outputs = heads.outputs;
        int value = heads.value;
        int actionSize = spec.actionSpace().size();
        float[] action = Arrays.copyOfRange(batch.actions(), row * actionSize, (row + 1) * actionSize);
        if (spec.actionSpace() instanceof Box) {
            return gaussian(outputs, action, value);
        } else if (spec.actionSpace() instanceof MultiBinary && !spec.masked()) {
            return bernoulli(outputs, action, value);
        } else if (spec.actionSpace() instanceof ConditionalDiscrete conditional) {
            return new Enumeration(conditional, outputs, action, batch, row).sample(value);
        }
        return categorical(outputs, action, batch, row, value);
    }

    private List<Integer> hidden(List<Layer> layers, List<Integer> inputs) {
        List<Integer> outputs = inputs;
        for (Layer layer : layers) {
            outputs = linear(layer, outputs).stream()
                    .map(node ->
                            spec.activation() == Activation.TANH ? tape.tanh(node) : tape.max(node, tape.number(0)))
                    .toList();
        }
        return outputs;
    }

    private List<Integer> linear(Layer layer, List<Integer> inputs) {
        List<Integer> outputs = new ArrayList<>();
        for (int o = 0; o < layer.out(); o++) {
            int sum = layer.biasOffset() + o;
            for (int i = 0; i < layer.in(); i++) {
                sum = tape.add(sum, tape.multiply(layer.weightOffset() + o * layer.in() + i, inputs.get(i)));
            }
            outputs.add(sum);
        }
        return outputs;
    }

    private Sample categorical(List<Integer> logits, float[] action, MiniBatch batch, int row, int value) {
        int logProbability = tape.number(0);
        int entropy = tape.number(0);
        int start = 0;
        int[] branches = branches();
        for (int branch = 0; branch < branches.length; branch++) {
            int sum = tape.number(0);
            for (int i = start; i < start + branches[branch]; i++) {
                sum = valid(batch, row, i, logits.size()) ? tape.add(sum, tape.exp(logits.get(i))) : sum;
            }
            int logSum = tape.log(sum);
            for (int i = start; i < start + branches[branch]; i++) {
                if (valid(batch, row, i, logits.size())) {
                    int log = tape.subtract(logits.get(i), logSum);
                    entropy = tape.subtract(entropy, tape.multiply(tape.exp(log), log));
                }
            }
            int chosen = logits.get(start + (int) action[branch]);
            logProbability = tape.add(logProbability, tape.subtract(chosen, logSum));
            start += branches[branch];
        }
        return new Sample(logProbability, entropy, value);
    }

    private int[] branches() {
        if (spec.actionSpace() instanceof Discrete discrete) {
            return new int[] {discrete.n()};
        } else if (spec.actionSpace() instanceof MultiDiscrete multi) {
            return multi.branches();
        }
        int[] branches = new int[spec.actionSpace().size()];
        Arrays.fill(branches, 2);
        return branches;
    }

    private static boolean valid(MiniBatch batch, int row, int action, int count) {
        boolean[] masks = batch.masks();
        return masks == null || masks[row * count + action];
    }

    /** Goes through all actions of a {@code ConditionalDiscrete}: log-probability and entropy by their definitions. */
    private final class Enumeration {
        private final int[] counts;
        private final int[] parents;
        private final int[] starts;
        private final List<Integer> logits;
        private final float[] action;
        private final MiniBatch batch;
        private final int row;
        private final int[] choices;
        private int logProbability = tape.number(0);
        private int entropy = tape.number(0);

        Enumeration(ConditionalDiscrete space, List<Integer> logits, float[] action, MiniBatch batch, int row) {
            counts = space.choices().branches();
            parents = space.parents();
            starts = IntStream.range(0, counts.length).map(space::start).toArray();
            this.logits = logits;
            this.action = action;
            this.batch = batch;
            this.row = row;
            choices = new int[counts.length];
        }

        Sample sample(int value) {
            choose(0, tape.number(0));
            return new Sample(logProbability, entropy, value);
        }

        /** Makes every choice in a branch and those after it; {@code log} is the log-probability of those before it. */
        private void choose(int branch, int log) {
            if (branch == counts.length) {
                entropy = tape.subtract(entropy, tape.multiply(tape.exp(log), log));
                boolean taken = IntStream.range(0, branch).allMatch(i -> choices[i] == (int) action[i]);
                logProbability = taken ? log : logProbability;
                return;
            }
            int n = counts[branch];
            int start = starts[branch] + (parents[branch] < 0 ? 0 : n * choices[parents[branch]]);
            int[] valid = IntStream.range(0, n)
                    .filter(i -> ReferencePpo.valid(batch, row, start + i, logits.size()))
                    .toArray();
            int sum = tape.number(0);
            for (int i : valid) {
                sum = tape.add(sum, tape.exp(logits.get(start + i)));
            }
            int logSum = tape.log(sum);
            for (int i : valid) {
                choices[branch] = i;
                choose(branch + 1, tape.add(log, tape.subtract(logits.get(start + i), logSum)));
            }
        }
    }

    private Sample bernoulli(List<Integer> logits, float[] action, int value) {
        int logProbability = tape.number(0);
        int entropy = tape.number(0);
        for (int i = 0; i < action.length; i++) {
            int z = logits.get(i);
            // log p(1) = -log(1 + exp(-z)) and log p(0) = -log(1 + exp(z))
            int log1 = tape.scale(tape.log(tape.add(tape.number(1), tape.exp(tape.scale(z, -1)))), -1);
            int log0 = tape.scale(tape.log(tape.add(tape.number(1), tape.exp(z))), -1);
            entropy = tape.subtract(entropy, tape.multiply(tape.exp(log1), log1));
            entropy = tape.subtract(entropy, tape.multiply(tape.exp(log0), log0));
            logProbability = tape.add(logProbability, action[i] == 1 ? log1 : log0);
        }
        return new Sample(logProbability, entropy, value);
    }

    private Sample gaussian(List<Integer> means, float[] action, int value) {
        int logProbability = tape.number(0);
        int entropy = tape.number(0);
        for (int i = 0; i < action.length; i++) {
            int logStd = layout.logStdOffset() + i;
            int standardised = tape.multiply(
                    tape.subtract(tape.number(action[i]), means.get(i)), tape.exp(tape.scale(logStd, -1)));
            int square = tape.scale(tape.multiply(standardised, standardised), -0.5);
            logProbability = tape.add(logProbability, tape.subtract(square, logStd));
            logProbability = tape.subtract(logProbability, tape.number(0.5 * Math.log(2 * Math.PI)));
            entropy = tape.add(entropy, tape.add(logStd, tape.number(0.5 * Math.log(2 * Math.PI * Math.E))));
        }
        return new Sample(logProbability, entropy, value);
    }
}
