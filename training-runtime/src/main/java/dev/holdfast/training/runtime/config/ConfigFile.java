package dev.holdfast.training.runtime.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@code config.json}: everything needed to run it again, a text for each field. */
public final class ConfigFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int MAX_BYTES = 1 << 20;

    private ConfigFile() {}

    /**
     * Returns the content of the file for a configuration.
     *
     * @param config the configuration
     * @return JSON
     */
    public static String toJson(TrainingConfig config) {
        try {
            return JSON.writeValueAsString(config.toMap()) + "\n";
        } catch (JsonProcessingException e) {
            throw new HoldfastException("the configuration can't be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Returns the name of the model that a file is about.
     *
     * @param config what {@link #read} returned
     * @return the name without directories; empty if there is none
     * @throws InvalidConfigurationException if it isn't a path
     */
    public static Optional<String> modelName(Map<String, String> config) {
        String model = config.getOrDefault(Fields.MODEL.key(), "");
        return model.isEmpty()
                ? Optional.empty()
                : Fields.MODEL.parse(model).map(Path::getFileName).map(Path::toString);
    }

    /**
     * Reads a file.
     *
     * @param file need not exist
     * @return keys with their values as text; empty if there is no file
     * @throws InvalidConfigurationException if it is there but holds something else
     */
    public static Map<String, String> read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new InvalidConfigurationException(
                        file + " must be at most " + MAX_BYTES + " bytes, but was " + Files.size(file));
            }
            JsonNode node = JSON.readTree(Files.readAllBytes(file));
            if (!node.isObject()) {
                throw new InvalidConfigurationException(
                        file + " must hold a JSON object, but holds " + node.getNodeType());
            }
            Map<String, String> values = new LinkedHashMap<>();
            node.properties()
                    .forEach(
                            field -> values.put(field.getKey(), field.getValue().asText()));
            return values;
        } catch (NoSuchFileException e) {
            return Map.of();
        } catch (JsonProcessingException e) {
            throw new InvalidConfigurationException(file + " must hold JSON, but: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new HoldfastException(file + " can't be read: " + e, e);
        }
    }
}
