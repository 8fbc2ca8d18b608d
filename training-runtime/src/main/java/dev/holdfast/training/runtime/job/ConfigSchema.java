package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.EnvironmentProvider.ConfigProfile;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.ConfigField.Kind;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.metrics.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be configured, as a form needs it: {@link Fields}, the environments and backends on the class path, and the metrics. */
public final class ConfigSchema {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigSchema.class);

    private ConfigSchema() {}

    /**
     * Describes it all. Asks every backend for its devices, which may load native libraries and take seconds.
     *
     * @return keys {@code fields groups presets metrics environments backends scenarios}
     */
    public static Map<String, Object> describe() {
        List<EnvironmentProvider> environments = Environments.all();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("fields", Fields.ALL.stream().map(ConfigSchema::field).toList());
        schema.put(
                "groups",
                Fields.ALL.stream()
                        .map(ConfigField::group)
                        .distinct()
                        .map(group -> Map.of("key", group))
                        .toList());
        schema.put("presets", presets(environments));
        schema.put("metrics", metrics());
        schema.put(
                "environments",
                environments.stream().map(ConfigSchema::environment).toList());
        schema.put(
                "backends", Backends.all().stream().map(ConfigSchema::backend).toList());
        schema.put("scenarios", DemoJobs.SCENARIOS);
        return schema;
    }

    private static Map<String, @Nullable Object> field(ConfigField<?> field) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("key", field.key());
        map.put("default", defaultOf(field));
        map.put("group", field.group());
        map.put("type", field.kind().name().toLowerCase(Locale.ROOT));
        map.put("range", field.range());
        map.put("low", field.low().orElse(null));
        map.put("high", field.high().orElse(null));
        map.put("choices", field.choices());
        map.put("help", field.help());
        map.put("flag", field.flag());
        return map;
    }

    private static <T> Object defaultOf(ConfigField<T> field) {
        return field.kind() == Kind.PAIRS ? Map.of() : value(field, field.format(field.defaultValue()));
    }

    /** A number or a truth value where the field has one. */
    private static Object value(ConfigField<?> field, String text) {
        return switch (field.kind()) {
            case INTEGER -> Long.valueOf(text.replace("_", ""));
            case NUMBER -> text.equals("none") ? text : (Object) Double.valueOf(text);
            case FLAG -> Boolean.valueOf(text);
            default -> text;
        };
    }

    /** Every environment with each of its profiles: what `--env NAME --config-profile PROFILE` trains. */
    private static List<Map<String, Object>> presets(List<EnvironmentProvider> environments) {
        List<Map<String, Object>> presets = new ArrayList<>();
        for (EnvironmentProvider environment : environments) {
            for (ConfigProfile profile : environment.configProfiles()) {
                Map<String, Object> config = new LinkedHashMap<>();
                config.put(Fields.ENV.key(), environment.name());
                config.put(Fields.CONFIG_PROFILE.key(), profile.name());
                new TreeMap<>(profile.settings())
                        .forEach((key, text) ->
                                config.put(key, value(Fields.named(key).orElseThrow(), text)));
                presets.add(Map.of("key", environment.name() + " " + profile.name(), "config", config));
            }
        }
        return presets;
    }

    private static List<Map<String, Object>> metrics() {
        List<Map<String, Object>> metrics = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("key", metric.shortKey());
            map.put("name", metric.key());
            map.put("group", metric.group());
            map.put("definition", metric.definition());
            metrics.add(map);
        }
        return metrics;
    }

    private static Map<String, Object> environment(EnvironmentProvider provider) {
        List<String> profiles = new ArrayList<>(
                provider.configProfiles().stream().map(ConfigProfile::name).toList());
        profiles.add("none");
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", provider.name());
        map.put("description", provider.description());
        map.put("problems", provider.problems().size());
        map.put("stages", provider.stages().size());
        map.put("config_profiles", profiles);
        map.put("reward_profiles", provider.rewardProfiles());
        map.put(
                "parameters",
                provider.parameters().stream().map(ConfigSchema::parameter).toList());
        return map;
    }

    private static Map<String, @Nullable Object> parameter(Parameter parameter) {
        boolean number = parameter.type() == Parameter.Type.INTEGER || parameter.type() == Parameter.Type.NUMBER;
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("name", parameter.name());
        map.put(
                "type",
                parameter.type() == Parameter.Type.BOOLEAN
                        ? "flag"
                        : parameter.type().name().toLowerCase(Locale.ROOT));
        map.put("default", parameter.defaultValue());
        map.put("range", number ? bound(parameter, parameter.low()) + " to " + bound(parameter, parameter.high()) : "");
        map.put("low", number ? parameter.low() : null);
        map.put("high", number ? parameter.high() : null);
        map.put("choices", parameter.choices());
        map.put("help", parameter.description());
        return map;
    }

    private static String bound(Parameter parameter, double bound) {
        return parameter.type() == Parameter.Type.INTEGER ? Long.toString((long) bound) : Double.toString(bound);
    }

    private static Map<String, @Nullable Object> backend(PpoBackend backend) {
        List<Device> devices = List.of();
        String reason = null;
        try {
            devices = backend.devices();
        } catch (HoldfastException | LinkageError e) {
            LOG.warn("backend {} can't say which devices it has", backend.name(), e);
            reason = String.valueOf(e.getMessage());
        }
        List<String> usable =
                devices.stream().filter(Device::usable).map(Device::name).toList();
        if (usable.isEmpty() && !devices.isEmpty()) {
            reason = devices.get(0).detail();
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("name", backend.name());
        map.put("description", backend.description());
        map.put("available", !usable.isEmpty());
        map.put("reason", reason);
        map.put("devices", usable);
        return map;
    }
}
