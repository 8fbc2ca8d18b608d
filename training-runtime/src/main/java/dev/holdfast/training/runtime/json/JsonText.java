package dev.holdfast.training.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads JSON text as plain values: maps, lists, texts, numbers, truth values and null.
 *
 * <p><em>Threads.</em> Any number at once.
 */
public final class JsonText {
    // What is read comes from other processes: neither depth nor length nor hostile names may cost more than the text
    // itself.
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(64)
                            .maxNumberLength(64)
                            .build())
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonText() {}

    /**
     * Writes a value on one line.
     *
     * @param value maps, collections, numbers, truth values and null as such, anything else by its {@code toString}. NaN and the
     *     infinities, which JSON doesn't have, become null
     * @return JSON without white space
     */
    public static String write(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = MAPPER.createGenerator(text)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter doesn't fail", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> field : map.entrySet()) {
                generator.writeFieldName(String.valueOf(field.getKey()));
                write(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof Collection<?> elements) {
            generator.writeStartArray();
            for (Object element : elements) {
                write(generator, element);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else if (value instanceof Integer || value instanceof Long) {
            generator.writeNumber(((Number) value).longValue());
        } else if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            generator.writeNumber(number.doubleValue());
        } else if (value == null || value instanceof Number) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }

    /**
     * Reads an object.
     *
     * @param text JSON, perhaps
     * @return the object's values by key; empty if the text is anything else
     */
    @SuppressWarnings("unchecked") // a JSON object has texts as keys
    public static Optional<Map<String, @Nullable Object>> object(String text) {
        try {
            return MAPPER.readValue(text, Object.class) instanceof Map<?, ?> map
                    ? Optional.of((Map<String, @Nullable Object>) map)
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
