package dev.holdfast.rl.api.testing;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A policy made up at random, for tests of what computes its network elsewhere.
 *
 * @param policy the policy
 */
public record PolicyCase(Policy policy) {
    /**
     * Returns policies of every network of {@link LearnerCase#all}, of wider ones, and with normalised observations.
     *
     * @return many cases
     */
    public static List<PolicyCase> all() {
        List<PolicyCase> cases = new ArrayList<>();
        for (LearnerCase learner : LearnerCase.all()) {
            cases.add(of(learner.spec(), learner.weights(7), null));
        }
        for (Activation activation : Activation.values()) {
            for (int width : new int[] {64, 256}) {
                cases.add(wide(new Discrete(4), false, activation, width, null));
            }
        }
        cases.add(normalized(new Discrete(4), false, 10));
        cases.add(normalized(new MultiDiscrete(3, 2), true, 1.5));
        cases.add(normalized(new ConditionalDiscrete(new MultiDiscrete(3, 2), -1, 0), true, 1.5));
        cases.add(normalized(new MultiBinary(3), true, 10));
        cases.add(normalized(Box.of(-1, 1, 2), false, Double.POSITIVE_INFINITY));
        return cases;
    }

    /** Means are near 0 and far from it, deviations small and large. */
    private static PolicyCase normalized(Space actions, boolean masked, double clip) {
        double[] mean = {0, 293.15, -0.7, 10_000.0004, 1e-3};
        double[] variance = {1, 25, 0.01, 1, 1e-6};
        return wide(actions, masked, Activation.TANH, 64, new ObservationNormalizer(mean, variance, 1e-8, clip));
    }

    private static PolicyCase wide(
            Space actions,
            boolean masked,
            Activation activation,
            int width,
            @Nullable ObservationNormalizer normalizer) {
        List<Integer> layers = List.of(width, width);
        NetworkSpec spec =
                new NetworkSpec(Box.unbounded(5), actions, masked, List.of(), layers, layers, activation, false, 0);
        return of(spec, Initializer.weights(spec, 7), normalizer);
    }

    private static PolicyCase of(NetworkSpec spec, float[] weights, @Nullable ObservationNormalizer normalizer) {
        return new PolicyCase(new Policy(spec, new ParameterLayout(spec).split(weights), normalizer));
    }

    /**
     * Returns observations, around the mean where observations are normalised.
     *
     * @param n their number
     * @param random where randomness comes from
     * @return a new array each
     */
    public List<float[]> observations(int n, RandomStream random) {
        return Stream.generate(() -> observation(random)).limit(n).toList();
    }

    private float[] observation(RandomStream random) {
        float[] observation = LearnerCase.value(policy.network().observationSpace(), random);
        ObservationNormalizer normalizer = policy.normalizer();
        if (normalizer != null) {
            for (int i = 0; i < observation.length; i++) {
                observation[i] = (float) (normalizer.mean()[i] + normalizer.deviation()[i] * observation[i]);
            }
        }
        return observation;
    }

    /**
     * Returns a mask with about half of the actions and at least one of each branch.
     *
     * @param random where randomness comes from
     * @return a new array; null if the policy takes no masks
     */
    public boolean @Nullable [] mask(RandomStream random) {
        if (!policy.network().masked()) {
            return null;
        }
        boolean[] mask = new boolean[policy.network().distribution().maskSize()];
        do {
            for (int i = 0; i < mask.length; i++) {
                mask[i] = random.nextInt(2) == 0;
            }
        } while (policy.network().distribution().emptyBranch(mask, 0) != null);
        return mask;
    }

    /**
     * Returns the outputs of the action head: logits, or means.
     *
     * @param observations values of the observation space
     * @return a new array for each observation
     */
    public float[][] outputs(List<float[]> observations) {
        Policy revealed = revealed();
        return observations.stream()
                .map(observation -> revealed.act(observation).toArray())
                .toArray(float[][]::new);
    }

    /**
     * Returns the value estimates.
     *
     * @param observations values of the observation space
     * @return an array of one number for each observation
     */
    public float[][] values(List<float[]> observations) {
        return observations.stream()
                .map(observation -> new float[] {policy.value(observation)})
                .toArray(float[][]::new);
    }

    /** A policy with the same network whose actions are its outputs: those of an unbounded {@code Box} are. */
    private Policy revealed() {
        NetworkSpec spec = policy.network();
        int outputs = spec.distribution().parameterCount();
        NetworkSpec box = new NetworkSpec(
                spec.observationSpace(),
                Box.unbounded(outputs),
                false,
                spec.sharedLayers(),
                spec.policyLayers(),
                spec.valueLayers(),
                spec.activation(),
                spec.orthogonal(),
                spec.initialLogStd());
        List<Tensor> weights = new ArrayList<>(policy.weights());
        weights.removeIf(tensor -> tensor.name().equals("log_std"));
        weights.add(new Tensor("log_std", new int[] {outputs}, new float[outputs]));
        return new Policy(box, weights, policy.normalizer());
    }

    /**
     * Returns how far outputs may be from the expected ones: sums of large numbers are rounded more coarsely, a small sum of them
     * too.
     *
     * @param expected the outputs of the policy for several observations
     * @return 1e-6, or 1e-6 of the largest output if that is above 1
     */
    public static float tolerance(float[]... expected) {
        float largest = 1;
        for (float[] outputs : expected) {
            for (float output : outputs) {
                largest = Math.max(largest, Math.abs(output));
            }
        }
        return 1e-6f * largest;
    }

    @Override
    public String toString() {
        NetworkSpec spec = policy.network();
        return spec.actionSpace() + (spec.masked() ? " masked, " : ", ") + spec.activation() + ", "
                + spec.sharedLayers() + spec.policyLayers() + spec.valueLayers() + " from "
                + (policy.normalizer() == null ? "" : "normalised ") + spec.observationSpace();
    }
}
