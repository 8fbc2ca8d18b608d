package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JobProgressTest {
    private final MetricSeries series = new MetricSeries();

    private Map<String, Object> progress(JobStatus status, long planned, double elapsed, double limit) {
        Message ending = status.isTerminal() ? Message.of("label.exited") : null;
        return JobProgress.of(status, ending, series, 0, planned, elapsed, limit)
                .toMap(Locale.ENGLISH);
    }

    private static Map<?, ?> lastNode(Map<String, Object> process) {
        List<?> timeline = (List<?>) process.get("timeline");
        return (Map<?, ?>) timeline.get(timeline.size() - 1);
    }

    @Test
    @DisplayName("B14: share, rate and remaining time of a running job")
    void running() {
        series.add(500, Map.of("fps", 50.0));
        series.add(1_000, Map.of("fps", 100.0));
        Map<String, Object> process = progress(JobStatus.RUNNING, 4_000, 15, 0);
        assertThat(process)
                .containsEntry("percent", 25.0)
                .containsEntry("done_steps", 1_000L)
                .containsEntry("rate_per_s", 75.0)
                .containsEntry("remaining_s", 40.0)
                .containsEntry("phase", "update")
                .containsEntry("terminal", false)
                .containsEntry("label", "Learning");
        assertThat(lastNode(process)).isEqualTo(Map.of("key", "done", "state", "pending"));
        assertThat(progress(JobStatus.RUNNING, 4_000, 15, 20)).containsEntry("remaining_s", 5.0);
    }

    @Test
    @DisplayName("B14: without points, the remaining time is that of the wall-clock limit")
    void noPoints() {
        assertThat(progress(JobStatus.RUNNING, 4_000, 20, 100))
                .containsEntry("percent", 0.0)
                .containsEntry("remaining_s", 80.0)
                .containsEntry("phase", "rollout");
        assertThat(progress(JobStatus.RUNNING, 4_000, 20, 0)).containsEntry("remaining_s", null);
    }

    @Test
    @DisplayName("B14: the known speeds count; without any, the limit does")
    void someSpeeds() {
        series.add(100, Map.of());
        assertThat(progress(JobStatus.RUNNING, 4_000, 20, 100))
                .containsEntry("rate_per_s", null)
                .containsEntry("remaining_s", 80.0);
        series.add(200, Map.of("fps", 18.0));
        series.add(300, Map.of());
        series.add(400, Map.of("fps", 20.0));
        assertThat(progress(JobStatus.RUNNING, 4_000, 20, 0)).containsEntry("rate_per_s", 19.0);
    }

    @Test
    @DisplayName("B14: an ended job is terminal, its last node active, nothing remains")
    void ended() {
        series.add(4_000, Map.of("fps", 18.0));
        Map<String, Object> process = progress(JobStatus.EXITED, 4_000, 20, 100);
        assertThat(process)
                .containsEntry("terminal", true)
                .containsEntry("remaining_s", null)
                .containsEntry("percent", 100.0);
        assertThat(lastNode(process)).isEqualTo(Map.of("key", "done", "state", "active"));
    }

    @Test
    @DisplayName("a stopped job has not done what it didn't come to")
    void stopped() {
        series.add(1_000, Map.of("fps", 50.0));
        Map<String, Object> process = progress(JobStatus.STOPPED, 4_000, 20, 0);
        assertThat(process.get("timeline"))
                .isEqualTo(List.of(
                        node("start", "done"),
                        node("rollout", "done"),
                        node("update", "pending"),
                        node("evaluation", "pending"),
                        node("done", "active")));
    }

    private static Map<String, String> node(String key, String state) {
        return Map.of("key", key, "state", state);
    }

    @Test
    @DisplayName("B15: with --init, progress is counted from where the earlier stage had ended")
    void transfer() {
        series.add(111_776, Map.of("fps", 50.0, "start_timesteps", 109_776.0));
        assertThat(progress(JobStatus.RUNNING, 8_000, 40, 0))
                .containsEntry("done_steps", 111_776L)
                .containsEntry("start_steps", 109_776L)
                .containsEntry("trained_steps", 2_000L)
                .containsEntry("percent", 25.0)
                .containsEntry("remaining_s", 120.0);
    }

    @Test
    @DisplayName("how fast a run was before it was resumed doesn't count")
    void resumed() {
        series.add(100, Map.of("fps", 1_000.0));
        series.add(200, Map.of("fps", 50.0));
        assertThat(JobProgress.of(JobStatus.RUNNING, null, series, 1, 1_000, 1, 0)
                        .rate())
                .isEqualTo(50.0);
        assertThat(JobProgress.of(JobStatus.RUNNING, null, series, 2, 1_000, 1, 0)
                        .rate())
                .isNull();
    }
}
