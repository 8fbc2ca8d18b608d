package dev.holdfast.training.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.testing.Golden;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RolloutBufferTest {
    private static final NetworkSpec NETWORK = NetworkSpec.defaults(Box.unbounded(1), new Discrete(2), false);

    static Stream<JsonNode> advantageCases() {
        return StreamSupport.stream(Golden.load("gae").required("cases").spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("advantageCases")
    void advantagesAgreeWithTheReference(JsonNode golden) {
        int steps = golden.required("n_steps").intValue();
        int environments = golden.required("n_envs").intValue();
        RolloutBuffer rollout = new RolloutBuffer(NETWORK, steps, environments);
        float[] recorded = Golden.floats(golden.required("episode_starts"));
        boolean[] starts = new boolean[recorded.length];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = recorded[i] != 0;
        }
        for (int t = 0; t < steps; t++) {
            int from = t * environments;
            int to = from + environments;
            rollout.store(
                    t,
                    new float[environments],
                    null,
                    Arrays.copyOfRange(starts, from, to),
                    new float[environments],
                    Arrays.copyOfRange(Golden.floats(golden.required("values")), from, to),
                    new float[environments]);
            rollout.storeRewards(t, Arrays.copyOfRange(Golden.floats(golden.required("rewards")), from, to));
        }
        rollout.computeAdvantages(
                Golden.floats(golden.required("last_values")),
                Golden.booleans(golden.required("last_dones")),
                golden.required("gamma").doubleValue(),
                golden.required("gae_lambda").doubleValue());

        float[] advantages = Golden.floats(golden.required("advantages"));
        float[] returns = Golden.floats(golden.required("returns"));
        MiniBatch batch = new MiniBatch(NETWORK, steps * environments);
        int[] all = new int[steps * environments];
        Arrays.setAll(all, i -> i);
        rollout.fill(batch, all, 0, all.length);
        for (int sample = 0; sample < all.length; sample++) {
            int row = sample % steps * environments + sample / steps;
            assertThat(batch.advantages()[sample])
                    .isCloseTo(advantages[row], within(1e-5f + 1e-4f * Math.abs(advantages[row])));
            assertThat(batch.returns()[sample]).isCloseTo(returns[row], within(1e-5f + 1e-4f * Math.abs(returns[row])));
        }
    }

    @Test
    void explainedVarianceIsOneForPerfectValuesAndUndefinedForConstantReturns() {
        RolloutBuffer rollout = new RolloutBuffer(NETWORK, 2, 1);
        // lambda 1, gamma 1, the episode ends: the returns are 3 and 2 (rewards 1, 2).
        float[] perfect = {3, 2};
        for (int t = 0; t < 2; t++) {
            rollout.store(t, new float[1], null, new boolean[1], new float[1], new float[] {perfect[t]}, new float[1]);
            rollout.storeRewards(t, new float[] {t + 1});
        }
        rollout.computeAdvantages(new float[1], new boolean[] {true}, 1, 1);
        assertThat(rollout.explainedVariance()).isEqualTo(1);

        // Returns 3 and 2 against values 1 and 1: 1 - 0.25 / 0.25.
        for (int t = 0; t < 2; t++) {
            rollout.store(t, new float[1], null, new boolean[1], new float[1], new float[] {1}, new float[1]);
        }
        rollout.computeAdvantages(new float[1], new boolean[] {true}, 1, 1);
        assertThat(rollout.explainedVariance()).isCloseTo(0, within(1e-12));

        for (int t = 0; t < 2; t++) {
            rollout.storeRewards(t, new float[] {t == 0 ? 0 : 2});
        }
        rollout.computeAdvantages(new float[1], new boolean[] {true}, 1, 1);
        assertThat(rollout.explainedVariance()).isNaN();
    }

    @Test
    void savedRowsComeBack() {
        RolloutBuffer rollout = new RolloutBuffer(NETWORK, 3, 2);
        for (int t = 0; t < 2; t++) {
            rollout.store(
                    t,
                    new float[] {t, -t},
                    null,
                    new boolean[] {t == 0, t == 1},
                    new float[] {t, 1 - t},
                    new float[] {t + 10, t + 20},
                    new float[] {t - 1, t - 2});
            rollout.storeRewards(t, new float[] {t + 100, t + 200});
        }
        RolloutBuffer copy = new RolloutBuffer(NETWORK, 3, 2);
        copy.restore(
                rollout.save(2, false).stream()
                        .collect(java.util.stream.Collectors.toMap(
                                Tensor::name, java.util.function.Function.identity())),
                2,
                false);
        assertThat(copy.save(3, true)).isEqualTo(rollout.save(3, true));
    }
}
