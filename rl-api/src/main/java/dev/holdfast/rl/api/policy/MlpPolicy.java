package dev.holdfast.rl.api.policy;

import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The actor-critic network in plain Java, for acting on batches of observations. The same class acts in training, whatever the
 * backend that learns, and in an application.
 *
 * <p><em>Threads.</em> One thread at a time. Nothing is allocated after construction.
 */
public final class MlpPolicy {
    private final ParameterLayout layout;
    private final ActionDistribution distribution;
    private final int capacity;
    private final int observationSize;
    /** Where each index of an observation starts among the features; null where observations are not indices. */
    private final int @Nullable [] indexOffsets;

    private final int[] ones;
    private final DenseLayer[] shared;
    private final DenseLayer[] policy;
    private final DenseLayer[] value;
    private final float[] logStd;
    private final float[] work;
    private final float[] result = new float[2];

    /**
     * Creates a policy with all weights 0.
     *
     * @param spec the network
     * @param capacity the largest number of observations at once
     */
    public MlpPolicy(NetworkSpec spec, int capacity) {
        layout = new ParameterLayout(spec);
        distribution = spec.distribution();
        this.capacity = capacity;
        observationSize = spec.observationSpace().size();
        indexOffsets = indexOffsets(spec.observationSpace());
        ones = new int[indexOffsets == null ? 0 : observationSize];
        Activation activation = spec.activation();
        shared = hidden(layout.shared(), activation).toArray(DenseLayer[]::new);
        policy = withHead(hidden(layout.policy(), activation), layout.actionHead());
        value = withHead(hidden(layout.value(), activation), layout.valueHead());
        logStd = new float[layout.logStdOffset() < 0 ? 0 : distribution.actionSize()];
        work = new float[distribution.workSize()];
    }

    private static int @Nullable [] indexOffsets(Space space) {
        if (space instanceof Discrete) {
            return new int[1];
        } else if (space instanceof MultiDiscrete multi) {
            int[] branches = multi.branches();
            int[] offsets = new int[branches.length];
            for (int i = 1; i < branches.length; i++) {
                offsets[i] = offsets[i - 1] + branches[i - 1];
            }
            return offsets;
        } else if (space instanceof ConditionalDiscrete conditional) {
            return indexOffsets(conditional.choices());
        }
        return null;
    }

    private static Stream<DenseLayer> hidden(List<ParameterLayout.Layer> layers, Activation activation) {
        return layers.stream().map(layer -> new DenseLayer(layer, activation));
    }

    private static DenseLayer[] withHead(Stream<DenseLayer> hidden, ParameterLayout.Layer head) {
        return Stream.concat(hidden, Stream.of(new DenseLayer(head, null))).toArray(DenseLayer[]::new);
    }

    /**
     * Replaces the weights.
     *
     * @param flat the weights in the order of {@link ParameterLayout}; copied
     * @throws IllegalArgumentException if their number is not the network's
     */
    public void setWeights(float[] flat) {
        if (flat.length != layout.size()) {
            throw new IllegalArgumentException(
                    "the network has " + layout.size() + " weights, but " + flat.length + " were given");
        }
        for (DenseLayer[] stack : new DenseLayer[][] {shared, policy, value}) {
            for (DenseLayer layer : stack) {
                layer.load(flat);
            }
        }
        System.arraycopy(flat, Math.max(layout.logStdOffset(), 0), logStd, 0, logStd.length);
    }

    /**
     * Chooses actions.
     *
     * @param n the number of observations
     * @param observations {@code [n, observation size]}, valid and already normalised
     * @param masks {@code [n, mask size]}, or null if actions are not masked
     * @param random where randomness comes from to sample actions; null for the most probable ones
     * @param actions receives the actions {@code [n, action size]}; those of a {@code Box} are not clipped to its bounds
     * @param values receives the value estimates {@code [n]}
     * @param logProbabilities receives the actions' log-probabilities {@code [n]}
     */
    public void act(
            int n,
            float[] observations,
            boolean @Nullable [] masks,
            @Nullable RandomGenerator random,
            float[] actions,
            float[] values,
            float[] logProbabilities) {
        checkCount(n);
        for (int row = 0; row < n; row++) {
            float[] trunk = trunk(observations, row);
            float[] outputs = branch(policy, trunk, row);
            int maskOffset = row * distribution.maskSize();
            int actionOffset = row * distribution.actionSize();
            if (random == null) {
                distribution.mode(outputs, 0, masks, maskOffset, actions, actionOffset);
            } else {
                distribution.sample(outputs, 0, logStd, masks, maskOffset, random, actions, actionOffset);
            }
            distribution.evaluate(outputs, 0, logStd, masks, maskOffset, actions, actionOffset, work, result);
            logProbabilities[row] = result[0];
            values[row] = branch(value, trunk, row)[0];
        }
    }

    /**
     * Estimates values.
     *
     * @param n the number of observations
     * @param observations {@code [n, observation size]}, valid and already normalised
     * @param values receives the estimates {@code [n]}
     */
    public void values(int n, float[] observations, float[] values) {
        checkCount(n);
        for (int row = 0; row < n; row++) {
            float[] trunk = trunk(observations, row);
            values[row] = branch(value, trunk, row)[0];
        }
    }

    private void checkCount(int n) {
        if (n > capacity) {
            throw new IllegalArgumentException("at most " + capacity + " observations at once, but there are " + n);
        }
    }

    /** Returns what policy and value function read: the last shared layer's outputs, or the observations themselves. */
    private float[] trunk(float[] observations, int row) {
        int offset = row * observationSize;
        if (indexOffsets != null) {
            for (int i = 0; i < observationSize; i++) {
                ones[i] = indexOffsets[i] + (int) observations[offset + i];
            }
        }
        return shared.length == 0 ? observations : apply(shared, observations, offset, indexOffsets != null);
    }

    private float[] branch(DenseLayer[] layers, float[] trunk, int row) {
        boolean first = shared.length == 0;
        return apply(layers, trunk, first ? row * observationSize : 0, first && indexOffsets != null);
    }

    private float[] apply(DenseLayer[] layers, float[] input, int offset, boolean oneHot) {
        float[] output = oneHot ? layers[0].applyOneHot(ones) : layers[0].apply(input, offset);
        for (int i = 1; i < layers.length; i++) {
            output = layers[i].apply(output, 0);
        }
        return output;
    }
}
