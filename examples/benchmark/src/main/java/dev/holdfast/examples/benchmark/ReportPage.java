package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results as a page of Markdown. */
final class ReportPage {
    private final BenchmarkReport report;
    private final @Nullable Summary peakFlops;

    ReportPage(BenchmarkReport report) {
        this.report = report;
        peakFlops = report.peakFlops();
    }

    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("# How fast Holdfast trains");
        lines.add("");
        lines.add("Written by `holdfast bench`.");
        lines.add("");
        report.machine().forEach((key, value) -> lines.add("- " + key + ": " + value));
        report.kernels().forEach((variant, kernel) -> lines.add("- " + variant + ": kernel " + kernel));
        if (peakFlops != null) {
            lines.add(Text.format(
                    "- peak of one core: %.1f GFLOP/s (%.1f to %.1f)",
                    peakFlops.median() / 1e9, peakFlops.min() / 1e9, peakFlops.max() / 1e9));
        }
        Effort effort = report.effort();
        lines.add("- measured: " + Text.count(effort.forks(), "JVM") + " for each number"
                + (effort.forks() == 1 ? "" : ", at times far apart")
                + Text.format("; in each at least %.1f s of warm-up, then ", effort.warmupSeconds())
                + Text.count(effort.runs(), "training run") + ", or " + Text.count(effort.samples(), "sample")
                + " of each batch size or cost of a step");
        lines.add("");
        lines.add(
                effort.forks() == 1
                        ? "Numbers are medians, and in brackets the lowest and the highest sample."
                        : "Numbers are medians of the JVMs' medians, and in brackets the lowest and the highest of these.");
        addSection(lines, "Goals", goalLines());
        addSection(lines, "Which is fastest", crossoverLines());
        for (Work work : Work.values()) {
            addSection(lines, work == Work.FORWARD ? "Forward" : "Update", callLines(work));
        }
        addSection(lines, "Workers", workerLines());
        addSection(lines, "Training", speedLines());
        addSection(lines, "Where the time goes", shareLines());
        addSection(lines, "Start and memory", startLines());
        return String.join("\n", lines) + "\n";
    }

    private static void addSection(List<String> lines, String title, List<String> section) {
        if (!section.isEmpty()) {
            lines.add("");
            lines.add("## " + title);
            lines.add("");
            lines.addAll(section);
        }
    }

    private List<String> goalLines() {
        if (report.goals().isEmpty()) {
            return List.of();
        }
        TextTable table = new TextTable("what", ">goal", ">measured", "");
        for (Goal goal : report.goals()) {
            table.row(
                    goal.what(),
                    (goal.atLeast() ? "at least " : "at most ") + Text.number(goal.target()),
                    Text.number(goal.measured()),
                    goal.reached() ? "reached" : "missed");
        }
        return table.lines();
    }

    private List<String> crossoverLines() {
        List<String> lines = new ArrayList<>();
        report.crossovers().forEach(line -> lines.add("- " + line));
        if (!lines.isEmpty()) {
            lines.addAll(
                    0,
                    List.of(
                            "By batch size, or by the microseconds that a step of an environment costs; \"from N on\" means N and"
                                    + " every larger size that was measured. There is no clear winner"
                                    + " where the range of another one overlaps with that of the fastest.",
                            ""));
        }
        return lines;
    }

    private List<String> callLines(Work work) {
        List<CallResult> results = report.calls(work);
        if (results.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                work == Work.FORWARD
                        ? "Microseconds for the outputs of policy and value function, by the number of rows. The acting policy is"
                                + " the Java code that acts in training and in applications, whatever the backend; it also samples"
                                + " the actions."
                        : "Microseconds for a gradient step, by the size of the mini-batch: forward, loss, backward, clipping of the"
                                + " gradient's norm, Adam.");
        lines.add("");
        lines.add("![Time by batch size](" + work + ".png)");
        lines.add("");
        TextTable table = new TextTable(Stream.concat(
                        Stream.of("net", ">threads", "variant"),
                        work.sizes().stream().map(size -> ">" + size))
                .toArray(String[]::new));
        for (CallResult result : results) {
            Call call = result.call();
            table.row(Stream.concat(
                            Stream.of(
                                    call.net().toString(),
                                    Integer.toString(call.threads()),
                                    call.variant().name()),
                            work.sizes().stream().map(size -> cell(result.summary(size))))
                    .toArray(String[]::new));
        }
        lines.addAll(table.lines());
        return lines;
    }

    private static String cell(Summary summary) {
        return Text.number(summary.median()) + " " + range(summary);
    }

    private static String range(Summary summary) {
        return "(" + Text.number(summary.min()) + " to " + Text.number(summary.max()) + ")";
    }

    private List<String> workerLines() {
        List<SteppingResult> results = report.steppings();
        if (results.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "Microseconds for a step of all environments, by what a step costs each of them: microseconds of computing. `process`"
                        + " has a worker for each environment, `thread` a thread for each processor.");
        lines.add("");
        lines.add("![Speed by cost of a step](workers.png)");
        lines.add("");
        lines.addAll(steppingTable(cost -> result -> cell(result.summary(cost))));
        lines.add("");
        lines.add("The same as steps per second of all environments together:");
        lines.add("");
        lines.addAll(steppingTable(cost -> result -> Text.number(result.stepsPerSecond(cost))));
        List<AgainstSync> workers = AgainstSync.of(VecEnv.PROCESS, results);
        if (!workers.isEmpty()) {
            lines.add("");
            lines.addAll(handOverLines(workers));
            lines.add("");
            lines.addAll(waitingLines(workers));
        }
        return lines;
    }

    private List<String> steppingTable(IntFunction<Function<SteppingResult, String>> cell) {
        TextTable table = new TextTable(Stream.concat(
                        Stream.of(">environments", "kind"),
                        Stepping.COSTS.stream().map(cost -> ">" + cost + " µs"))
                .toArray(String[]::new));
        for (SteppingResult result : report.steppings()) {
            table.row(Stream.concat(
                            Stream.of(
                                    Integer.toString(result.stepping().environments()),
                                    result.stepping().kind().toString()),
                            Stepping.COSTS.stream().map(cost -> cell.apply(cost).apply(result)))
                    .toArray(String[]::new));
        }
        return table.lines();
    }

    private static List<String> handOverLines(List<AgainstSync> workers) {
        TextTable table = new TextTable(">workers", ">hand-over, µs", ">faster from, µs", ">idle workers, %");
        for (AgainstSync each : workers) {
            OptionalDouble from = each.fasterFrom();
            table.row(
                    Integer.toString(each.environments()),
                    cell(each.handOver()),
                    from.isEmpty() ? "never" : Text.number(from.getAsDouble()),
                    Text.format("%.1f", 100 * each.result().idleShare()));
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "The hand-over is by how much `process` takes longer than `sync` where a step costs next to nothing. Then: from which cost"
                        + " of a step on `process` is faster than `sync`, where times between those that were measured lie on a straight"
                        + " line; and what all workers together use of a processor while nobody steps them.");
        lines.add("");
        lines.addAll(table.lines());
        return lines;
    }

    private static List<String> waitingLines(List<AgainstSync> workers) {
        TextTable table =
                new TextTable(">workers", ">a step, µs", ">of ideal, %", ">trainer, %", ">worker beside the step, µs");
        for (AgainstSync each : workers) {
            for (int cost : Stepping.COSTS) {
                table.row(
                        Integer.toString(each.environments()),
                        Integer.toString(cost),
                        cost == 0 ? "" : Text.format("%.1f", 100 * each.shareOfIdeal(cost)),
                        Text.format("%.1f", 100 * each.result().trainerShare(cost)),
                        Text.format("%.1f", each.besideStep(cost)));
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(Text.format(
                "How well `process` waits, on %s: its speed in percent of what the processors reach if they do nothing but steps; what"
                        + " the thread that steps uses of a processor; and what a worker computes at each step beside its"
                        + " environment.",
                Text.count(workers.get(0).processors(), "processor")));
        lines.add("");
        lines.addAll(table.lines());
        return lines;
    }

    private List<String> speedLines() {
        if (report.speed().isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "Environment steps per second of whole runs, from the configuration to the saved model; with worker processes,"
                        + " from when those are ready. The reference is"
                        + " Stable-Baselines3 2.8 (torch 2.13, one thread). \"Training alone\" is without evaluation, recovery points"
                        + " and TensorBoard files; \"defaults\" has them, as a user's run does.");
        lines.add("");
        lines.add("![Steps per second](training.png)");
        lines.add("");
        report.speed().stream()
                .map(result -> result.training().setting())
                .distinct()
                .forEach(setting -> lines.add("- `" + setting.name() + "`: " + setting.description()));
        lines.add("");
        TextTable table =
                new TextTable("setting", "configuration", "variant", ">threads", ">steps/s", ">range", ">x reference");
        for (SpeedResult result : report.speed()) {
            Training training = result.training();
            Summary steps = result.stepsPerSecond();
            table.row(
                    training.setting().name(),
                    training.configuration(),
                    training.variant().name(),
                    Integer.toString(training.threads()),
                    Text.number(steps.median()),
                    range(steps),
                    Text.format("%.1f", result.ratio()));
        }
        lines.addAll(table.lines());
        return lines;
    }

    private List<String> shareLines() {
        if (report.speed().isEmpty()) {
            return List.of();
        }
        List<String> header = new ArrayList<>(List.of("setting", "configuration", "variant", ">threads"));
        report.speed().get(0).shares().keySet().forEach(activity -> header.add(">" + activity));
        header.add(">update GFLOP/s");
        if (peakFlops != null) {
            header.add(">of peak");
        }
        TextTable table = new TextTable(header.toArray(String[]::new));
        for (SpeedResult result : report.speed()) {
            Training training = result.training();
            List<String> row = new ArrayList<>(List.of(
                    training.setting().name(),
                    training.configuration(),
                    training.variant().name(),
                    Integer.toString(training.threads())));
            result.shares().values().forEach(share -> row.add(Text.format("%.1f", 100 * share)));
            row.add(Text.format("%.1f", result.updateFlops() / 1e9));
            if (peakFlops != null) {
                row.add(Text.format("%.1f", 100 * result.updateFlops() / (training.threads() * peakFlops.median())));
            }
            table.row(row.toArray(String[]::new));
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "Shares of the time in percent; then the operations of the matrix products, per second of making gradient"
                        + " steps, and the same in percent of the peak of as many cores as there are threads.");
        lines.add("");
        lines.addAll(table.lines());
        return lines;
    }

    private List<String> startLines() {
        if (report.starts().isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(Text.format(
                "`holdfast train --env CartPole-v1 --timesteps %d`, from the start of the JVM. The first rollout counts when it"
                        + " has been collected, learned from and reported. A first start unpacks native libraries.",
                report.starts().get(0).timesteps()));
        lines.add("");
        lines.add("![Start and memory](start.png)");
        lines.add("");
        TextTable table = new TextTable("variant", "", ">first rollout, s", ">whole run, s", ">peak memory, MB");
        for (StartResult result : report.starts()) {
            Summary peak = result.peakMegabytes();
            table.row(
                    result.variant().name(),
                    result.configuration(),
                    cell(result.firstRolloutSeconds()),
                    cell(result.totalSeconds()),
                    peak == null ? "unknown" : cell(peak));
        }
        lines.addAll(table.lines());
        return lines;
    }
}
