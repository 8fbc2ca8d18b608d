package dev.holdfast.rl.api.policy;

import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.space.Box;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A trained policy, as an application uses it: one raw observation in, one action out.
 *
 * <p><em>Threads.</em> One thread at a time; {@link #copy} gives another thread a policy of its own.
 */
public final class Policy {
    private final NetworkSpec network;
    private final List<Tensor> weights;
    private final @Nullable ObservationNormalizer normalizer;
    private final MlpPolicy mlp;
    private final float[] observation;
    private final float[] action;
    private final float[] value = new float[1];
    private final float[] logProbability = new float[1];

    /**
     * Creates a policy.
     *
     * @param network the network
     * @param weights its weights, one tensor a parameter
     * @param normalizer how observations are normalised, or null
     */
    public Policy(NetworkSpec network, List<Tensor> weights, @Nullable ObservationNormalizer normalizer) {
        this.network = network;
        this.weights = List.copyOf(weights);
        this.normalizer = normalizer;
        mlp = new MlpPolicy(network, 1);
        mlp.setWeights(new ParameterLayout(network).join(weights));
        observation = new float[network.observationSpace().size()];
        action = new float[network.actionSpace().size()];
    }

    /**
     * Returns the most probable action.
     *
     * @param observation a value of the observation space
     * @return the action, within the action space's bounds
     * @throws IllegalArgumentException if the observation isn't a valid one, naming what is wrong, or if the policy was trained
     *     with masks
     */
    public Action act(float[] observation) {
        return act(observation, null, null);
    }

    /**
     * Returns an action.
     *
     * @param observation a value of the observation space
     * @param mask which actions are valid; null if (and only if) the policy was trained without masks
     * @param random where randomness comes from to sample an action; null for the most probable one
     * @return the action, within the action space's bounds and valid under the mask
     * @throws IllegalArgumentException if observation or mask aren't valid, naming what is wrong
     */
    public Action act(float[] observation, boolean @Nullable [] mask, @Nullable RandomGenerator random) {
        load(observation, this.observation);
        checkMask(mask);
        mlp.act(1, this.observation, mask, random, action, value, logProbability);
        return clipped(action.clone());
    }

    /**
     * Returns what the network reads for an observation. With {@link #mostProbable}, for an application that computes the
     * network elsewhere. May be called by any thread.
     *
     * @param observation a value of the observation space
     * @return the observation, normalised if the policy's observations are, as features: {@link NetworkSpec#inputs} of them
     * @throws IllegalArgumentException if the observation isn't a valid one, naming what is wrong
     */
    public float[] features(float[] observation) {
        float[] normalized = new float[network.observationSpace().size()];
        load(observation, normalized);
        float[] features = new float[network.inputs()];
        network.observationSpace().encode(normalized, 0, features, 0);
        return features;
    }

    /**
     * Returns the most probable action for given outputs of the action head. May be called by any thread.
     *
     * @param outputs the outputs, logits or means, as many as {@link ActionDistribution#parameterCount}
     * @param mask which actions are valid; null if (and only if) the policy was trained without masks
     * @return the action, within the action space's bounds and valid under the mask
     * @throws IllegalArgumentException if outputs or mask don't fit, naming what is wrong
     */
    public Action mostProbable(float[] outputs, boolean @Nullable [] mask) {
        ActionDistribution distribution = network.distribution();
        if (outputs.length != distribution.parameterCount()) {
            throw new IllegalArgumentException("the action head has " + distribution.parameterCount() + " outputs, but "
                    + outputs.length + " were given");
        }
        checkMask(mask);
        float[] mode = new float[distribution.actionSize()];
        distribution.mode(outputs, 0, mask, 0, mode, 0);
        return clipped(mode);
    }

    private Action clipped(float[] values) {
        if (network.actionSpace() instanceof Box box) {
            box.clip(values, 0);
        }
        return Action.wrap(values);
    }

    /**
     * Returns the value estimate of an observation: the discounted return that the policy expects from there, in units of the
     * (normalised, if so trained) reward.
     *
     * @param observation a value of the observation space
     * @return the estimate
     * @throws IllegalArgumentException if the observation isn't a valid one, naming what is wrong
     */
    public float value(float[] observation) {
        load(observation, this.observation);
        mlp.values(1, this.observation, value);
        return value[0];
    }

    /**
     * Returns an independent policy with the same weights.
     *
     * @return for use by another thread
     */
    public Policy copy() {
        return new Policy(network, weights, normalizer);
    }

    /**
     * Returns the network that this policy is made of.
     *
     * @return the specification
     */
    public NetworkSpec network() {
        return network;
    }

    /**
     * Returns the network's weights.
     *
     * @return one tensor a parameter; their arrays are not to be changed
     */
    public List<Tensor> weights() {
        return weights;
    }

    /**
     * Returns how observations are normalised before the network reads them.
     *
     * @return null if they aren't
     */
    public @Nullable ObservationNormalizer normalizer() {
        return normalizer;
    }

    private void load(float[] raw, float[] to) {
        if (raw.length != to.length) {
            throw new IllegalArgumentException("an observation of " + network.observationSpace() + " must have "
                    + to.length + " elements, but has " + raw.length);
        }
        String problem = network.observationSpace().problem(raw, 0);
        if (problem != null) {
            throw new IllegalArgumentException(
                    "the observation is not in " + network.observationSpace() + ": " + problem);
        }
        if (normalizer == null) {
            System.arraycopy(raw, 0, to, 0, raw.length);
        } else {
            normalizer.apply(raw, to, 1);
        }
    }

    private void checkMask(boolean @Nullable [] mask) {
        if (network.masked() != (mask != null)) {
            throw new IllegalArgumentException(
                    network.masked()
                            ? "the policy was trained with action masks: it needs one"
                            : "the policy was trained without action masks: it takes none");
        }
        if (mask != null) {
            ActionDistribution distribution = network.distribution();
            if (mask.length != distribution.maskSize()) {
                throw new IllegalArgumentException(
                        "the action mask must have " + distribution.maskSize() + " elements, but has " + mask.length);
            }
            String branch = distribution.emptyBranch(mask, 0);
            if (branch != null) {
                throw new IllegalArgumentException("the action mask leaves no valid action in " + branch);
            }
        }
    }
}
