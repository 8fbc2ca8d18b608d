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
        this.weights = weights;
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
        load(observation);
        checkMask(mask);
        mlp.act(1, this.observation, mask, random, action, value, logProbability);
        if (network.actionSpace() instanceof Box box) {
            box.clip(action, 0);
        }
        return Action.copyOf(action, 0, action.length);
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
        load(observation);
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

    private void load(float[] raw) {
        if (raw.length != observation.length) {
            throw new IllegalArgumentException("an observation of " + network.observationSpace() + " must have "
                    + observation.length + " elements, but has " + raw.length);
        }
        String problem = network.observationSpace().problem(raw, 0);
        if (problem != null) {
            throw new IllegalArgumentException(
                    "the observation is not in " + network.observationSpace() + ": " + problem);
        }
        if (normalizer == null) {
            System.arraycopy(raw, 0, observation, 0, raw.length);
        } else {
            normalizer.apply(raw, observation, 1);
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
            int branch = distribution.emptyBranch(mask, 0);
            if (branch >= 0) {
                throw new IllegalArgumentException("the action mask leaves no valid action in branch " + branch);
            }
        }
    }
}
