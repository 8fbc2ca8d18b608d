package dev.holdfast.examples.benchmark;

import dev.holdfast.examples.benchmark.LearningCurve.Optimality;
import dev.holdfast.examples.benchmark.LearningCurve.Point;
import dev.holdfast.examples.benchmark.LearningTask.Published;
import dev.holdfast.rl.api.environment.EnvironmentProvider.ConfigProfile;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.training.runtime.Evaluation;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Writes down learning curves. Equal curves give equal files. */
final class LearningReport {
    private static final Color SEED = new Color(0x9ECAE1);
    private static final Color MEDIAN = new Color(0x08519C);
    private static final Color GOAL = new Color(0xA63603);

    private LearningReport() {}

    /**
     * Writes tables and charts.
     *
     * @param folder where they go
     * @param backend what the results were made with
     * @param results at least one task, with at least one curve each
     */
    static void write(Path folder, String backend, Map<LearningTask, List<LearningCurve>> results) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("evaluations.csv"), evaluations(results));
        Files.write(folder.resolve("results.csv"), ends(results));
        List<LearningCurve> first = results.values().iterator().next();
        List<String> lines = new ArrayList<>();
        lines.add("# What the example environments' default profiles learn");
        lines.add("");
        lines.add("Written by `sh examples/learning-table.sh FOLDER " + first.size() + " " + backend + "`: seeds 0 to "
                + (first.size() - 1) + ". At the end of a run the policy plays " + LearningCurve.END_EPISODES
                + " episodes, during the run " + LearningCurve.EPISODES
                + ", each time its most probable actions. Data: [results.csv](results.csv), the ends of the runs;"
                + " [evaluations.csv](evaluations.csv), the curves.");
        lines.add("");
        lines.add("Made with:");
        lines.add("");
        first.get(0).provenance().forEach((key, value) -> {
            if (!key.equals("seed")) {
                lines.add("- " + key + ": " + value);
            }
        });
        lines.add("- processors: " + Runtime.getRuntime().availableProcessors());
        lines.add("");
        lines.addAll(summary(results));
        lines.addAll(optimality(results));
        for (Map.Entry<LearningTask, List<LearningCurve>> result : results.entrySet()) {
            LearningTask task = result.getKey();
            lines.add("");
            lines.addAll(section(task, result.getValue()));
            BitmapEncoder.saveBitmap(
                    chart(task, result.getValue()),
                    folder.resolve(task.fileName() + ".png").toString(),
                    BitmapFormat.PNG);
        }
        Files.write(folder.resolve("README.md"), lines);
    }

    private static List<String> evaluations(Map<LearningTask, List<LearningCurve>> results) {
        List<String> lines = new ArrayList<>();
        lines.add("environment,seed,timesteps,mean_return");
        results.forEach((task, curves) -> curves.forEach(curve -> curve.points()
                .forEach(point -> lines.add(task.title() + "," + curve.seed() + "," + point.timesteps() + ","
                        + number(point.meanReturn())))));
        return lines;
    }

    private static List<String> ends(Map<LearningTask, List<LearningCurve>> results) {
        List<String> lines = new ArrayList<>();
        lines.add("environment,seed,timesteps,episodes,mean_return,std_return,mean_length,"
                + "expected_return,optimal_return,states,worse_choices");
        results.forEach((task, curves) -> curves.forEach(curve -> {
            Evaluation end = curve.end();
            Optimality optimality = curve.optimality();
            lines.add(String.join(
                    ",",
                    task.title(),
                    Long.toString(curve.seed()),
                    Long.toString(curve.timesteps()),
                    Integer.toString(end.episodes()),
                    number(end.meanReturn()),
                    number(end.stdReturn()),
                    number(end.meanLength()),
                    optimality == null
                            ? ",,,"
                            : Text.format(
                                    "%.6f,%.6f,%d,%d",
                                    optimality.expectedReturn(),
                                    optimality.optimalReturn(),
                                    optimality.states(),
                                    optimality.worse())));
        }));
        return lines;
    }

    private static List<String> summary(Map<LearningTask, List<LearningCurve>> results) {
        TextTable table = new TextTable(
                "environment",
                ">steps",
                ">mean return, deviation over episodes",
                ">least and greatest mean of a seed",
                ">RL Baselines3 Zoo",
                "within its deviation or above");
        results.forEach((task, curves) -> {
            DoubleSummaryStatistics means = curves.stream()
                    .mapToDouble(curve -> curve.end().meanReturn())
                    .summaryStatistics();
            Published published = task.published();
            table.row(
                    task.title(),
                    Text.format("%,d", curves.get(0).timesteps()),
                    number(means.getAverage()) + " ± " + number(deviation(curves, means.getAverage())),
                    number(means.getMin()) + " … " + number(means.getMax()),
                    published == null ? "" : number(published.mean()) + " ± " + number(published.deviation()),
                    published == null ? "" : means.getAverage() >= published.least() ? "yes" : "no");
        });
        return table.lines();
    }

    /** Returns the standard deviation of all seeds' episodes together. */
    private static double deviation(List<LearningCurve> curves, double mean) {
        double variance = 0;
        for (LearningCurve curve : curves) {
            double distance = curve.end().meanReturn() - mean;
            variance += (curve.end().stdReturn() * curve.end().stdReturn() + distance * distance) / curves.size();
        }
        return Math.sqrt(variance);
    }

    private static List<String> optimality(Map<LearningTask, List<LearningCurve>> results) {
        TextTable table = new TextTable(
                "environment",
                ">optimal return",
                ">least and greatest expected return of a seed",
                ">seeds that reach the optimum",
                ">seeds that choose a best action in every state that they reach");
        boolean any = false;
        for (Map.Entry<LearningTask, List<LearningCurve>> result : results.entrySet()) {
            List<Optimality> all = result.getValue().stream()
                    .map(LearningCurve::optimality)
                    .filter(Objects::nonNull)
                    .toList();
            if (!all.isEmpty()) {
                any = true;
                DoubleSummaryStatistics expected =
                        all.stream().mapToDouble(Optimality::expectedReturn).summaryStatistics();
                double optimal = all.get(0).optimalReturn();
                table.row(
                        result.getKey().title(),
                        Text.format("%.4f", optimal),
                        Text.format("%.4f … %.4f", expected.getMin(), expected.getMax()),
                        of(all, one -> one.expectedReturn() >= optimal - 1e-9),
                        of(all, one -> one.worse() == 0));
            }
        }
        List<String> lines = new ArrayList<>();
        if (any) {
            lines.add("");
            lines.add(
                    "Where an environment's table of transitions is known, the optimum is computed by value iteration,"
                            + " and what a policy earns in an episode on average from the table, without playing.");
            lines.add("");
            lines.addAll(table.lines());
        }
        return lines;
    }

    private static String of(List<Optimality> all, Predicate<Optimality> wanted) {
        return all.stream().filter(wanted).count() + " of " + all.size();
    }

    private static List<String> section(LearningTask task, List<LearningCurve> curves) {
        String goal = number(task.goal());
        List<String> lines = new ArrayList<>();
        lines.add("## " + task.title());
        lines.add("");
        lines.add("Settings: " + settings(task) + ".");
        lines.add("");
        lines.add("Seeds that reach " + goal + " within " + task.deadline() + " steps: "
                + curves.stream().filter(curve -> inTime(task, curve)).count() + " of " + curves.size()
                + ", the median one after "
                + medianFirst(task, curves) + " steps. Seeds that end at " + goal + " or more: "
                + curves.stream()
                        .filter(curve -> curve.end().meanReturn() >= task.goal())
                        .count() + " of " + curves.size() + ".");
        lines.add("");
        lines.add("![Mean return against timesteps](" + task.fileName() + ".png)");
        lines.add("");
        lines.add("| seed | first evaluation of " + goal + " or more, at step | mean return after "
                + curves.get(0).timesteps() + " steps | deviation |");
        lines.add("|---:|---:|---:|---:|");
        for (LearningCurve curve : curves) {
            OptionalLong first = curve.firstAt(task.goal());
            lines.add("| " + curve.seed() + " | " + (first.isPresent() ? first.getAsLong() : "never") + " | "
                    + number(curve.end().meanReturn()) + " | "
                    + number(curve.end().stdReturn()) + " |");
        }
        return lines;
    }

    private static String settings(LearningTask task) {
        ConfigProfile profile =
                Environments.named(task.environment()).configProfiles().get(0);
        return new TreeMap<>(profile.settings())
                .entrySet().stream()
                        .map(setting -> "`" + setting.getKey() + "=" + setting.getValue() + "`")
                        .collect(Collectors.joining(", "));
    }

    private static boolean inTime(LearningTask task, LearningCurve curve) {
        return curve.firstAt(task.goal()).orElse(Long.MAX_VALUE) <= task.deadline();
    }

    private static String medianFirst(LearningTask task, List<LearningCurve> curves) {
        double median = median(
                curves.stream().mapToDouble(curve -> curve.firstAt(task.goal()).orElse(Long.MAX_VALUE)));
        return median < Long.MAX_VALUE ? number(median) : "no number of";
    }

    private static double median(DoubleStream numbers) {
        double[] sorted = numbers.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static XYChart chart(LearningTask task, List<LearningCurve> curves) {
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(500)
                .theme(ChartTheme.XChart)
                .title(task.title() + ", default profile, " + curves.size() + " seeds")
                .xAxisTitle("timesteps")
                .yAxisTitle("mean return of " + LearningCurve.EPISODES + " episodes")
                .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.InsideSE)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendBorderColor(Color.LIGHT_GRAY);
        if (curves.stream().flatMap(curve -> curve.points().stream()).allMatch(point -> point.meanReturn() >= 0)) {
            chart.getStyler().setYAxisMin(0.0);
        }
        double[] timesteps =
                curves.get(0).points().stream().mapToDouble(Point::timesteps).toArray();
        double[] medians = new double[timesteps.length];
        for (int i = 0; i < medians.length; i++) {
            int evaluation = i;
            medians[i] = median(curves.stream()
                    .mapToDouble(curve -> curve.points().get(evaluation).meanReturn()));
        }
        for (LearningCurve curve : curves) {
            double[] returns =
                    curve.points().stream().mapToDouble(Point::meanReturn).toArray();
            line(chart, "seed " + curve.seed(), timesteps, returns, SEED, 1).setShowInLegend(false);
        }
        line(chart, "median of the seeds", timesteps, medians, MEDIAN, 2.5f);
        double[] ends = {timesteps[0], timesteps[timesteps.length - 1]};
        line(chart, "goal", ends, new double[] {task.goal(), task.goal()}, GOAL, 1.5f);
        return chart;
    }

    private static XYSeries line(
            XYChart chart, String name, double[] timesteps, double[] returns, Color color, float width) {
        XYSeries series = chart.addSeries(name, timesteps, returns);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(color);
        series.setLineStyle(new BasicStroke(width));
        return series;
    }

    private static String number(double value) {
        return Text.format(value == Math.rint(value) ? "%.0f" : "%.2f", value);
    }
}
