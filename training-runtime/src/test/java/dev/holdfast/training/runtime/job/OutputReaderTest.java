package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.metrics.Metric;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.MetricSinks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutputReaderTest {
    private final List<String> points = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final OutputReader reader = new OutputReader(
            new OutputReader.Listener() {
                @Override
                public void point(long timesteps, Map<String, Double> values) {
                    points.add(timesteps + " " + new TreeMap<>(values));
                }

                @Override
                public void more(Map<String, Double> values) {
                    points.add("more " + new TreeMap<>(values));
                }

                @Override
                public void event(String event, Map<String, ?> details) {
                    events.add(event);
                }
            },
            -1);

    private void read(String text) {
        text.lines().forEach(reader::line);
    }

    private static String table(int reward, int steps) {
        return """
                | rollout/           |          |
                |    ep_rew_mean     | %d       |
                | time/              |          |
                |    fps             | 50       |
                |    total_timesteps | %d       |
                """.formatted(reward, steps);
    }

    @Test
    @DisplayName(
            "B7: tables without separator lines are one point each, at their own step count, with rollout and time")
    void tablesWithoutSeparators() {
        read(table(-3, 32) + table(-2, 64));
        reader.end();
        assertThat(points).containsExactly("32 {ep_rew_mean=-3.0, fps=50.0}", "64 {ep_rew_mean=-2.0, fps=50.0}");
    }

    @Test
    @DisplayName("B8: tables with separator lines are one point each")
    void tablesWithSeparators() {
        String line = "-".repeat(40) + "\n";
        read(line + table(-3, 32) + line + line + table(-2, 64) + line);
        reader.idle();
        assertThat(points).hasSize(2);
        reader.end();
        assertThat(points).containsExactly("32 {ep_rew_mean=-3.0, fps=50.0}", "64 {ep_rew_mean=-2.0, fps=50.0}");
    }

    @Test
    @DisplayName(
            "B9, B33: a table cut in half is held while the process lives, and committed under the last step count when it ends")
    void truncatedTable() {
        read(table(-3, 32) + "| rollout/ | |\n| ep_rew_mean | -1.5 |\n");
        reader.idle();
        read("something else");
        reader.idle();
        assertThat(points).hasSize(1);
        reader.end();
        assertThat(points).containsExactly("32 {ep_rew_mean=-3.0, fps=50.0}", "32 {ep_rew_mean=-1.5}");
    }

    @Test
    @DisplayName("B10: a table with no axis known at all is dropped")
    void noAxis() {
        read("| rollout/ | |\n| ep_rew_mean | -1.5 |\n");
        reader.end();
        assertThat(points).isEmpty();
    }

    @Test
    @DisplayName("a table cut in half is dropped if a whole one follows: it would be out of order")
    void cutAndGoneOn() {
        read("| rollout/ | |\n| ep_rew_mean | -1.5 |\nINFO\n" + table(-2, 64));
        reader.end();
        assertThat(points).containsExactly("64 {ep_rew_mean=-2.0, fps=50.0}");
    }

    @Test
    @DisplayName("B11: a JSON record and a table of the same step count give one point, in either order")
    void recordAndTable() {
        read("{\"event\": \"progress\", \"timesteps\": 32, \"approx_kl\": 0.01, \"value_loss\": null}\n" + table(-3, 32)
                + table(-2, 64) + "PROGRESS-{\"event\": \"progress\", \"timesteps\": 64, \"approx_kl\": 0.02}\n");
        reader.end();
        assertThat(points)
                .containsExactly(
                        "32 {approx_kl=0.01, ep_rew_mean=-3.0, fps=50.0}",
                        "64 {approx_kl=0.02, ep_rew_mean=-2.0, fps=50.0}");
    }

    @Test
    @DisplayName("what is said of a point after a silence completes it")
    void late() {
        read("{\"event\": \"progress\", \"timesteps\": 32, \"approx_kl\": 0.01}");
        reader.idle();
        read(table(-3, 32));
        reader.end();
        assertThat(points).containsExactly("32 {approx_kl=0.01}", "more {ep_rew_mean=-3.0, fps=50.0}");
    }

    @Test
    @DisplayName("B12: a JSON object that is no progress event is no point; an event is told, behind any prefix")
    void otherObjects() {
        read("""
                {"timesteps": 32, "fps": 3}
                {"event": "metadata", "timesteps": 32}
                INFO {x} {"event": "paused", "timesteps": 32}
                {"event": "progress", "timesteps": "many"}
                {"event": "progress"}
                {"event": "resumed"
                {{{{{{{{{}
                [1, {"event": "stop"}]
                """);
        reader.end();
        assertThat(points).isEmpty();
        assertThat(events).containsExactly("metadata", "paused");
    }

    @Test
    @DisplayName("what our own sinks print is read back, whole")
    void ownOutput() {
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            values.put(metric, metric.integer() ? 7.0 : 0.5);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        for (MetricSink sink : List.of(MetricSinks.progressEvents(out), MetricSinks.console(out))) {
            sink.record(new MetricRecord(2048, values));
        }
        read(bytes.toString(StandardCharsets.UTF_8));
        reader.end();
        assertThat(points).hasSize(1);
        for (Metric metric : Metric.values()) {
            if (metric != Metric.TOTAL_TIMESTEPS) {
                assertThat(points.get(0)).contains(metric.shortKey() + "=");
            }
        }
    }

    @Test
    @DisplayName("the step count never goes back")
    void backwards() {
        read(table(1, 64) + table(2, 32) + table(3, 96));
        reader.end();
        assertThat(points).hasSize(2);
    }
}
