package dev.holdfast.examples.benchmark;

import java.awt.Color;
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
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bars of the steps per second of each setting, beside the reference and the goals. */
final class SpeedChart {
    private static final Map<String, Color> SERIES = new LinkedHashMap<>();

    static {
        SERIES.put("reference", new Color(0x969696));
        SERIES.put("goal, SIMD", new Color(0xFDAE6B));
        SERIES.put("SIMD, 1 thread", new Color(0x6BAED6));
        SERIES.put("SIMD, 2 threads", new Color(0x08519C));
        SERIES.put("goal, plain loops", new Color(0xFDD0A2));
        SERIES.put("plain loops, 1 thread", new Color(0xA1D99B));
        SERIES.put("plain loops, 2 threads", new Color(0x238B45));
    }

    private SpeedChart() {}

    static void write(List<SpeedResult> results, Path file) throws IOException {
        List<Setting> settings = results.stream()
                .map(result -> result.variant().setting())
                .distinct()
                .toList();
        Map<String, List<@Nullable Double>> bars = bars(results, settings);
        CategoryChart chart = new CategoryChartBuilder()
                .width(1200)
                .height(600)
                .theme(ChartTheme.XChart)
                .title("Speed of training alone (median)")
                .yAxisTitle("environment steps per second")
                .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.OutsideE)
                .setChartBackgroundColor(Color.WHITE)
                .setSeriesColors(bars.keySet().stream().map(SERIES::get).toArray(Color[]::new));
        List<String> names = settings.stream().map(Setting::name).toList();
        bars.forEach((name, heights) -> chart.addSeries(name, names, heights));
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }

    /** The height of each setting's bar in each series that has one; null where a setting was not measured so. */
    private static Map<String, List<@Nullable Double>> bars(List<SpeedResult> results, List<Setting> settings) {
        Map<String, List<@Nullable Double>> bars = new LinkedHashMap<>();
        for (String series : SERIES.keySet()) {
            bars.put(series, new ArrayList<>(Collections.nCopies(settings.size(), null)));
        }
        for (SpeedResult result : results) {
            Variant variant = result.variant();
            if (variant.defaults()) {
                continue;
            }
            Setting setting = variant.setting();
            int column = settings.indexOf(setting);
            String kernel = variant.simd() ? "SIMD" : "plain loops";
            String threads = variant.threads() == 1 ? ", 1 thread" : ", " + variant.threads() + " threads";
            set(bars, "reference", column, setting.reference());
            set(bars, "goal, " + kernel, column, setting.reference() * variant.goal());
            set(bars, kernel + threads, column, result.stepsPerSecond().median());
        }
        bars.values().removeIf(heights -> heights.stream().allMatch(height -> height == null));
        return bars;
    }

    private static void set(Map<String, List<@Nullable Double>> bars, String series, int column, double height) {
        List<@Nullable Double> heights = bars.get(series);
        if (heights != null) {
            heights.set(column, height);
        }
    }
}
