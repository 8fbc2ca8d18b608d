package dev.holdfast.examples.benchmark;

import dev.holdfast.examples.benchmark.LearningCurve.Point;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
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

    static void write(Path folder, Map<LearningTask, List<LearningCurve>> results) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("evaluations.csv"), csv(results));
        List<String> lines = new ArrayList<>();
        lines.add("# What the example environments' default profiles learn");
        lines.add("");
        lines.add(
                "Written by `examples/learning-table.sh`. Each evaluation is the mean return of "
                        + LearningCurve.EPISODES
                        + " episodes of the policy's most probable actions; all of them are in [evaluations.csv](evaluations.csv).");
        lines.add("");
        lines.add("Made with:");
        lines.add("");
        Map<String, String> provenance =
                results.values().iterator().next().get(0).provenance();
        provenance.forEach((key, value) -> {
            if (!key.equals("seed")) {
                lines.add("- " + key + ": " + value);
            }
        });
        lines.add("- processors: " + Runtime.getRuntime().availableProcessors());
        for (Map.Entry<LearningTask, List<LearningCurve>> result : results.entrySet()) {
            LearningTask task = result.getKey();
            lines.add("");
            lines.addAll(section(task, result.getValue()));
            BitmapEncoder.saveBitmap(
                    chart(task, result.getValue()),
                    folder.resolve(task.environment() + ".png").toString(),
                    BitmapFormat.PNG);
        }
        Files.write(folder.resolve("README.md"), lines);
    }

    private static List<String> csv(Map<LearningTask, List<LearningCurve>> results) {
        List<String> lines = new ArrayList<>();
        lines.add("environment,seed,timesteps,mean_return");
        results.forEach((task, curves) -> curves.forEach(curve -> curve.points()
                .forEach(point -> lines.add(task.environment() + "," + curve.seed() + "," + point.timesteps() + ","
                        + number(point.meanReturn())))));
        return lines;
    }

    private static List<String> section(LearningTask task, List<LearningCurve> curves) {
        String goal = number(task.goal());
        List<String> lines = new ArrayList<>();
        lines.add("## " + task.environment());
        lines.add("");
        lines.add("Seeds that reach " + goal + " within " + task.deadline() + " steps: "
                + curves.stream().filter(curve -> inTime(task, curve)).count() + " of " + curves.size()
                + ", the median one after "
                + medianFirst(task, curves) + " steps. Seeds that end at " + goal + " or more: "
                + curves.stream()
                        .filter(curve -> curve.end().meanReturn() >= task.goal())
                        .count() + " of " + curves.size() + ".");
        lines.add("");
        lines.add("![Mean return against timesteps](" + task.environment() + ".png)");
        lines.add("");
        lines.add("| seed | first evaluation of " + goal + " or more, at step | mean return after "
                + curves.get(0).end().timesteps() + " steps |");
        lines.add("|---:|---:|---:|");
        for (LearningCurve curve : curves) {
            OptionalLong first = curve.firstAt(task.goal());
            lines.add("| " + curve.seed() + " | " + (first.isPresent() ? first.getAsLong() : "never") + " | "
                    + number(curve.end().meanReturn()) + " |");
        }
        return lines;
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
                .title(task.environment() + ", default profile, " + curves.size() + " seeds")
                .xAxisTitle("timesteps")
                .yAxisTitle("mean return of " + LearningCurve.EPISODES + " episodes")
                .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.InsideSE)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendBorderColor(Color.LIGHT_GRAY);
        chart.getStyler().setYAxisMin(0.0);
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
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }
}
