package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.benchmark.jobshop.Training.General;
import dev.holdfast.examples.benchmark.jobshop.Training.Point;
import dev.holdfast.examples.environments.jobshop.JobShopEnvironment;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.examples.environments.jobshop.Schedule;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the table found out.
 *
 * @param known the public instances with a known upper bound
 * @param generals the general policies
 * @param random random instances by their number of jobs, which is that of their machines
 * @param example a schedule of the first tuned instance
 * @param minutes how long it took
 */
record Report(
        Effort effort,
        Results results,
        List<JobShopInstance> known,
        List<General> generals,
        Map<Integer, List<JobShopInstance>> random,
        Schedule example,
        double minutes) {
    /** Zhang et al., Learning to dispatch for job shop scheduling via deep reinforcement learning, 2020. */
    private static final Map<Integer, Double> L2D = Map.of(6, 17.7, 10, 22.3, 15, 26.7);

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("makespans.csv"), makespans());
        Files.write(folder.resolve("learning.csv"), learning());
        Files.write(folder.resolve("README.md"), page());
        Charts.write(this, folder);
        GanttChart gantt = new GanttChart(GanttChart.title(effort.tuned().get(0), example), example);
        gantt.write(folder.resolve("gantt.svg"));
        gantt.write(folder.resolve("gantt.png"));
    }

    private List<String> makespans() {
        List<String> methods = results.methods(effort.tuned());
        List<String> lines = new ArrayList<>();
        lines.add("instance,jobs,machines,lower_bound,upper_bound," + String.join(",", methods));
        for (JobShopInstance instance : known) {
            List<Object> cells = new ArrayList<>(List.of(
                    instance,
                    instance.jobs(),
                    instance.machines(),
                    instance.lowerBound().orElseThrow(),
                    instance.upperBound().orElseThrow()));
            List<String> there = results.methods(List.of(instance));
            for (String method : methods) {
                cells.add(there.contains(method) ? format("%.1f", results.makespan(method, instance)) : "");
            }
            lines.add(cells.stream().map(Object::toString).collect(Collectors.joining(",")));
        }
        return lines;
    }

    private List<String> learning() {
        List<String> lines = new ArrayList<>(List.of("seed,stage,timesteps,gap_to_first_bound"));
        for (General general : generals) {
            for (Point point : general.curve()) {
                lines.add(format("%d,%d,%d,%.2f", general.seed(), point.stage(), point.timesteps(), point.gap()));
            }
        }
        return lines;
    }

    private List<String> page() {
        List<String> lines = new ArrayList<>();
        section(lines, "# Job-shop scheduling, learned", introduction());
        section(lines, "## Goals", goals());
        section(lines, "## The compared instances", compared());
        section(lines, "## All public instances", families());
        section(lines, "## Random instances", randomInstances());
        section(
                lines,
                "## Learning",
                List.of(
                        "Each evaluation is the mean of the same " + effort.evalEpisodes()
                                + " random instances of the stage, greedily; all of them are in [learning.csv](learning.csv).",
                        "",
                        "![Gap against timesteps](learning.png)"));
        section(
                lines,
                "## A schedule",
                List.of("![Gantt chart](gantt.png)", "", "The same as [SVG](gantt.svg); `tuned`, sampled."));
        return lines;
    }

    private static void section(List<String> lines, String title, List<String> section) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(title);
        lines.add("");
        lines.addAll(section);
    }

    private List<String> introduction() {
        List<String> lines = new ArrayList<>(List.of(
                "Written by `examples/job-shop-table.sh`. A gap is by how many percent a makespan is above the optimum, or above the"
                        + " shortest one known where the optimum is open. Each schedule was checked by the validator, which shares no"
                        + " code with the simulator. All makespans of public instances are in [makespans.csv](makespans.csv).",
                "",
                "- `general 0` and so on: one policy a seed, for all instances. It learned from random instances of mixed sizes (problem"
                        + " 3), and never saw a public one: stage 1 with the profile `coarse-pretrain`, stages 2 and 3 with `fine`, each"
                        + " with the policy of the one before as `--init`, for "
                        + effort.stageSteps().stream().map(Object::toString).collect(Collectors.joining(", "))
                        + " steps. A stage hands on the model that was best in its evaluations, on random instances as well.",
                "- `tuned`: a policy for each instance. It goes on from `general 0` and learns this instance alone (problem 1, stage 3,"
                        + " profile `fine`) for " + effort.tuningSteps()
                        + " steps; of the evaluations after each rollout, the model of the best one counts.",
                "- All of these take the most probable job at each choice (greedy). `sampled` is the best of "
                        + effort.samples() + " schedules whose jobs were drawn by their probability.",
                "- Dispatching rules run in the same simulator: `active` ones choose among the jobs that the policies choose among;"
                        + " with `non-delay`, no machine waits while there is a job for it, as is usual for rules. RANDOM is a mean of"
                        + " 10 schedules.",
                "",
                "Made with:",
                ""));
        new ZipCheckpointStore()
                .load(generals.get(0).model())
                .provenance()
                .forEach((key, value) -> lines.add("- " + key + ": " + (key.equals("seed") ? seeds() : value)));
        lines.add("- processors: " + Runtime.getRuntime().availableProcessors());
        lines.add(format("- time: %.0f minutes", minutes));
        return lines;
    }

    private String seeds() {
        return generals.stream().map(general -> Long.toString(general.seed())).collect(Collectors.joining(", "));
    }

    private List<String> goals() {
        List<JobShopInstance> compared = effort.tuned();
        String rule = bestRule(compared);
        double ruleGap = results.meanGap(rule, compared);
        List<String> lines = table("what", "goal", "measured");
        for (String method :
                Stream.concat(generalMethods(), Stream.of(JobShopTable.TUNED)).toList()) {
            lines.add(row(
                    "mean gap, `" + method + "`",
                    format("below %.2f", Math.min(ruleGap, 15)),
                    results.meanGap(method, compared)));
        }
        for (JobShopInstance instance : compared) {
            if (instance.name().equals("ft06")) {
                lines.add(row("makespan of ft06, `tuned`", "57", results.makespan(JobShopTable.TUNED, instance)));
                String sampled = JobShopTable.sampled(JobShopTable.TUNED);
                lines.add(row("makespan of ft06, `" + sampled + "`", "55", results.makespan(sampled, instance)));
            }
        }
        lines.add("");
        lines.add(format(
                "The goal of a mean gap is 15, and less than the best of the rules reaches, %s with %.2f.",
                rule, ruleGap));
        return lines;
    }

    private Stream<String> generalMethods() {
        return generals.stream().map(general -> JobShopTable.general(general.seed()));
    }

    private List<String> compared() {
        List<JobShopInstance> instances = effort.tuned();
        List<String> lines = new ArrayList<>(List.of(
                "These are the " + instances.size() + " instances " + instances.get(0) + " to "
                        + instances.get(instances.size() - 1) + ".",
                "",
                "![Gap of each instance](gaps.png)",
                ""));
        lines.addAll(table("method", "mean gap", "largest gap", "optima"));
        for (String method : results.methods(instances)) {
            List<Double> gaps = instances.stream()
                    .map(instance -> results.meanGap(method, List.of(instance)))
                    .toList();
            lines.add(row(
                    method,
                    results.meanGap(method, instances),
                    gaps.stream().max(Comparator.naturalOrder()).orElseThrow(),
                    gaps.stream().filter(gap -> gap == 0).count()));
        }
        return lines;
    }

    /** Returns the rule that is best in the mean. */
    String bestRule(Collection<JobShopInstance> instances) {
        return JobShopTable.rules().stream()
                .min(Comparator.comparingDouble(rule -> results.meanGap(rule, instances)))
                .orElseThrow();
    }

    private List<String> families() {
        Map<String, List<JobShopInstance>> families = known.stream()
                .collect(Collectors.groupingBy(
                        instance -> instance.name().replaceAll("\\d+", "") + " " + instance.jobs() + "x"
                                + instance.machines(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<String> lines = table(
                Stream.concat(Stream.of("family and size", "instances", "best rule", "mean gap"), generalMethods())
                        .toArray(String[]::new));
        families.forEach((family, instances) -> {
            String rule = bestRule(instances);
            lines.add(row(Stream.concat(
                            Stream.of(family, instances.size(), rule, results.meanGap(rule, instances)),
                            generalMethods().map(method -> results.meanGap(method, instances)))
                    .toArray()));
        });
        return lines;
    }

    private List<String> randomInstances() {
        List<String> lines = new ArrayList<>(List.of(
                "Mean gaps of " + effort.randomInstances()
                        + " instances of each size by Taillard's scheme. Their optima are not known."
                        + " The gap to a lower bound, that from which rewards start, is larger than the gap to the optimum; the gap to"
                        + " the best schedule found by any of the methods is smaller. L2D (Zhang et al., 2020) is the published gap to"
                        + " the optimum of a policy that was trained for that size alone, on other random instances. The instances ta"
                        + " 15x15 above are of the same kind and have known optima.",
                ""));
        lines.addAll(table("size", "method", "gap to the lower bound", "gap to the best found", "L2D"));
        random.forEach((size, instances) -> {
            String rule = JobShopTable.rules().stream()
                    .min(Comparator.comparingDouble(name -> results.meanGap(name, instances, results::best)))
                    .orElseThrow();
            for (String method : results.methods(instances)) {
                if (method.equals(rule) || method.startsWith("general")) {
                    lines.add(row(
                            size + "x" + size,
                            method,
                            results.meanGap(method, instances, Report::firstBound),
                            results.meanGap(method, instances, results::best),
                            L2D.getOrDefault(size, Double.NaN)));
                }
            }
        });
        return lines;
    }

    private static double firstBound(JobShopInstance instance) {
        return JobShopEnvironment.of(instance, 1).firstBound();
    }

    /** Returns the head of a table whose columns but the first are flush right. */
    private static List<String> table(String... titles) {
        return new ArrayList<>(List.of(row((Object[]) titles), "|---|" + "---:|".repeat(titles.length - 1)));
    }

    private static String row(Object... cells) {
        return Stream.of(cells)
                .map(cell -> cell instanceof Double number ? format("%.2f", number) : cell.toString())
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
