package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.metrics.Metric;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricSeriesTest {
    private static MetricSeries series(int capacity, int points) {
        MetricSeries series = new MetricSeries(capacity);
        for (int i = 1; i <= points; i++) {
            series.add(32L * i, Map.of("ep_rew_mean", (double) i));
        }
        return series;
    }

    @Test
    @DisplayName("B34: the cursor gives all points, those that are new, or none")
    void cursor() {
        MetricSeries series = series(100, 4);
        assertThat(series.from(0, 100).points()).hasSize(4);
        assertThat(series.from(0, 100).offset()).isZero();
        MetricSeries.Slice last = series.from(3, 100);
        assertThat(last.offset()).isEqualTo(3);
        assertThat(last.points()).containsExactly(Map.of("timesteps", 128L, "ep_rew_mean", 4L));
        assertThat(last.end()).isEqualTo(4);
        assertThat(series.from(99, 100)).isEqualTo(new MetricSeries.Slice(List.of(), 4, 4));
        assertThat(new MetricSeries(100).from(0, 100)).isEqualTo(new MetricSeries.Slice(List.of(), 0, 0));
    }

    @Test
    @DisplayName(
            "points beyond the capacity take no more memory: older ones get sparser, the newest stays, cursors stay valid")
    void bounded() {
        MetricSeries series = series(8, 1_000);
        List<Map<String, Number>> points = series.from(0, 1_000).points();
        assertThat(points)
                .hasSizeBetween(4, 8)
                .isSortedAccordingTo((a, b) -> Long.compare(
                        a.get("timesteps").longValue(), b.get("timesteps").longValue()));
        assertThat(points.get(points.size() - 1)).containsEntry("timesteps", 32_000L);
        assertThat(series.total()).isEqualTo(1_000);
        assertThat(series.from(999, 10).points()).hasSize(1);
        assertThat(series.from(999, 10).end()).isEqualTo(1_000);
    }

    @Test
    @DisplayName("an answer that is thinned out loses no peak of any metric, and keeps first and last step counts")
    void noPeakIsLost() {
        MetricSeries series = new MetricSeries();
        for (int i = 1; i <= 100_000; i++) {
            series.add(i, Map.of("approx_kl", i == 54_321 ? 0.9 : 0.01, "value_loss", i == 7 ? -5.0 : 1.0));
        }
        MetricSeries.Slice slice = series.from(0, 1_000);
        assertThat(slice.points()).hasSize(1_000);
        assertThat(slice.end()).isEqualTo(100_000);
        assertThat(slice.points()).anyMatch(point -> point.get("approx_kl").doubleValue() == 0.9);
        assertThat(slice.points()).anyMatch(point -> point.get("value_loss").doubleValue() == -5.0);
        assertThat(slice.points().get(0)).containsEntry("timesteps", 1L);
        assertThat(slice.points().get(999)).containsEntry("timesteps", 100_000L);
        assertThat(series.from(0, 1).points()).hasSize(1);
    }

    @Test
    @DisplayName("unknown values are absent from points and skipped by those who ask for the last ones")
    void unknown() {
        MetricSeries series = new MetricSeries();
        series.add(1, Map.of("fps", 18.0, "nonsense", 1.0));
        series.add(2, Map.of("approx_kl", 0.5));
        series.add(3, Map.of("fps", 20.0));
        series.complete(Map.of("fps", 99.0, "approx_kl", 0.25));
        assertThat(series.lastKnown(Metric.FPS, 10)).containsExactly(18, 20);
        assertThat(series.lastKnown(Metric.FPS, 1)).containsExactly(20);
        assertThat(series.last(Metric.APPROX_KL)).isEqualTo(0.25);
        assertThat(series.last(Metric.STD)).isNaN();
        assertThat(series.from(0, 1_000).points().get(0)).containsOnlyKeys("timesteps", "fps");
    }
}
