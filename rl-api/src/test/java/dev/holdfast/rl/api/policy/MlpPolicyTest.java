package dev.holdfast.rl.api.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.testing.Golden;
import dev.holdfast.rl.api.testing.GoldenUpdate;
import dev.holdfast.rl.api.testing.LearnerCase;
import dev.holdfast.rl.api.testing.ReferencePpo;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MlpPolicyTest {
    private static List<String> goldenUpdates() {
        return GoldenUpdate.NAMES;
    }

    @ParameterizedTest
    @MethodSource("goldenUpdates")
    void actsLikeTheReferenceImplementation(String name) {
        GoldenUpdate golden = new GoldenUpdate(name);
        NetworkSpec spec = golden.spec();
        float[] observations = rollout(golden, "observations");
        float[] actions = rollout(golden, "actions");
        float[] expectedValues = rollout(golden, "values");
        float[] expectedLogProbabilities = rollout(golden, "log_probs");
        int n = expectedValues.length;
        boolean[] masks = spec.masked() ? masks(rollout(golden, "action_masks")) : null;
        MlpPolicy policy = new MlpPolicy(spec, n);
        policy.setWeights(new ParameterLayout(spec).join(golden.initialState().weights()));

        float[] logStd = golden.initialState().weights().get(0).floats();
        float[] values = new float[n];
        policy.values(n, observations, values);
        for (int row = 0; row < n; row++) {
            close(values[row], expectedValues[row]);
            close(
                    logProbability(policy, spec, logStd, observations, masks, actions, row),
                    expectedLogProbabilities[row]);
        }
    }

    private static float[] rollout(GoldenUpdate golden, String name) {
        return Golden.floats(golden.root().required("buffer").required(name));
    }

    private static boolean[] masks(float[] numbers) {
        boolean[] masks = new boolean[numbers.length];
        for (int i = 0; i < masks.length; i++) {
            masks[i] = numbers[i] != 0;
        }
        return masks;
    }

    /** Has the policy choose until the action is the one given, or, for numbers, makes it choose that one. */
    private static float logProbability(
            MlpPolicy policy,
            NetworkSpec spec,
            float[] logStd,
            float[] observations,
            boolean @Nullable [] masks,
            float[] actions,
            int row) {
        float[] observation = row(observations, row, spec.inputs());
        boolean[] mask = null;
        if (masks != null) {
            int size = spec.distribution().maskSize();
            mask = Arrays.copyOfRange(masks, row * size, (row + 1) * size);
        }
        float[] wanted = row(actions, row, spec.actionSpace().size());
        float[] action = new float[wanted.length];
        float[] value = new float[1];
        float[] logProbability = new float[1];
        if (spec.actionSpace() instanceof Box) {
            policy.act(1, observation, null, null, action, value, logProbability);
            float[] mean = action.clone();
            policy.act(1, observation, null, new Towards(wanted, mean, logStd), action, value, logProbability);
            for (int i = 0; i < wanted.length; i++) {
                assertThat(action[i]).isCloseTo(wanted[i], within(1e-6f));
            }
            return logProbability[0];
        }
        RandomStream random = new RandomStream(row);
        for (int attempt = 0; attempt < 10_000; attempt++) {
            policy.act(1, observation, mask, random, action, value, logProbability);
            if (Arrays.equals(action, wanted)) {
                return logProbability[0];
            }
        }
        throw new AssertionError("never drew " + Arrays.toString(wanted));
    }

    private static float[] row(float[] values, int row, int size) {
        return Arrays.copyOfRange(values, row * size, (row + 1) * size);
    }

    /** Gives the normal draws that lead from a mean to an action. */
    private static final class Towards implements RandomGenerator {
        private final float[] action;
        private final float[] mean;
        private final float[] logStd;
        private int next;

        Towards(float[] action, float[] mean, float[] logStd) {
            this.action = action;
            this.mean = mean;
            this.logStd = logStd;
        }

        @Override
        public double nextGaussian() {
            double draw = ((double) action[next] - mean[next]) / Math.exp(logStd[next]);
            next++;
            return draw;
        }

        @Override
        public long nextLong() {
            throw new AssertionError("one normal draw an element, nothing else");
        }
    }

    private static List<LearnerCase> cases() {
        return LearnerCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithDoublePrecision(LearnerCase learnerCase) {
        NetworkSpec spec = learnerCase.spec();
        int n = 9;
        float[] weights = learnerCase.weights(1);
        MiniBatch batch = learnerCase.batch(n, weights, 2);
        float[] observations = new float[n * spec.observationSpace().size()];
        RandomStream random = new RandomStream(3);
        for (int row = 0; row < n; row++) {
            float[] observation = LearnerCase.value(spec.observationSpace(), random);
            System.arraycopy(observation, 0, observations, row * observation.length, observation.length);
            spec.observationSpace().encode(observation, 0, batch.features(), row * spec.inputs());
        }
        MlpPolicy policy = new MlpPolicy(spec, n);
        policy.setWeights(weights);
        float[] values = new float[n];
        float[] again = new float[n];
        float[] logProbabilities = new float[n];
        policy.act(n, observations, batch.masks(), random, batch.actions(), values, logProbabilities);
        policy.values(n, observations, again);
        double[] expectedValues = ReferencePpo.values(spec, LearnerCase.doubles(weights), batch);
        double[] expectedLogProbabilities = ReferencePpo.logProbabilities(spec, LearnerCase.doubles(weights), batch);
        for (int row = 0; row < n; row++) {
            close(values[row], expectedValues[row]);
            close(logProbabilities[row], expectedLogProbabilities[row]);
        }
        assertThat(again).isEqualTo(values);

        // Rows don't depend on how many are computed at once.
        float[] action = new float[spec.actionSpace().size()];
        float[] modes = new float[n * action.length];
        policy.act(n, observations, batch.masks(), null, modes, values, logProbabilities);
        MlpPolicy single = new MlpPolicy(spec, 1);
        single.setWeights(weights);
        int maskSize = spec.distribution().maskSize();
        for (int row = 0; row < n; row++) {
            boolean[] mask =
                    spec.masked() ? Arrays.copyOfRange(batch.masks(), row * maskSize, (row + 1) * maskSize) : null;
            float[] value = new float[1];
            float[] logProbability = new float[1];
            single.act(
                    1,
                    row(observations, row, spec.observationSpace().size()),
                    mask,
                    null,
                    action,
                    value,
                    logProbability);
            assertThat(action).isEqualTo(row(modes, row, action.length));
            assertThat(value[0]).isEqualTo(values[row]);
            assertThat(logProbability[0]).isEqualTo(logProbabilities[row]);
        }
    }

    @Test
    void startsWithWeightsOfZero() {
        MlpPolicy policy = new MlpPolicy(NetworkSpec.defaults(Box.unbounded(2), new Discrete(4), false), 1);
        float[] action = new float[1];
        float[] value = {5};
        float[] logProbability = new float[1];
        policy.act(1, new float[] {3, 4}, null, null, action, value, logProbability);
        assertThat(action).containsExactly(0f);
        assertThat(value).containsExactly(0f);
        assertThat(logProbability[0]).isCloseTo((float) Math.log(0.25), within(1e-7f));
    }

    @Test
    void copiesTheWeights() {
        LearnerCase learnerCase = LearnerCase.of(new Discrete(3), false, Activation.TANH);
        MlpPolicy policy = new MlpPolicy(learnerCase.spec(), 1);
        float[] weights = learnerCase.weights(1);
        policy.setWeights(weights);
        float[] before = new float[1];
        policy.values(1, new float[] {1, 2, 3, 4, 5}, before);
        Arrays.fill(weights, 9);
        float[] after = new float[1];
        policy.values(1, new float[] {1, 2, 3, 4, 5}, after);
        assertThat(after).isEqualTo(before);
    }

    @Test
    void refusesWhatDoesNotFit() {
        MlpPolicy policy = new MlpPolicy(NetworkSpec.of(Box.unbounded(2), new Discrete(2), false, Activation.TANH), 2);
        assertThatThrownBy(() -> policy.setWeights(new float[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network has 9 weights, but 3 were given");
        assertThatThrownBy(() -> policy.values(3, new float[6], new float[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at most 2 observations at once, but there are 3");
    }

    private static void close(double actual, double expected) {
        assertThat(actual).isCloseTo(expected, within(2e-6 + 1e-5 * Math.abs(expected)));
    }
}
