package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VariantTest {
    @Test
    void countsOperations() {
        NetworkSpec network = new NetworkSpec(
                Box.unbounded(4),
                new Discrete(2),
                false,
                List.of(),
                List.of(3, 5),
                List.of(7),
                Activation.TANH,
                true,
                0);

        // Products of 4x3, 3x5 and 5x2 for the policy, 4x7 and 7x1 for the value; the first ones have no gradient of
        // inputs.
        long weights = 12 + 15 + 10 + 28 + 7;
        assertThat(Variant.flopsPerSample(new ParameterLayout(network))).isEqualTo(6 * weights - 2 * (12 + 28));
    }

    @Test
    void measuresEachKernelWithOneAndTwoThreadsAndTheDefaults() {
        Setting setting = Setting.ALL.get(0);
        assertThat(Variant.of(setting, true))
                .containsExactly(
                        new Variant(setting, true, 1, false),
                        new Variant(setting, true, 2, false),
                        new Variant(setting, false, 1, false),
                        new Variant(setting, false, 2, false),
                        new Variant(setting, true, 1, true));
        assertThat(Variant.of(setting, false)).allMatch(variant -> !variant.simd());
    }

    static List<Setting> settings() {
        return Setting.ALL;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void configurationIsValidAndOfWholeRollouts(Setting setting) {
        for (int divisor : new int[] {1, 5}) {
            TrainingConfig.Builder builder = TrainingConfig.builder();
            new Variant(setting, true, 2, false).config(divisor).forEach(builder::text);
            TrainingConfig config = builder.build();
            assertThat(config.get(Fields.THREADS)).isEqualTo(2);
            assertThat(config.get(Fields.EVAL_EPISODES)).isZero();
            // Two of the environments' profiles say how long a rollout is; 2048 is a multiple of it in each.
            long rollout = config.isGiven(Fields.ROLLOUT_STEPS)
                    ? (long) config.get(Fields.ROLLOUT_STEPS) * config.get(Fields.ENVS)
                    : 2048;
            assertThat(config.get(Fields.TIMESTEPS)).isPositive();
            assertThat(config.get(Fields.TIMESTEPS) % rollout).isZero();
        }
    }

    @Test
    void defaultsLeaveEverythingOn() {
        Map<String, String> config = new Variant(Setting.ALL.get(0), true, 1, true).config(1);
        assertThat(config).containsOnlyKeys("env", "config_profile", "timesteps", "threads");
    }
}
