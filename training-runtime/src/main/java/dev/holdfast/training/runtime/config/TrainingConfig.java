package dev.holdfast.training.runtime.config;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.space.Space;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a run: a value for each of {@link Fields}, given or by default. Immutable.
 *
 * <pre>{@code
 * TrainingConfig config = TrainingConfig.builder()
 *         .set(Fields.TIMESTEPS, 50_000L)
 *         .set(Fields.LEARNING_RATE, Schedule.linear(1e-3))
 *         .set(Fields.MODEL, Optional.of(Path.of("runs/lift/lift.zip")))
 *         .build();
 * }</pre>
 */
public final class TrainingConfig {
    private final Map<ConfigField<?>, Object> given;

    private TrainingConfig(Map<ConfigField<?>, Object> given) {
        this.given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
    }

    /**
     * Returns a builder in which every field has its default.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the value of a field.
     *
     * @param field the field
     * @param <T> its type
     * @return the given value, or the default
     */
    @SuppressWarnings("unchecked") // the builder puts a T under a ConfigField<T>
    public <T> T get(ConfigField<T> field) {
        Object value = given.get(field);
        return value == null ? field.defaultValue() : (T) value;
    }

    /**
     * Returns whether a field's value was given.
     *
     * @param field the field
     * @return false if its default holds
     */
    public boolean isGiven(ConfigField<?> field) {
        return given.containsKey(field);
    }

    /**
     * Returns a builder that starts from this configuration.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.values.putAll(given);
        return builder;
    }

    /**
     * Returns this configuration with values for the fields that were not given.
     *
     * @param settings keys with their values as text
     * @return a new configuration; its fields count as given
     * @throws InvalidConfigurationException if a key or value is not allowed
     */
    public TrainingConfig withDefaults(Map<String, String> settings) {
        Builder builder = new Builder();
        settings.forEach(builder::text);
        builder.values.putAll(given);
        return builder.build();
    }

    /**
     * Returns every field with its value as text.
     *
     * @return keys in the order of {@link Fields#ALL}
     */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        Fields.ALL.forEach(field -> map.put(field.key(), text(field)));
        return map;
    }

    /**
     * Returns a field's value as text.
     *
     * @param field the field
     * @param <T> its type
     * @return the text
     */
    public <T> String text(ConfigField<T> field) {
        return field.format(get(field));
    }

    /**
     * Returns the hyperparameters.
     *
     * @return validated
     * @throws InvalidConfigurationException if one is not allowed
     */
    public PpoHyperparameters hyperparameters() {
        return new PpoHyperparameters(
                get(Fields.ROLLOUT_STEPS),
                get(Fields.BATCH_SIZE),
                get(Fields.N_EPOCHS),
                get(Fields.GAMMA),
                get(Fields.GAE_LAMBDA),
                get(Fields.LEARNING_RATE),
                get(Fields.CLIP_RANGE),
                get(Fields.CLIP_RANGE_VF).orElse(null),
                get(Fields.ENT_COEF),
                get(Fields.VF_COEF),
                get(Fields.MAX_GRAD_NORM),
                get(Fields.NORMALIZE_ADVANTAGE),
                get(Fields.TARGET_KL).orElse(null));
    }

    /**
     * Returns the network for given spaces.
     *
     * @param observations what it reads
     * @param actions what it chooses
     * @param masked whether actions are masked
     * @return validated
     * @throws InvalidConfigurationException if a width is not allowed
     */
    public NetworkSpec network(Space observations, Space actions, boolean masked) {
        List<Integer> policy = get(Fields.NET_ARCH);
        return new NetworkSpec(
                observations,
                actions,
                masked,
                get(Fields.NET_ARCH_SHARED),
                policy,
                get(Fields.NET_ARCH_VF).orElse(policy),
                get(Fields.ACTIVATION).equals("relu") ? Activation.RELU : Activation.TANH,
                get(Fields.ORTHO_INIT),
                get(Fields.LOG_STD_INIT));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TrainingConfig config && toMap().equals(config.toMap());
    }

    @Override
    public int hashCode() {
        return toMap().hashCode();
    }

    @Override
    public String toString() {
        return toMap().toString();
    }

    /** Collects values; each is checked when it is set, all together by {@link #build}. */
    public static final class Builder {
        private final Map<ConfigField<?>, Object> values = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Sets a field.
         *
         * @param field the field
         * @param value its value
         * @param <T> its type
         * @return this
         * @throws InvalidConfigurationException if the value is not allowed
         */
        public <T> Builder set(ConfigField<T> field, T value) {
            String text = field.format(value);
            if (!text.equals("custom")) {
                // A schedule written in Java has no text; everything else is checked by reading its own text back.
                if (field.kind() != ConfigField.Kind.PATH || !text.isEmpty()) {
                    values.put(field, Objects.requireNonNull(field.parse(text)));
                    return this;
                }
            }
            values.put(field, Objects.requireNonNull(value));
            return this;
        }

        /**
         * Sets a field from text, as in {@code config.json}.
         *
         * @param key the field's key
         * @param value its value
         * @return this
         * @throws InvalidConfigurationException if there is no such field or the value is not allowed
         */
        public Builder text(String key, String value) {
            ConfigField<?> field = Fields.named(key)
                    .orElseThrow(
                            () -> new InvalidConfigurationException("there is no configuration field '" + key + "'"));
            values.put(field, Objects.requireNonNull(field.parse(value)));
            return this;
        }

        /**
         * Checks the values together.
         *
         * @return the configuration
         * @throws InvalidConfigurationException if two fields contradict each other; the message names both
         */
        public TrainingConfig build() {
            TrainingConfig config = new TrainingConfig(values);
            if (config.get(Fields.RESUME) && config.get(Fields.FORCE)) {
                throw new InvalidConfigurationException(
                        "resume and force exclude each other: resume goes on with the run at"
                                + " --model, force replaces it; give one of them");
            }
            if (config.get(Fields.RESUME) && config.get(Fields.INIT).isPresent()) {
                throw new InvalidConfigurationException(
                        "resume and init exclude each other: resume goes on with a run, init"
                                + " starts a new one from a model's weights; give one of them");
            }
            return config;
        }
    }
}
