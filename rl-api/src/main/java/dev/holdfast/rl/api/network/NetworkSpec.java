package dev.holdfast.rl.api.network;

import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.util.List;

/**
 * An actor-critic multilayer perceptron: optional layers that both share, then the layers of the policy and of the value
 * function, then a linear head for each.
 *
 * <pre>
 *   features ─ shared… ─┬─ policy… ─ action_net ─ logits (or means)
 *                       └─ value…  ─ value_net  ─ value
 * </pre>
 *
 * @param observationSpace what the network reads, encoded as features
 * @param actionSpace what the policy chooses
 * @param masked whether invalid actions are masked; it decides the head of a {@code MultiBinary} action space (two outputs per
 *     bit if masked, one if not) and is refused for a {@code Box}
 * @param sharedLayers the widths of the shared hidden layers, usually none
 * @param policyLayers the widths of the policy's own hidden layers
 * @param valueLayers the widths of the value function's own hidden layers
 * @param activation the non-linearity after every hidden layer
 * @param orthogonal whether weights start orthogonal (gain sqrt 2 for hidden layers, 0.01 for the action head, 1 for the value
 *     head; biases 0) or as PyTorch's linear layers do (uniform in ±1/sqrt(inputs))
 * @param initialLogStd the first logarithm of the standard deviation of a {@code Box} action
 */
public record NetworkSpec(
        Space observationSpace,
        Space actionSpace,
        boolean masked,
        List<Integer> sharedLayers,
        List<Integer> policyLayers,
        List<Integer> valueLayers,
        Activation activation,
        boolean orthogonal,
        double initialLogStd) {
    /** The largest allowed width of a hidden layer. */
    public static final int MAX_WIDTH = 65_536;

    /** Validates and copies. */
    public NetworkSpec {
        sharedLayers = checked(sharedLayers, "shared layers");
        policyLayers = checked(policyLayers, "policy layers");
        valueLayers = checked(valueLayers, "value layers");
        Require.that(
                !(masked && actionSpace instanceof Box),
                "action mask",
                "can be used with Discrete, MultiDiscrete, ConditionalDiscrete and MultiBinary actions only",
                actionSpace);
        Require.inRange(initialLogStd, -20, 20, "log_std_init");
    }

    private static List<Integer> checked(List<Integer> layers, String name) {
        for (int width : layers) {
            Require.that(width >= 1 && width <= MAX_WIDTH, name, "must have widths in [1, " + MAX_WIDTH + "]", layers);
        }
        return List.copyOf(layers);
    }

    /**
     * Returns the reference implementation's default network: two hidden layers of 64 with tanh, separate for policy and value.
     *
     * @param observationSpace what the network reads
     * @param actionSpace what the policy chooses
     * @param masked whether invalid actions are masked
     * @return the specification
     */
    public static NetworkSpec defaults(Space observationSpace, Space actionSpace, boolean masked) {
        return of(observationSpace, actionSpace, masked, Activation.TANH, 64, 64);
    }

    /**
     * Returns a network whose policy and value function have hidden layers of the same widths and share none.
     *
     * @param observationSpace what the network reads
     * @param actionSpace what the policy chooses
     * @param masked whether invalid actions are masked
     * @param activation the non-linearity
     * @param widths the widths of the hidden layers
     * @return the specification
     */
    public static NetworkSpec of(
            Space observationSpace, Space actionSpace, boolean masked, Activation activation, int... widths) {
        List<Integer> layers = java.util.Arrays.stream(widths).boxed().toList();
        return new NetworkSpec(observationSpace, actionSpace, masked, List.of(), layers, layers, activation, true, 0);
    }

    /**
     * Returns the number of inputs.
     *
     * @return the number of features of an observation
     */
    public int inputs() {
        return observationSpace.featureSize();
    }

    /**
     * Returns the distribution over actions that the action head's outputs describe.
     *
     * @return a distribution, safe to share by threads
     */
    public ActionDistribution distribution() {
        return ActionDistribution.of(actionSpace, masked);
    }
}
