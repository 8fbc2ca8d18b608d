package dev.holdfast.training.runtime.metrics;

import dev.holdfast.rl.api.Require;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a run reports at one point, usually the end of an iteration.
 *
 * @param timesteps where the point lies: the timesteps taken so far by all environments together, at least 0
 * @param values the known values, in the catalogue's order, {@link Metric#TOTAL_TIMESTEPS} among them; all finite, and whole
 *     where {@link Metric#integer()} says so
 */
public record MetricRecord(long timesteps, Map<Metric, Double> values) {
    /**
     * Copies the values and adds {@link Metric#TOTAL_TIMESTEPS}. A value that is NaN or infinite means that there is none, and
     * is left out.
     *
     * @throws dev.holdfast.rl.api.InvalidConfigurationException if timesteps is negative
     * @throws IllegalArgumentException if a value of an integer metric isn't whole
     */
    public MetricRecord {
        Require.that(timesteps >= 0, "timesteps", "must be at least 0", timesteps);
        EnumMap<Metric, Double> known = new EnumMap<>(Metric.class);
        values.forEach((metric, value) -> {
            if (metric.integer() && Double.isFinite(value) && value != Math.rint(value)) {
                throw new IllegalArgumentException(metric.key() + " must be a whole number, but was " + value);
            }
            if (Double.isFinite(value)) {
                known.put(metric, value);
            }
        });
        known.put(Metric.TOTAL_TIMESTEPS, (double) timesteps);
        values = Collections.unmodifiableMap(known);
    }
}
