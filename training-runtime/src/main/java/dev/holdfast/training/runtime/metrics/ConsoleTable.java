package dev.holdfast.training.runtime.metrics;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The table of Stable-Baselines3's {@code HumanOutputFormat}: a headline for each group, keys indented by three, numbers padded
 * to eight characters unless whole, columns as wide as their widest entry.
 *
 * <p>That one also cuts keys and values at 36 characters; none of the catalogue is as long.
 */
final class ConsoleTable implements MetricSink {
    private final PrintStream out;

    ConsoleTable(PrintStream out) {
        this.out = out;
    }

    @Override
    public void record(MetricRecord record) {
        Map<String, String> rows = new LinkedHashMap<>();
        record.values().forEach((metric, value) -> {
            if (metric != Metric.START_TIMESTEPS) {
                rows.putIfAbsent(metric.group() + "/", "");
                rows.put("   " + metric.shortKey(), text(metric, value));
            }
        });
        int keyWidth = width(rows.keySet());
        int valueWidth = width(rows.values());
        String line = "-".repeat(keyWidth + valueWidth + 7) + "\n";
        StringBuilder table = new StringBuilder(line);
        rows.forEach((key, value) -> table.append("| ")
                .append(pad(key, keyWidth))
                .append(" | ")
                .append(pad(value, valueWidth))
                .append(" |\n"));
        // one call, so that what other threads print can't fall between the lines
        out.print(table.append(line));
        out.flush();
    }

    private static String text(Metric metric, double value) {
        return metric.integer() ? NumberText.exact(metric, value) : pad(NumberText.threeDigits(value), 8);
    }

    private static int width(Iterable<String> texts) {
        int width = 0;
        for (String text : texts) {
            width = Math.max(width, text.length());
        }
        return width;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
