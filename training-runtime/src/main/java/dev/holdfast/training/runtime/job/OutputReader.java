package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.json.JsonText;
import dev.holdfast.training.runtime.metrics.Metric;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Understands what a trainer prints: JSON objects, also behind other text on their line, and the tables of Stable-Baselines3, with or
 * without their separator lines. All that is said of one step count becomes one point.
 */
final class OutputReader {
    private static final Pattern ROW = Pattern.compile("\\s*\\|\\s*(\\S+)\\s*\\|\\s*(\\S*)\\s*\\|\\s*");
    private static final Pattern SEPARATOR = Pattern.compile("\\s*-{5,}\\s*");
    /** More opening braces than that before the object: the line holds none. */
    private static final int ATTEMPTS = 4;

    private static final String EVENT = "event";
    private static final String PROGRESS = "progress";

    private final Listener listener;
    /** Of the table that is being read: the values by key, and the headlines that were seen. */
    private final Map<String, Double> table = new LinkedHashMap<>();

    private final Set<String> seen = new HashSet<>();

    /** A table that was cut before it said its step count. */
    private @Nullable Map<String, Double> cut;

    /** The newest point, of which the next lines may tell more. */
    private @Nullable Map<String, Double> held;

    private long lastTimesteps;

    /** Hears what was understood. */
    interface Listener {
        /** A new point. Its step count is not less than that of the one before. */
        void point(long timesteps, Map<String, Double> values);

        /** More about the point before. */
        void more(Map<String, Double> values);

        /** Something else that the trainer told. */
        void event(String event, Map<String, ?> details);
    }

    /** @param lastTimesteps the step count of the last point that is there already; -1 for none */
    OutputReader(Listener listener, long lastTimesteps) {
        this.listener = listener;
        this.lastTimesteps = lastTimesteps;
    }

    /** Takes a line without its end. */
    void line(String line) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
            row(row.group(1), row.group(2));
            return;
        }
        // A separator, or any other line: the table has ended.
        endTable();
        if (!SEPARATOR.matcher(line).matches()) {
            json(line);
        }
    }

    /** Says that the trainer is silent for the moment: a table that is complete is one now, though no line has ended it. */
    void idle() {
        if (table.containsKey(MetricSeries.TIMESTEPS)) {
            endTable();
        }
        giveHeld();
    }

    /** Says that nothing more will come. */
    void end() {
        endTable();
        giveHeld();
        if (cut != null && lastTimesteps >= 0) {
            listener.point(lastTimesteps, cut);
        }
        cut = null;
    }

    private void row(String key, String value) {
        // Tables without separator lines follow each other: what comes a second time begins the next one.
        if (!seen.add(key)) {
            endTable();
            seen.add(key);
        }
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                table.put(name(key), number);
            }
        } catch (NumberFormatException e) {
            // A headline, or a text.
        }
    }

    private static String name(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        return name.equals(Metric.TOTAL_TIMESTEPS.shortKey()) ? MetricSeries.TIMESTEPS : name;
    }

    private void endTable() {
        if (table.isEmpty()) {
            seen.clear();
            return;
        }
        Map<String, Double> values = new HashMap<>(table);
        table.clear();
        seen.clear();
        Double timesteps = values.remove(MetricSeries.TIMESTEPS);
        if (timesteps == null) {
            cut = values;
        } else {
            point(timesteps.longValue(), values);
        }
    }

    private void point(long timesteps, Map<String, Double> values) {
        cut = null;
        if (timesteps > lastTimesteps) {
            giveHeld();
            held = values;
            lastTimesteps = timesteps;
        } else if (timesteps == lastTimesteps && held != null) {
            values.forEach(held::putIfAbsent);
        } else if (timesteps == lastTimesteps) {
            listener.more(values);
        }
    }

    private void giveHeld() {
        if (held != null) {
            listener.point(lastTimesteps, held);
            held = null;
        }
    }

    private void json(String line) {
        int from = line.indexOf('{');
        if (from < 0 || !line.stripTrailing().endsWith("}")) {
            return;
        }
        for (int attempt = 0; attempt < ATTEMPTS && from >= 0; attempt++) {
            Optional<Map<String, @Nullable Object>> object = JsonText.object(line.substring(from));
            if (object.isPresent()) {
                object(object.get());
                return;
            }
            from = line.indexOf('{', from + 1);
        }
    }

    private void object(Map<String, @Nullable Object> object) {
        if (!(object.get(EVENT) instanceof String event)) {
            return;
        } else if (!event.equals(PROGRESS)) {
            listener.event(event, object);
            return;
        }
        Map<String, Double> values = new HashMap<>();
        object.forEach((key, value) -> {
            if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
                values.put(key, number.doubleValue());
            }
        });
        Double timesteps = values.remove(MetricSeries.TIMESTEPS);
        if (timesteps != null) {
            point(timesteps.longValue(), values);
        }
    }
}
