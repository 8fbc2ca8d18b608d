package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrainingTest {
    static List<Setting> settings() {
        return Stream.concat(Setting.ALL.stream(), Setting.WORKERS.stream()).toList();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void configurationIsValidAndOfWholeRollouts(Setting setting) {
        for (Effort effort : List.of(Effort.full(1), Effort.quick(1))) {
            TrainingConfig.Builder builder = TrainingConfig.builder();
            new Training(setting, Variant.javaSimd(), 2, false)
                    .config(effort.divisor())
                    .forEach(builder::text);
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
        Map<String, String> config = new Training(Setting.COMPARED, Variant.javaSimd(), 1, true).config(1);
        assertThat(config)
                .containsOnlyKeys("env", "config_profile", "timesteps", "backend", "device", "threads")
                .containsEntry("backend", "java");
    }
}
