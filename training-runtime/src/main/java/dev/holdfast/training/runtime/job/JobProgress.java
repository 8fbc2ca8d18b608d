package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.metrics.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a job is, and how long it will take.
 *
 * @param status where the job stands
 * @param ending how it ended, in words; null while it hasn't
 * @param startTimesteps the steps that the counter began at
 * @param doneTimesteps the counter now
 * @param plannedTimesteps how many steps the run is to train for, beyond those that it began at
 * @param rate steps per second lately; null if unknown
 * @param elapsedSeconds since the job was started
 * @param maxWallSeconds the job's limit; 0 for none
 */
record JobProgress(
        JobStatus status,
        @Nullable Message ending,
        long startTimesteps,
        long doneTimesteps,
        long plannedTimesteps,
        @Nullable Double rate,
        double elapsedSeconds,
        double maxWallSeconds) {
    /** How many speeds are averaged. */
    private static final int RECENT = 10;

    /** What a run goes through. */
    private enum Phase {
        START,
        ROLLOUT,
        UPDATE,
        EVALUATION,
        DONE;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads off a run's points how far it is.
     *
     * @param earlier how many of the points are of before the run was resumed: how fast it was then doesn't count
     */
    static JobProgress of(
            JobStatus status,
            @Nullable Message ending,
            MetricSeries series,
            long earlier,
            long plannedTimesteps,
            double elapsedSeconds,
            double maxWallSeconds) {
        double start = series.last(Metric.START_TIMESTEPS);
        double[] speeds = series.lastKnown(Metric.FPS, (int) Math.min(RECENT, series.total() - earlier));
        long from = Double.isNaN(start) ? 0 : (long) start;
        return new JobProgress(
                status,
                ending,
                from,
                Math.max(from, series.lastTimesteps()),
                plannedTimesteps,
                speeds.length == 0 ? null : Arrays.stream(speeds).average().getAsDouble(),
                elapsedSeconds,
                maxWallSeconds);
    }

    private long trained() {
        return doneTimesteps - startTimesteps;
    }

    private double percent() {
        if (status == JobStatus.EXITED) {
            return 100;
        }
        return Math.min(100, 100.0 * trained() / Math.max(1, plannedTimesteps));
    }

    private @Nullable Double remaining() {
        if (status.isTerminal()) {
            return null;
        }
        Double byLimit = maxWallSeconds > 0 ? Math.max(0, maxWallSeconds - elapsedSeconds) : null;
        if (rate == null || rate <= 0) {
            return byLimit;
        }
        double bySpeed = Math.max(0, plannedTimesteps - trained()) / rate;
        return byLimit == null ? bySpeed : Math.min(bySpeed, byLimit);
    }

    private Phase phase() {
        return status.isTerminal() ? Phase.DONE : reached();
    }

    /** How far it came, whether or not it has ended. */
    private Phase reached() {
        if (status == JobStatus.EXITED) {
            return Phase.DONE;
        } else if (status == JobStatus.CREATED) {
            return Phase.START;
        } else if (trained() == 0) {
            return Phase.ROLLOUT;
        }
        return trained() >= plannedTimesteps ? Phase.EVALUATION : Phase.UPDATE;
    }

    private Message label() {
        if (ending != null) {
            return ending;
        }
        return Message.of("label." + (status == JobStatus.RUNNING ? phase().key() : status.key()));
    }

    private String tone() {
        return switch (status) {
            case CREATED -> Convergence.GRAY;
            case RUNNING, EXITED -> Convergence.OK;
            case PAUSED, STOPPING, STOPPED -> Convergence.WARN;
            case FAILED -> Convergence.BAD;
        };
    }

    /** The keys of {@code process} in a snapshot. */
    Map<String, @Nullable Object> toMap(Locale locale) {
        Phase phase = phase();
        Phase reached = reached();
        List<Map<String, String>> timeline = new ArrayList<>();
        for (Phase node : Phase.values()) {
            String state = node == phase ? "active" : node.compareTo(reached) < 0 ? "done" : "pending";
            timeline.add(Map.of("key", node.key(), "state", state));
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("percent", percent());
        map.put("label", label().in(locale));
        map.put("tone", tone());
        map.put("terminal", status.isTerminal());
        map.put("phase", phase.key());
        map.put("timeline", timeline);
        map.put("done_steps", doneTimesteps);
        map.put("start_steps", startTimesteps);
        map.put("trained_steps", trained());
        map.put("rate_per_s", rate);
        map.put("remaining_s", remaining());
        return map;
    }
}
