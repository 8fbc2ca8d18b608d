package dev.holdfast.training.runtime.metrics;

import dev.holdfast.training.runtime.json.JsonText;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line of JSON for each record and event. */
final class ProgressEvents implements MetricSink {
    private static final List<Metric> REPORTED = List.of(
            Metric.START_TIMESTEPS,
            Metric.N_UPDATES,
            Metric.EP_REW_MEAN,
            Metric.EP_LEN_MEAN,
            Metric.VALUE_LOSS,
            Metric.APPROX_KL,
            Metric.ENTROPY_LOSS,
            Metric.EXPLAINED_VARIANCE,
            Metric.FPS);

    private final PrintStream out;

    ProgressEvents(PrintStream out) {
        this.out = out;
    }

    @Override
    public void record(MetricRecord record) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("timesteps", record.timesteps());
        for (Metric metric : REPORTED) {
            fields.put(metric.shortKey(), number(metric, record.values().get(metric)));
        }
        print("progress", fields);
    }

    @Override
    public void event(RunEvent event) {
        print(event.event(), event.details());
    }

    private static @Nullable Number number(Metric metric, @Nullable Double value) {
        if (value == null || !metric.integer()) {
            return value;
        }
        return value.longValue();
    }

    private void print(String event, Map<String, ? extends @Nullable Object> fields) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("event", event);
        line.putAll(fields);
        // one call, so that what other threads print can't fall into the line
        out.print(JsonText.write(line) + "\n");
        out.flush();
    }
}
