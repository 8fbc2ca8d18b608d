package dev.holdfast.examples.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down results: as a page with a chart for people, as JSON and CSV for programs.
 *
 * @param machine where they were measured
 * @param effort how much was measured
 * @param speed results in the order in which they are shown
 * @param peakFlops floating-point operations per second that one core can do; null if not measured
 * @param command start and memory; null if not measured
 */
record BenchmarkReport(
        Map<String, String> machine,
        BenchmarkRun.Effort effort,
        List<SpeedResult> speed,
        @Nullable Summary peakFlops,
        @Nullable CommandResult command) {
    private static final String STEM = "benchmark";
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(STEM + ".json"), json());
        Files.writeString(folder.resolve(STEM + ".csv"), csv());
        Files.writeString(folder.resolve(STEM + ".md"), markdown());
        if (!speed.isEmpty()) {
            SpeedChart.write(speed, folder.resolve(STEM + ".png"));
        }
    }

    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("# How fast Holdfast trains");
        lines.add("");
        lines.add("Written by `holdfast bench`.");
        lines.add("");
        machine.forEach((key, value) -> lines.add("- " + key + ": " + value));
        lines.add(
                "- measured: " + count(effort.forks(), "JVM") + " for each line, " + count(effort.warmups(), "warm-up")
                        + " and " + count(effort.repetitions(), "repetition") + " in each");
        if (peakFlops != null) {
            lines.add(format(
                    "- peak of one core: %.1f GFLOP/s (%.1f to %.1f)",
                    peakFlops.median() / 1e9, peakFlops.min() / 1e9, peakFlops.max() / 1e9));
        }
        if (!speed.isEmpty()) {
            lines.add("");
            lines.addAll(speedLines());
        }
        if (command != null) {
            lines.add("");
            lines.addAll(commandLines(command));
        }
        return String.join("\n", lines) + "\n";
    }

    private List<String> speedLines() {
        List<String> lines = new ArrayList<>();
        lines.add("## Speed");
        lines.add("");
        lines.add(
                "Environment steps per second of whole runs, from the configuration to the saved model: the median, and in"
                        + " brackets the slowest and the fastest repetition. The reference is Stable-Baselines3 2.8 (torch 2.13, one"
                        + " thread). \"Training alone\" is without evaluation, recovery points and TensorBoard files; \"defaults\" has"
                        + " them, as a user's run does.");
        lines.add("");
        lines.add("![Steps per second](" + STEM + ".png)");
        lines.add("");
        speed.stream()
                .map(result -> result.variant().setting())
                .distinct()
                .forEach(setting -> lines.add("- `" + setting.name() + "`: " + setting.description()));
        lines.add("");
        TextTable table = new TextTable(
                "setting", "configuration", "kernel", ">threads", ">steps/s", ">range", ">x reference", ">goal", "");
        for (SpeedResult result : speed) {
            Variant variant = result.variant();
            Summary steps = result.stepsPerSecond();
            table.row(
                    variant.setting().name(),
                    variant.configuration(),
                    result.kernel(),
                    Integer.toString(variant.threads()),
                    format("%,.0f", steps.median()),
                    format("(%,.0f to %,.0f)", steps.min(), steps.max()),
                    format("%.1f", result.ratio()),
                    format("%.1f", variant.goal()),
                    result.reached() ? "reached" : "missed");
        }
        lines.addAll(table.lines());
        lines.add("");
        lines.add("## Where the time goes");
        lines.add("");
        lines.add(
                "Shares of the time in percent; then the operations of the matrix products, per second of making gradient"
                        + " steps, and the same in percent of the peak of as many cores as there are threads.");
        lines.add("");
        lines.addAll(shareTable().lines());
        return lines;
    }

    private TextTable shareTable() {
        List<String> header = new ArrayList<>(List.of("setting", "configuration", "kernel", ">threads"));
        speed.get(0).shares().keySet().forEach(activity -> header.add(">" + activity));
        header.add(">update GFLOP/s");
        if (peakFlops != null) {
            header.add(">of peak");
        }
        TextTable table = new TextTable(header.toArray(String[]::new));
        for (SpeedResult result : speed) {
            Variant variant = result.variant();
            List<String> row = new ArrayList<>(List.of(
                    variant.setting().name(),
                    variant.configuration(),
                    result.kernel(),
                    Integer.toString(variant.threads())));
            result.shares().values().forEach(share -> row.add(format("%.1f", 100 * share)));
            row.add(format("%.1f", result.updateFlops() / 1e9));
            if (peakFlops != null) {
                row.add(format("%.1f", 100 * result.updateFlops() / (variant.threads() * peakFlops.median())));
            }
            table.row(row.toArray(String[]::new));
        }
        return table;
    }

    private static List<String> commandLines(CommandResult command) {
        List<String> lines = new ArrayList<>();
        lines.add("## Start and memory");
        lines.add("");
        lines.add(format(
                "`holdfast train --env CartPole-v1 --timesteps %d`, from the start of the JVM. The first rollout counts when it"
                        + " has been collected, learned from and reported.",
                command.timesteps()));
        lines.add("");
        TextTable table = new TextTable("", ">median", ">range", ">goal", "");
        summaryRow(
                table,
                "first rollout, s",
                "%.2f",
                command.firstRolloutSeconds(),
                CommandResult.GOAL_FIRST_ROLLOUT_SECONDS);
        summaryRow(table, "whole run, s", "%.2f", command.totalSeconds(), null);
        Summary peak = command.peakMegabytes();
        if (peak != null) {
            summaryRow(table, "peak memory, MB", "%.0f", peak, CommandResult.GOAL_PEAK_MEGABYTES);
        }
        lines.addAll(table.lines());
        return lines;
    }

    private static void summaryRow(
            TextTable table, String name, String format, Summary summary, @Nullable Double goal) {
        table.row(
                name,
                format(format, summary.median()),
                "(" + format(format, summary.min()) + " to " + format(format, summary.max()) + ")",
                goal == null ? "" : "below " + format(format, goal),
                goal == null ? "" : summary.median() < goal ? "reached" : "missed");
    }

    String csv() {
        List<String> lines = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of(
                "setting",
                "configuration",
                "kernel",
                "threads",
                "timesteps",
                "samples",
                "steps_per_second_median",
                "steps_per_second_min",
                "steps_per_second_max",
                "reference_steps_per_second",
                "ratio",
                "goal_ratio",
                "update_gflops"));
        if (!speed.isEmpty()) {
            speed.get(0).shares().keySet().forEach(activity -> header.add("share_" + activity));
        }
        lines.add(String.join(",", header));
        for (SpeedResult result : speed) {
            Variant variant = result.variant();
            Summary steps = result.stepsPerSecond();
            List<String> row = new ArrayList<>(List.of(
                    variant.setting().name(),
                    variant.configuration(),
                    result.kernel(),
                    Integer.toString(variant.threads()),
                    Long.toString(result.timesteps()),
                    Integer.toString(result.samples().size()),
                    format("%.1f", steps.median()),
                    format("%.1f", steps.min()),
                    format("%.1f", steps.max()),
                    format("%.0f", variant.setting().reference()),
                    format("%.3f", result.ratio()),
                    format("%.1f", variant.goal()),
                    format("%.3f", result.updateFlops() / 1e9)));
            result.shares().values().forEach(share -> row.add(format("%.5f", share)));
            lines.add(String.join(",", row));
        }
        return String.join("\n", lines) + "\n";
    }

    String json() throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.set("machine", JSON.valueToTree(machine));
        root.set("effort", JSON.valueToTree(effort));
        root.set("peak_flops_of_one_core", JSON.valueToTree(peakFlops));
        ArrayNode results = root.putArray("speed");
        for (SpeedResult result : speed) {
            Variant variant = result.variant();
            ObjectNode node = results.addObject();
            node.put("setting", variant.setting().name());
            node.put("configuration", variant.configuration());
            node.put("kernel", result.kernel());
            node.put("timesteps", result.timesteps());
            node.set("config", JSON.valueToTree(variant.config(effort.divisor())));
            node.set("steps_per_second", JSON.valueToTree(result.stepsPerSecond()));
            node.set("samples", JSON.valueToTree(result.samples()));
            node.put("reference_steps_per_second", variant.setting().reference());
            node.put("ratio", result.ratio());
            node.put("goal_ratio", variant.goal());
            node.put("reached", result.reached());
            node.set("shares", JSON.valueToTree(result.shares()));
            node.put("update_gflops", result.updateFlops() / 1e9);
        }
        if (command != null) {
            ObjectNode node = root.putObject("command");
            node.put("timesteps", command.timesteps());
            node.set("first_rollout_s", JSON.valueToTree(command.firstRolloutSeconds()));
            node.set("total_s", JSON.valueToTree(command.totalSeconds()));
            node.set("peak_mb", JSON.valueToTree(command.peakMegabytes()));
        }
        return JSON.writeValueAsString(root) + "\n";
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
