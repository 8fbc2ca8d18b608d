package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricRecordTest {
    @Test
    void putsValuesIntoTheCataloguesOrderAndAddsTheAxis() {
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(Metric.VALUE_LOSS, 2.5);
        values.put(Metric.EP_REW_MEAN, 20.0);
        MetricRecord record = new MetricRecord(2048, values);
        values.clear();

        assertThat(record.values())
                .containsExactly(
                        Map.entry(Metric.EP_REW_MEAN, 20.0),
                        Map.entry(Metric.TOTAL_TIMESTEPS, 2048.0),
                        Map.entry(Metric.VALUE_LOSS, 2.5));
        assertThatThrownBy(() -> record.values().put(Metric.LOSS, 1.0))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void leavesOutWhatIsNotFinite() {
        MetricRecord record = new MetricRecord(
                64,
                Map.of(
                        Metric.EXPLAINED_VARIANCE,
                        Double.NaN,
                        Metric.CLIP_RANGE_VF,
                        Double.POSITIVE_INFINITY,
                        Metric.FPS,
                        Double.NaN,
                        Metric.LOSS,
                        0.5));

        assertThat(record.values()).containsOnlyKeys(Metric.TOTAL_TIMESTEPS, Metric.LOSS);
    }

    @Test
    void refusesFractionsOfCountsAndNegativeTimesteps() {
        assertThatThrownBy(() -> new MetricRecord(64, Map.of(Metric.FPS, 10.5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time/fps must be a whole number, but was 10.5");
        assertThatThrownBy(() -> new MetricRecord(-1, Map.of()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("timesteps must be at least 0, but was -1");
    }
}
