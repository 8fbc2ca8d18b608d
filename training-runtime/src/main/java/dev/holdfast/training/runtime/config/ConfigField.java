package dev.holdfast.training.runtime.config;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.ppo.Schedule;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One field of a run's configuration: the single declaration behind its flag, its entry in {@code config.json}, its validation
 * and its help.
 *
 * @param <T> the type of its value
 */
public final class ConfigField<T> {
    /** The kinds of values, for help texts and forms. */
    public enum Kind {
        /** A whole number. */
        INTEGER,
        /** A number. */
        NUMBER,
        /** A switch. */
        FLAG,
        /** One of a list of texts. */
        CHOICE,
        /** A number, or a function of the remaining progress. */
        SCHEDULE,
        /** A file. */
        PATH,
        /** Comma-separated whole numbers. */
        LAYERS,
        /** {@code name=value} pairs. */
        PAIRS,
        /** Any text. */
        TEXT
    }

    /** What a resumed run does with a value that is given anew. */
    public enum OnResume {
        /** The new value holds: it doesn't change what is learned from what was collected. Without one, the earlier one does. */
        NEW_VALUE_HOLDS,
        /** The new value holds, or the default: the field is about this one call, not about the run. */
        NEVER_KEPT,
        /** The checkpoint's value holds, and a differing new one is reported and ignored. */
        CHECKPOINT_HOLDS,
        /** A differing new value is an error. */
        MUST_BE_SAME
    }

    private final String key;
    private final String group;
    private final Kind kind;
    private final T defaultValue;
    private final Function<String, T> parser;
    private final Function<T, String> formatter;
    private final String range;
    private final List<String> choices;
    private final OnResume onResume;
    private final String help;
    private final @Nullable Number low;
    private final @Nullable Number high;

    private ConfigField(
            String key,
            String group,
            Kind kind,
            T defaultValue,
            Function<String, T> parser,
            Function<T, String> formatter,
            String range,
            List<String> choices,
            OnResume onResume,
            String help) {
        this(key, group, kind, defaultValue, parser, formatter, range, choices, onResume, help, null, null);
    }

    private ConfigField(
            String key,
            String group,
            Kind kind,
            T defaultValue,
            Function<String, T> parser,
            Function<T, String> formatter,
            String range,
            List<String> choices,
            OnResume onResume,
            String help,
            @Nullable Number low,
            @Nullable Number high) {
        this.key = key;
        this.group = group;
        this.kind = kind;
        this.defaultValue = defaultValue;
        this.parser = parser;
        this.formatter = formatter;
        this.range = range;
        this.choices = choices;
        this.onResume = onResume;
        this.help = help;
        this.low = low;
        this.high = high;
    }

    private static @Nullable Long unlessExtreme(long bound) {
        return bound == Long.MIN_VALUE || bound == Long.MAX_VALUE ? null : Long.valueOf(bound);
    }

    private static @Nullable Double unlessInfinite(double bound) {
        return Double.isInfinite(bound) ? null : Double.valueOf(bound);
    }

    static ConfigField<Long> wholeNumber(
            String key, String group, long defaultValue, long low, long high, OnResume onResume, String help) {
        String rule = high == Long.MAX_VALUE
                ? "must be a whole number of at least " + low
                : "must be a whole number in [" + low + ", " + high + "]";
        return new ConfigField<>(
                key,
                group,
                Kind.INTEGER,
                defaultValue,
                text -> {
                    try {
                        long value = Long.parseLong(text.strip().replace("_", ""));
                        Require.that(value >= low && value <= high, key, rule, value);
                        return value;
                    } catch (NumberFormatException e) {
                        throw invalid(key, rule, text);
                    }
                },
                value -> Long.toString(value),
                low == Long.MIN_VALUE ? "" : high == Long.MAX_VALUE ? "at least " + low : low + " to " + high,
                List.of(),
                onResume,
                help,
                unlessExtreme(low),
                unlessExtreme(high));
    }

    static ConfigField<Integer> integer(
            String key, String group, int defaultValue, int low, int high, OnResume onResume, String help) {
        ConfigField<Long> wide = wholeNumber(
                key, group, defaultValue, low, high == Integer.MAX_VALUE ? Long.MAX_VALUE : high, onResume, help);
        return new ConfigField<>(
                key,
                group,
                Kind.INTEGER,
                defaultValue,
                text -> {
                    long value = wide.parser.apply(text);
                    Require.that(value <= Integer.MAX_VALUE, key, "must be at most " + Integer.MAX_VALUE, value);
                    return (int) value;
                },
                value -> Integer.toString(value),
                wide.range,
                List.of(),
                onResume,
                help,
                low,
                high);
    }

    static ConfigField<Double> number(
            String key, String group, double defaultValue, double low, double high, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.NUMBER,
                defaultValue,
                text -> Require.inRange(parseDouble(key, text), low, high, key),
                value -> Double.toString(value),
                Double.isInfinite(high) ? "at least " + low : low + " to " + high,
                List.of(),
                onResume,
                help,
                low,
                unlessInfinite(high));
    }

    static ConfigField<Optional<Double>> optionalNumber(
            String key, String group, double low, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.NUMBER,
                Optional.empty(),
                text -> text.strip().equals("none")
                        ? Optional.empty()
                        : Optional.of(Require.inRange(parseDouble(key, text), low, Double.POSITIVE_INFINITY, key)),
                value -> value.map(Object::toString).orElse("none"),
                "none, or at least " + low,
                List.of(),
                onResume,
                help);
    }

    static ConfigField<Boolean> flag(String key, String group, boolean defaultValue, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.FLAG,
                defaultValue,
                text -> switch (text.strip()) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw invalid(key, "must be true or false", text);
                },
                value -> Boolean.toString(value),
                "true or false",
                List.of("true", "false"),
                onResume,
                help);
    }

    /** A choice; {@code choices} maps every accepted text to the one that is kept. */
    static ConfigField<String> choice(
            String key, String group, Map<String, String> choices, OnResume onResume, String help) {
        List<String> accepted = List.copyOf(choices.keySet());
        return new ConfigField<>(
                key,
                group,
                Kind.CHOICE,
                accepted.get(0),
                text -> {
                    String chosen = choices.get(text.strip().toLowerCase(Locale.ROOT));
                    if (chosen == null) {
                        throw invalid(key, "must be one of " + accepted, text);
                    }
                    return chosen;
                },
                value -> value,
                String.join(", ", accepted),
                accepted,
                onResume,
                help);
    }

    static ConfigField<String> text(String key, String group, String defaultValue, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.TEXT,
                defaultValue,
                text -> checkedText(key, text),
                value -> value,
                "",
                List.of(),
                onResume,
                help);
    }

    static ConfigField<Schedule> schedule(
            String key, String group, Schedule defaultValue, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.SCHEDULE,
                defaultValue,
                text -> Schedule.parse(text, key),
                Schedule::text,
                "a number, linear(start) or linear(start,end)",
                List.of(),
                onResume,
                help);
    }

    static ConfigField<Optional<Schedule>> optionalSchedule(String key, String group, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.SCHEDULE,
                Optional.empty(),
                text -> text.strip().equals("none") ? Optional.empty() : Optional.of(Schedule.parse(text, key)),
                value -> value.map(Schedule::text).orElse("none"),
                "none, a number, linear(start) or linear(start,end)",
                List.of(),
                onResume,
                help);
    }

    static ConfigField<Optional<Path>> path(String key, String group, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.PATH,
                Optional.empty(),
                text -> {
                    if (text.isBlank()) {
                        throw invalid(key, "must not be empty", text);
                    }
                    try {
                        return Optional.of(
                                Path.of(checkedText(key, text)).toAbsolutePath().normalize());
                    } catch (InvalidPathException e) {
                        throw invalid(key, "must be a path", text);
                    }
                },
                value -> value.map(Path::toString).orElse(""),
                "",
                List.of(),
                onResume,
                help);
    }

    static ConfigField<List<Integer>> layers(
            String key, String group, List<Integer> defaultValue, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.LAYERS,
                defaultValue,
                text -> {
                    if (text.strip().equals("none")) {
                        return List.of();
                    }
                    try {
                        return Arrays.stream(text.split(",", -1))
                                .map(width -> Require.atLeast(Integer.parseInt(width.strip()), 1, key))
                                .toList();
                    } catch (NumberFormatException e) {
                        throw invalid(key, "must be comma-separated whole numbers or none", text);
                    }
                },
                value -> value.isEmpty()
                        ? "none"
                        : String.join(",", value.stream().map(Object::toString).toList()),
                "comma-separated widths, or none",
                List.of(),
                onResume,
                help);
    }

    /** Layers that may be the same as another field's. */
    static ConfigField<Optional<List<Integer>>> optionalLayers(
            String key, String group, OnResume onResume, String help) {
        ConfigField<List<Integer>> layers = layers(key, group, List.of(), onResume, help);
        return new ConfigField<>(
                key,
                group,
                Kind.LAYERS,
                Optional.empty(),
                text -> text.strip().equals("same") ? Optional.empty() : Optional.of(layers.parse(text)),
                value -> value.map(layers::format).orElse("same"),
                "same, or " + layers.range,
                List.of(),
                onResume,
                help);
    }

    static ConfigField<Map<String, String>> pairs(String key, String group, OnResume onResume, String help) {
        return new ConfigField<>(
                key,
                group,
                Kind.PAIRS,
                Map.of(),
                text -> {
                    Map<String, String> pairs = new LinkedHashMap<>();
                    for (String pair : text.isEmpty() ? new String[0] : text.split("\n", -1)) {
                        int equals = pair.indexOf('=');
                        if (equals < 1) {
                            throw invalid(key, "must be name=value", pair);
                        }
                        pairs.put(pair.substring(0, equals).strip(), checkedText(key, pair.substring(equals + 1)));
                    }
                    return Map.copyOf(pairs);
                },
                value -> String.join(
                        "\n",
                        value.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .toList()),
                "name=value",
                List.of(),
                onResume,
                help);
    }

    private static double parseDouble(String key, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw invalid(key, "must be a number", text);
        }
    }

    private static String checkedText(String key, String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw invalid(key, "must not contain control characters", text.replaceAll("\\p{Cntrl}", "?"));
        }
        return text;
    }

    private static InvalidConfigurationException invalid(String key, String rule, String text) {
        return new InvalidConfigurationException(key + " " + rule + ", but was '" + text + "'");
    }

    /**
     * Returns the field's name in files; its flag is the same with dashes.
     *
     * @return for example {@code n_epochs}
     */
    public String key() {
        return key;
    }

    /**
     * Returns the field's flag on the command line.
     *
     * @return for example {@code --n-epochs}
     */
    public String flag() {
        return "--" + key.replace('_', '-');
    }

    /**
     * Returns the group that the field is shown in.
     *
     * @return for example {@code run}
     */
    public String group() {
        return group;
    }

    /**
     * Returns what kind of value the field has.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the value that holds where none is given.
     *
     * @return the default
     */
    public T defaultValue() {
        return defaultValue;
    }

    /**
     * Returns the allowed values in words.
     *
     * @return empty if any text is allowed
     */
    public String range() {
        return range;
    }

    /**
     * Returns the smallest allowed number.
     *
     * @return empty if the field is no plain number or there is no such bound
     */
    public Optional<Number> low() {
        return Optional.ofNullable(low);
    }

    /**
     * Returns the largest allowed number.
     *
     * @return empty if the field is no plain number or there is no such bound
     */
    public Optional<Number> high() {
        return Optional.ofNullable(high);
    }

    /**
     * Returns the texts that a choice accepts.
     *
     * @return empty if the field is no choice
     */
    public List<String> choices() {
        return choices;
    }

    /**
     * Returns what a resumed run does with a new value.
     *
     * @return which value holds
     */
    public OnResume onResume() {
        return onResume;
    }

    /**
     * Returns what the field means.
     *
     * @return a sentence
     */
    public String help() {
        return help;
    }

    /**
     * Reads a value.
     *
     * @param text the value as text
     * @return the value
     * @throws InvalidConfigurationException if it is not allowed; the message states rule, name and value
     */
    public T parse(String text) {
        return parser.apply(text);
    }

    /**
     * Writes a value so that {@link #parse} reads it back.
     *
     * @param value the value
     * @return the value as text
     */
    public String format(T value) {
        return formatter.apply(value);
    }

    @Override
    public String toString() {
        return key;
    }
}
