package dev.holdfast.examples.benchmark;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws results. A variant has the same colour in all charts. */
final class Charts {
    private static final List<Color> COLORS = List.of(
            new Color(0x2171B5),
            new Color(0x41AB5D),
            new Color(0xE6550D),
            new Color(0x756BB1),
            new Color(0xD6348B),
            new Color(0x8C6D31));
    private static final Color ACTING = new Color(0x525252);
    private static final Color REFERENCE = new Color(0xBDBDBD);

    private final BenchmarkReport report;
    private final List<Variant> variants;

    private Charts(BenchmarkReport report) {
        this.report = report;
        variants = report.variants().stream()
                .filter(variant -> !variant.isActing())
                .toList();
    }

    static void write(BenchmarkReport report, Path folder) throws IOException {
        Charts charts = new Charts(report);
        for (Work work : Work.values()) {
            List<CallResult> results = report.calls(work);
            if (!results.isEmpty()) {
                charts.writeCalls(work, results, folder.resolve(work + ".png"));
            }
        }
        if (!report.steppings().isEmpty()) {
            charts.writeSteppings(folder.resolve("workers.png"));
        }
        if (!report.speed().isEmpty()) {
            charts.writeSpeed(folder.resolve("training.png"));
        }
        if (!report.starts().isEmpty()) {
            charts.writeStarts(folder.resolve("start.png"));
        }
    }

    private Color color(Variant variant) {
        return variant.isActing() ? ACTING : COLORS.get(variants.indexOf(variant) % COLORS.size());
    }

    /** Returns a lighter shade, the lighter the earlier in a list. */
    private static Color shade(Color color, int index, int count) {
        double white = 0.6 * (count - 1 - index) / count;
        return new Color(mix(color.getRed(), white), mix(color.getGreen(), white), mix(color.getBlue(), white));
    }

    private static int mix(int component, double white) {
        return (int) (component + white * (255 - component));
    }

    /** A panel for each network, in a row for each number of threads. */
    private void writeCalls(Work work, List<CallResult> results, Path file) throws IOException {
        List<Net> nets =
                results.stream().map(result -> result.call().net()).distinct().toList();
        List<Integer> threads = results.stream()
                .map(result -> result.call().threads())
                .distinct()
                .toList();
        List<Chart<?, ?>> panels = new ArrayList<>();
        for (int number : threads) {
            for (Net net : nets) {
                List<CallResult> lines = results.stream()
                        .filter(result ->
                                result.call().net() == net && result.call().threads() == number)
                        .toList();
                panels.add(panel(work, net, number, lines, range(results, net)));
            }
        }
        save(panels, threads.size(), nets.size(), file);
    }

    /** Returns the range of all times of a network, so that its panels can be compared. */
    private static Summary range(List<CallResult> results, Net net) {
        return Summary.of(results.stream()
                .filter(result -> result.call().net() == net)
                .flatMap(result -> result.summaries().stream().map(Summary::median))
                .toList());
    }

    private XYChart panel(Work work, Net net, int threads, List<CallResult> lines, Summary range) {
        XYChart chart = new XYChartBuilder()
                .width(600)
                .height(440)
                .theme(ChartTheme.XChart)
                .title(work + ", " + net + ", " + Text.count(threads, "thread"))
                .xAxisTitle("batch size")
                .yAxisTitle("microseconds")
                .build();
        style(chart.getStyler());
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setXAxisDecimalPattern("#,###")
                .setYAxisDecimalPattern("#,###.#")
                .setYAxisMin(range.min() / 1.5)
                .setYAxisMax(range.max() * 1.5)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal);
        for (CallResult line : lines) {
            Variant variant = line.call().variant();
            List<Double> times = line.summaries().stream().map(Summary::median).toList();
            XYSeries series = chart.addSeries(variant.name(), work.sizes(), times);
            series.setLineColor(color(variant));
            series.setLineStyle(new BasicStroke(2));
            series.setMarker(SeriesMarkers.CIRCLE);
            series.setMarkerColor(color(variant));
        }
        return chart;
    }

    /** A panel for each way to step that isn't one after the other. */
    private void writeSteppings(Path file) throws IOException {
        List<String> costs = Stepping.COSTS.stream().map(cost -> cost + " µs").toList();
        List<Chart<?, ?>> panels = new ArrayList<>();
        for (VecEnv kind : List.of(VecEnv.PROCESS, VecEnv.THREAD)) {
            Color color = COLORS.get(panels.size());
            List<AgainstSync> results = AgainstSync.of(kind, report.steppings());
            Bars bars = new Bars(costs);
            costs.forEach(cost -> bars.set("sync", REFERENCE, cost, 1));
            for (int i = 0; i < results.size(); i++) {
                AgainstSync result = results.get(i);
                for (int cost : Stepping.COSTS) {
                    bars.set(
                            result.result().stepping().subject(),
                            shade(color, i, results.size()),
                            cost + " µs",
                            result.speedUp(cost));
                }
            }
            panels.add(bars.chart("Speed of " + kind + ", by what a step costs", "times the speed of sync"));
        }
        save(panels, 1, panels.size(), file);
    }

    /** The compared setting with all backends, then the others. */
    private void writeSpeed(Path file) throws IOException {
        List<Chart<?, ?>> panels = new ArrayList<>();
        for (boolean compared : new boolean[] {true, false}) {
            List<SpeedResult> results = report.speed().stream()
                    .filter(result -> !result.training().defaults()
                            && result.training().setting().equals(Setting.COMPARED) == compared)
                    .toList();
            if (!results.isEmpty()) {
                panels.add(speed(results));
            }
        }
        save(panels, 1, panels.size(), file);
    }

    private CategoryChart speed(List<SpeedResult> results) {
        List<String> settings = results.stream()
                .map(result -> result.training().setting().name())
                .distinct()
                .toList();
        List<Integer> threads = results.stream()
                .map(result -> result.training().threads())
                .distinct()
                .sorted()
                .toList();
        Bars bars = new Bars(settings);
        for (SpeedResult result : results) {
            Training training = result.training();
            String setting = training.setting().name();
            bars.set("reference", REFERENCE, setting, training.setting().reference());
            bars.set(
                    training.variant() + ", " + Text.count(training.threads(), "thread"),
                    shade(color(training.variant()), threads.indexOf(training.threads()), threads.size()),
                    setting,
                    result.stepsPerSecond().median());
        }
        return bars.chart("Speed of training alone", "environment steps per second");
    }

    private void writeStarts(Path file) throws IOException {
        List<String> kinds = report.starts().stream()
                .map(StartResult::configuration)
                .distinct()
                .sorted()
                .toList();
        Bars seconds = new Bars(kinds);
        Bars memory = new Bars(kinds);
        for (StartResult result : report.starts()) {
            String name = result.variant().name();
            Color color = color(result.variant());
            seconds.set(
                    name,
                    color,
                    result.configuration(),
                    result.firstRolloutSeconds().median());
            Summary peak = result.peakMegabytes();
            if (peak != null) {
                memory.set(name, color, result.configuration(), peak.median());
            }
        }
        List<Chart<?, ?>> panels = new ArrayList<>();
        panels.add(seconds.chart("From the start of the JVM to the first rollout learned", "seconds"));
        if (!memory.isEmpty()) {
            panels.add(memory.chart("Peak memory", "MB"));
        }
        save(panels, 1, panels.size(), file);
    }

    private static void save(List<Chart<?, ?>> panels, int rows, int columns, Path file) throws IOException {
        BitmapEncoder.saveBitmap(panels, rows, columns, file.toString(), BitmapFormat.PNG);
    }

    private static void style(AxesChartStyler styler) {
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendBorderColor(Color.LIGHT_GRAY);
        styler.setChartTitleBoxVisible(false);
    }

    /** Groups of bars; one that has no height is left out. */
    private static final class Bars {
        private final List<String> groups;
        private final Map<String, List<@Nullable Double>> heights = new LinkedHashMap<>();
        private final List<Color> colors = new ArrayList<>();

        Bars(List<String> groups) {
            this.groups = groups;
        }

        void set(String series, Color color, String group, double height) {
            heights.computeIfAbsent(series, name -> {
                        colors.add(color);
                        return new ArrayList<>(Collections.nCopies(groups.size(), null));
                    })
                    .set(groups.indexOf(group), height);
        }

        boolean isEmpty() {
            return heights.isEmpty();
        }

        CategoryChart chart(String title, String unit) {
            CategoryChart chart = new CategoryChartBuilder()
                    .width(800)
                    .height(500)
                    .theme(ChartTheme.XChart)
                    .title(title)
                    .yAxisTitle(unit)
                    .build();
            style(chart.getStyler());
            chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
            chart.getStyler().setSeriesColors(colors.toArray(Color[]::new));
            heights.forEach((name, values) -> chart.addSeries(name, groups, values));
            return chart;
        }
    }
}
