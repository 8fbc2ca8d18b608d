package dev.holdfast.examples.environments;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** What Gymnasium computed. */
final class Golden {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private Golden() {}

    static JsonNode read(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Golden.class.getResourceAsStream("/golden/" + name + ".json"))) {
            return JSON.readTree(in);
        }
    }
}
