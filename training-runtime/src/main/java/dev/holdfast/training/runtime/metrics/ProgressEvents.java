package dev.holdfast.training.runtime.metrics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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

    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .build();
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
        StringWriter line = new StringWriter();
        try (JsonGenerator generator = json.createGenerator(line)) {
            generator.writeStartObject();
            generator.writeStringField("event", event);
            writeFields(generator, fields);
            generator.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter doesn't fail", e);
        }
        // one call, so that what other threads print can't fall into the line
        out.print(line.append('\n'));
        out.flush();
    }

    private static void writeFields(JsonGenerator generator, Map<?, ? extends @Nullable Object> fields)
            throws IOException {
        for (Map.Entry<?, ? extends @Nullable Object> field : fields.entrySet()) {
            generator.writeFieldName(String.valueOf(field.getKey()));
            writeValue(generator, field.getValue());
        }
    }

    private static void writeValue(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            writeFields(generator, map);
            generator.writeEndObject();
        } else if (value instanceof Iterable<?> elements) {
            generator.writeStartArray();
            for (Object element : elements) {
                writeValue(generator, element);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else if (value instanceof Number number) {
            writeNumber(generator, number);
        } else if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }

    private static void writeNumber(JsonGenerator generator, Number number) throws IOException {
        if (number instanceof Integer || number instanceof Long) {
            generator.writeNumber(number.longValue());
        } else if (Double.isFinite(number.doubleValue())) {
            generator.writeNumber(number.doubleValue());
        } else {
            // JSON has neither NaN nor infinity
            generator.writeNull();
        }
    }
}
