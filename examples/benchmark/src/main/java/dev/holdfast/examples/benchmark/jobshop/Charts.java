package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.benchmark.jobshop.Training.General;
import dev.holdfast.examples.benchmark.jobshop.Training.Point;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a report. */
final class Charts {
    private static final Color RULE = new Color(0xA63603);
    private static final Color GENERAL = new Color(0x2171B5);
    private static final Color TUNED = new Color(0x41AB5D);
    private static final List<Color> STAGES = List.of(new Color(0x9ECAE1), new Color(0x4292C6), new Color(0x08519C));

    private Charts() {}

    static void write(Report report, Path folder) throws IOException {
        BitmapEncoder.saveBitmap(gaps(report), folder.resolve("gaps.png").toString(), BitmapFormat.PNG);
        BitmapEncoder.saveBitmap(
                learning(report), folder.resolve("learning.png").toString(), BitmapFormat.PNG);
    }

    private static CategoryChart gaps(Report report) {
        List<JobShopInstance> instances = report.effort().tuned();
        CategoryChart chart = new CategoryChartBuilder()
                .width(1100)
                .height(450)
                .theme(ChartTheme.XChart)
                .title("Above the optimum, greedily")
                .yAxisTitle("percent")
                .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLabelRotation(90);
        chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Line);
        String rule = report.bestRule(instances);
        add(chart, report, instances, rule, RULE);
        add(chart, report, instances, JobShopTable.general(0), GENERAL);
        add(chart, report, instances, JobShopTable.TUNED, TUNED);
        return chart;
    }

    private static void add(
            CategoryChart chart, Report report, List<JobShopInstance> instances, String method, Color color) {
        List<Double> gaps = instances.stream()
                .map(instance -> report.results().meanGap(method, List.of(instance)))
                .toList();
        List<String> names = instances.stream().map(JobShopInstance::name).toList();
        CategorySeries series = chart.addSeries(method, names, gaps);
        series.setMarker(SeriesMarkers.CIRCLE);
        series.setMarkerColor(color);
        series.setLineColor(color);
        series.setLineStyle(new BasicStroke(1));
    }

    private static XYChart learning(Report report) {
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(450)
                .theme(ChartTheme.XChart)
                .title("General policies: above the first bound, random instances of each stage, greedily")
                .xAxisTitle("timesteps")
                .yAxisTitle("percent")
                .build();
        style(chart.getStyler());
        for (General general : report.generals()) {
            for (int stage = 1; stage <= report.effort().stageSteps().size(); stage++) {
                int current = stage;
                List<Point> points = general.curve().stream()
                        .filter(point -> point.stage() == current)
                        .toList();
                XYSeries series = chart.addSeries(
                        "stage " + stage + (general.seed() == 0 ? "" : ", seed " + general.seed()),
                        points.stream().map(Point::timesteps).toList(),
                        points.stream().map(Point::gap).toList());
                series.setMarker(SeriesMarkers.NONE);
                series.setLineColor(STAGES.get((stage - 1) % STAGES.size()));
                series.setLineStyle(new BasicStroke(1.5f));
                series.setShowInLegend(general.seed() == 0);
            }
        }
        return chart;
    }

    private static void style(AxesChartStyler styler) {
        styler.setYAxisMin(0.0);
        styler.setLegendPosition(LegendPosition.InsideNE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendBorderColor(Color.LIGHT_GRAY);
    }
}
