package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricTest {
    @Test
    @DisplayName("B2: the catalogue has every key of a progress record but for the axes")
    void holdsTheKeysOfProgressRecords() {
        assertThat(Arrays.stream(Metric.values()).map(Metric::shortKey))
                .contains(
                        "start_timesteps",
                        "n_updates",
                        "ep_rew_mean",
                        "ep_len_mean",
                        "value_loss",
                        "approx_kl",
                        "entropy_loss",
                        "explained_variance",
                        "fps")
                .doesNotHaveDuplicates();
    }

    @Test
    void isInTheOrderOfTheTablesOfStableBaselines3() {
        assertThat(Arrays.stream(Metric.values()).map(Metric::key)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void saysOfEachMetricWhatItIs() {
        assertThat(Metric.values()).allSatisfy(metric -> {
            assertThat(metric.definition()).matches("\\S.{20,}\\.");
            assertThat(metric.key()).isEqualTo(metric.group() + "/" + metric.shortKey());
            assertThat(metric.group()).isIn("eval", "rollout", "time", "train");
        });
    }

    @Test
    void marksAxesCountsAndClockValues() {
        assertThat(Stream.of(Metric.values()).filter(Metric::axis))
                .containsExactly(
                        Metric.ITERATIONS, Metric.START_TIMESTEPS, Metric.TIME_ELAPSED, Metric.TOTAL_TIMESTEPS);
        assertThat(Stream.of(Metric.values()).filter(Metric::wallClock))
                .containsExactly(Metric.FPS, Metric.TIME_ELAPSED);
        assertThat(Stream.of(Metric.values()).filter(Metric::integer))
                .containsExactly(
                        Metric.FPS,
                        Metric.ITERATIONS,
                        Metric.START_TIMESTEPS,
                        Metric.TIME_ELAPSED,
                        Metric.TOTAL_TIMESTEPS,
                        Metric.N_UPDATES);
    }
}
