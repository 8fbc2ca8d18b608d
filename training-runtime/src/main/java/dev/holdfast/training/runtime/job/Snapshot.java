package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as others see it: every key of a snapshot is put here.
 *
 * @param earlier how many points are of before the run was resumed
 * @param ending how it ended, in words; null while it hasn't
 * @param recovery what can be recovered; null while the job lives
 * @param failure why it failed; null if it didn't
 */
record Snapshot(
        String jobId,
        JobStatus status,
        @Nullable Long pid,
        List<String> command,
        @Nullable Integer returnCode,
        double elapsedSeconds,
        TrainingConfig config,
        boolean preview,
        boolean forcedKill,
        LogTail log,
        MetricSeries series,
        long earlier,
        Episodes episodes,
        @Nullable Message ending,
        @Nullable Map<String, ?> recovery,
        @Nullable String failure) {

    Map<String, @Nullable Object> toMap(StateQuery query) {
        Locale locale = query.locale();
        MetricSeries.Slice slice = series.from(query.afterMetric(), query.metricLimit());
        JobProgress progress = JobProgress.of(
                status,
                ending,
                series,
                earlier,
                config.get(Fields.TIMESTEPS),
                elapsedSeconds,
                config.get(Fields.MAX_WALL_S));
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("job_id", jobId);
        map.put("status", status.key());
        map.put("pid", pid);
        map.put("command", command);
        map.put("returncode", returnCode);
        map.put("elapsed_s", elapsedSeconds);
        map.put("config", config.toMap());
        map.put("preview", preview);
        map.put("forced_kill", forcedKill);
        map.put("log_lines", log.last(query.logTail()));
        map.put("log_total", log.total());
        map.put("metrics", slice.points());
        map.put("metric_offset", slice.offset());
        map.put("metric_end", slice.end());
        map.put("metric_total", series.total());
        map.put("monitor", episodes.toRows());
        map.put("process", progress.toMap(locale));
        map.put("convergence", Convergence.of(series, episodes).toMap(locale));
        map.put("recovery", recovery);
        map.put("failure", failure);
        map.put("model", config.text(Fields.MODEL));
        return map;
    }
}
