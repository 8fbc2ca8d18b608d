package dev.holdfast.training.runtime.checkpoint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object that is read strictly: every accessor states key, rule and value of what it doesn't like. The only class of this
 * package that knows Jackson.
 */
final class Json {
    // Field names are neither interned nor hashed into a shared table: hostile names could fill it.
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(16)
                            .maxNumberLength(64)
                            .maxStringLength(1 << 20)
                            .maxNameLength(1 << 12)
                            .build())
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    // The line end is fixed: equal values must give equal bytes on every system.
    private static final ObjectWriter PRETTY =
            MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

    private final JsonNode node;
    private final String prefix;

    private Json(JsonNode node, String prefix) {
        this.node = node;
        this.prefix = prefix;
    }

    /** Writes maps, lists, texts, numbers, truth values and null, for people to read. */
    static byte[] pretty(Map<String, ?> object) {
        return bytes(PRETTY, object, "\n");
    }

    /** Writes the same without any white space. */
    static byte[] compact(Map<String, ?> object) {
        return bytes(MAPPER.writer(), object, "");
    }

    private static byte[] bytes(ObjectWriter writer, Map<String, ?> object, String end) {
        try {
            // By way of a String: written to bytes at once, a text with half a surrogate pair would be an error.
            return (writer.writeValueAsString(object) + end).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Json parse(byte[] text) throws DamageException {
        JsonNode node;
        try {
            node = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
            throw new DamageException(
                    "must be JSON, but is not" + where + ": " + DamageException.quote(e.getOriginalMessage()));
        } catch (IOException e) {
            throw new DamageException(
                    "must be JSON, but is not: " + DamageException.quote(String.valueOf(e.getMessage())));
        }
        DamageException.unless(node.isObject(), "the JSON text", "must be an object", shown(node));
        return new Json(node, "");
    }

    List<String> keys() {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    boolean has(String key) {
        return node.hasNonNull(key);
    }

    Json object(String key) throws DamageException {
        JsonNode child = get(key);
        check(child.isObject(), key, "must be an object", child);
        return new Json(child, prefix + key + ".");
    }

    List<Json> objects(String key) throws DamageException {
        List<Json> objects = new ArrayList<>();
        for (JsonNode element : array(key)) {
            String name = key + "[" + objects.size() + "]";
            check(element.isObject(), name, "must be an object", element);
            objects.add(new Json(element, prefix + name + "."));
        }
        return objects;
    }

    String text(String key) throws DamageException {
        JsonNode child = get(key);
        check(child.isTextual(), key, "must be a text", child);
        return child.textValue();
    }

    boolean flag(String key) throws DamageException {
        JsonNode child = get(key);
        check(child.isBoolean(), key, "must be true or false", child);
        return child.booleanValue();
    }

    long whole(String key) throws DamageException {
        JsonNode child = get(key);
        check(child.isIntegralNumber() && child.canConvertToLong(), key, "must be a whole number of 64 bits", child);
        return child.longValue();
    }

    int integer(String key) throws DamageException {
        JsonNode child = get(key);
        return integer(child, key);
    }

    private int integer(JsonNode child, String name) throws DamageException {
        check(child.isIntegralNumber() && child.canConvertToInt(), name, "must be a whole number of 32 bits", child);
        return child.intValue();
    }

    double number(String key) throws DamageException {
        return number(get(key), key);
    }

    /** JSON knows no infinities: they are the texts "Infinity" and "-Infinity". */
    private double number(JsonNode child, String name) throws DamageException {
        if (child.isTextual()) {
            check(
                    child.textValue().matches("-?Infinity"),
                    name,
                    "must be a number, \"Infinity\" or \"-Infinity\"",
                    child);
            return Double.parseDouble(child.textValue());
        }
        check(child.isNumber(), name, "must be a number", child);
        return child.doubleValue();
    }

    int[] integers(String key) throws DamageException {
        JsonNode array = array(key);
        int[] values = new int[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = integer(array.get(i), key + "[" + i + "]");
        }
        return values;
    }

    long[] wholes(String key) throws DamageException {
        JsonNode array = array(key);
        long[] values = new long[array.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode child = array.get(i);
            check(
                    child.isIntegralNumber() && child.canConvertToLong(),
                    key + "[" + i + "]",
                    "must be a whole number of 64 bits",
                    child);
            values[i] = child.longValue();
        }
        return values;
    }

    /** Returns an array's numbers, or null where one number stands for all. */
    double @Nullable [] numbers(String key) throws DamageException {
        JsonNode array = get(key);
        if (!array.isArray()) {
            return null;
        }
        double[] values = new double[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = number(array.get(i), key + "[" + i + "]");
        }
        return values;
    }

    List<String> texts(String key) throws DamageException {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : array(key)) {
            check(element.isTextual(), key + "[" + texts.size() + "]", "must be a text", element);
            texts.add(element.textValue());
        }
        return texts;
    }

    /** Returns an object whose values are all texts. */
    Map<String, String> textMap(String key) throws DamageException {
        Json object = object(key);
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : object.keys()) {
            texts.put(name, object.text(name));
        }
        return texts;
    }

    private JsonNode array(String key) throws DamageException {
        JsonNode child = get(key);
        check(child.isArray(), key, "must be an array", child);
        return child;
    }

    private JsonNode get(String key) throws DamageException {
        JsonNode child = node.get(key);
        if (child == null) {
            throw new DamageException(prefix + key + " is missing");
        }
        return child;
    }

    private void check(boolean holds, String name, String rule, JsonNode value) throws DamageException {
        if (!holds) {
            throw new DamageException(prefix + name + " " + rule + ", but was " + shown(value));
        }
    }

    private static String shown(JsonNode value) {
        return value.isContainerNode() || value.isMissingNode()
                ? "of type " + value.getNodeType()
                : DamageException.quote(value.asText());
    }
}
