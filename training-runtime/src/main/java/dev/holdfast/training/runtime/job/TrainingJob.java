package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.control.ControlFile;
import dev.holdfast.training.runtime.control.ControlFile.Instruction;
import dev.holdfast.training.runtime.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One trainer process, what it has told, and how it is instructed.
 *
 * <p><em>Threads.</em> Any, one after the other: every method holds the job's lock, {@link #pump} for a short while at a time.
 */
final class TrainingJob {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingJob.class);
    private static final String FORCED_STOP = "forced_stop.json";
    private static final String FAILURE = "training_failure.json";
    /** Where the trainer left no record of its failure, its last lines say most. */
    private static final int FAILURE_LINES = 5;
    /** A file for each environment, looked into at every turn, would be much ado about a few episodes. */
    private static final long MONITOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JobRecord record;
    private final Clocks clocks;
    private final Duration grace;
    private final CheckpointDirectory directory;
    private final ControlFile control;
    private final MetricSeries series = new MetricSeries();
    private final long earlier;
    private final OutputReader reader;
    private final LogTail log;
    private final MonitorFiles monitor;

    private JobStatus status = JobStatus.CREATED;
    private @Nullable TrainerProcess process;
    private boolean stopRequested;
    private boolean finished;
    private boolean forcedKill;
    /** When the trainer is killed, by the clock of nanoseconds; null unless it was asked to stop. */
    private @Nullable Long killAt;

    private long monitorAt;

    private @Nullable Integer returnCode;
    private @Nullable Message ending;
    private @Nullable Map<String, ?> recovery;
    private @Nullable String failure;
    private long endMillis;

    /** Reads what there is of the run already; nothing runs yet. */
    TrainingJob(JobRecord record, Clocks clocks, Duration grace) {
        this.record = record;
        this.clocks = clocks;
        this.grace = grace;
        directory = new CheckpointDirectory(record.model(), clocks.date());
        control = new ControlFile(record.controlFile());
        if (record.resumedFrom() > 0) {
            EarlierRuns.addPoints(directory.run().resolve(EarlierRuns.PROGRESS), record.resumedFrom(), series);
        }
        earlier = series.total();
        reader = new OutputReader(new Output(), series.isEmpty() ? -1 : series.lastTimesteps());
        log = new LogTail(record.log(), record.logStart(), reader::line);
        monitorAt = clocks.nanoTime().getAsLong();
        monitor = new MonitorFiles(
                directory.run(), directory.stem(), record.config().get(Fields.ENVS));
    }

    /** What the trainer tells. */
    private final class Output implements OutputReader.Listener {
        @Override
        public void point(long timesteps, Map<String, Double> values) {
            series.add(timesteps, values);
        }

        @Override
        public void more(Map<String, Double> values) {
            series.complete(values);
        }

        @Override
        public void event(String event, Map<String, ?> details) {
            switch (event) {
                case "paused" -> become(JobStatus.PAUSED);
                case "resumed" -> become(JobStatus.RUNNING);
                case "stop_requested" -> {
                    stopRequested = true;
                    become(JobStatus.STOPPING);
                }
                case "metadata" -> finished = true;
                default -> LOG.debug("the trainer told {}", event);
            }
        }
    }

    private void become(JobStatus next) {
        if (status != JobStatus.STOPPING && !status.isTerminal()) {
            status = next;
        }
    }

    /** Takes the process that was started for this job. */
    synchronized void run(TrainerProcess process) {
        this.process = process;
        status = JobStatus.RUNNING;
    }

    /** Takes the process that an earlier life of this program had started; null if it doesn't live any more. */
    synchronized void adopt(@Nullable TrainerProcess process) {
        this.process = process;
        status = JobStatus.RUNNING;
        if (process == null) {
            readToTheEnd();
            end(null, lastSign());
        } else if (control.read() == Instruction.STOP) {
            expectStop();
        }
    }

    /** When the run's log was written last: a job that ended unseen did so then. */
    private long lastSign() {
        try {
            return Files.getLastModifiedTime(record.log()).toMillis();
        } catch (IOException e) {
            return record.startMillis();
        }
    }

    /** Reads some of what is new, and sees to what is due. Returns whether there is more to read at once. */
    synchronized boolean pump() {
        TrainerProcess running = process;
        if (running == null || status.isTerminal()) {
            return false;
        }
        // Asked before reading: what an ended process has printed is all there.
        boolean alive = running.isAlive();
        if (log.read()) {
            return true;
        }
        reader.idle();
        long now = clocks.nanoTime().getAsLong();
        if (now - monitorAt >= 0) {
            monitor.read();
            monitorAt = now + MONITOR_NANOS;
        }
        if (!alive) {
            readToTheEnd();
            end(running.exitCode(), clocks.date().millis());
        } else if (killAt != null && now - killAt >= 0) {
            LOG.warn(
                    "job {} has not stopped within {}; process {} is killed with all its children",
                    record.jobId(),
                    grace,
                    running.pid());
            forcedKill = true;
            killAt = null;
            running.killTree();
        }
        return false;
    }

    private void readToTheEnd() {
        while (log.read()) {
            // All of it.
        }
        log.end();
        reader.end();
        monitor.read();
    }

    private void end(@Nullable Integer code, long millis) {
        returnCode = code;
        endMillis = Math.max(millis, record.startMillis());
        recovery = directory.recover().toMap();
        if (forcedKill) {
            writeForcedStop();
        } else {
            forcedKill = wasForced();
        }
        if (forcedKill) {
            finish(JobStatus.STOPPED, Message.of("label.killed"));
        } else if (code == null && !finished) {
            finish(JobStatus.FAILED, Message.of("label.lost"));
        } else if (code != null && code != 0) {
            finish(JobStatus.FAILED, Message.of("label.failed", code));
        } else if (stopRequested) {
            finish(JobStatus.STOPPED, Message.of("label.stopped"));
        } else {
            finish(JobStatus.EXITED, Message.of("label.exited"));
        }
        if (status == JobStatus.FAILED) {
            failure = whyItFailed();
        }
    }

    private void finish(JobStatus last, Message text) {
        status = last;
        ending = text;
    }

    private void writeForcedStop() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("event", "forced_stop");
        map.put("reason", "grace_timeout");
        map.put("job_id", record.jobId());
        map.put("created_unix_s", clocks.date().instant().getEpochSecond());
        map.put("recovery", Objects.requireNonNull(recovery));
        try {
            JobRecord.write(directory.run().resolve(FORCED_STOP), map);
        } catch (HoldfastException e) {
            LOG.warn("that the job was killed can't be recorded: {}", e.getMessage());
        }
    }

    /** Whether an earlier life of this program had killed the trainer. */
    private boolean wasForced() {
        return process == null && read(FORCED_STOP).getOrDefault("job_id", "").equals(record.jobId());
    }

    private @Nullable String whyItFailed() {
        Map<String, @Nullable Object> recorded = read(FAILURE);
        // A trainer that could not even begin has left the record of an earlier one.
        if (recorded.get("error") instanceof String error
                && recorded.get("created_unix_s") instanceof Number created
                && created.longValue() >= record.startMillis() / 1000) {
            return error;
        }
        List<String> lines = log.last(FAILURE_LINES);
        return lines.isEmpty() ? null : String.join("\n", lines);
    }

    private Map<String, @Nullable Object> read(String name) {
        Path file = directory.run().resolve(name);
        try {
            return Files.exists(file) ? JsonText.object(Files.readString(file)).orElse(Map.of()) : Map.of();
        } catch (IOException e) {
            LOG.debug("{} can't be read", file, e);
            return Map.of();
        }
    }

    /**
     * Writes an instruction into the control file.
     *
     * @return false if there is no process to follow it, or it is stopping already and should do something else
     */
    synchronized boolean instruct(Instruction instruction) {
        TrainerProcess running = process;
        boolean stop = instruction == Instruction.STOP;
        if (running == null || status.isTerminal() || !running.isAlive() || (status == JobStatus.STOPPING && !stop)) {
            return false;
        }
        control.write(instruction);
        if (stop && killAt == null && !forcedKill) {
            expectStop();
        }
        return true;
    }

    private void expectStop() {
        stopRequested = true;
        become(JobStatus.STOPPING);
        killAt = clocks.nanoTime().getAsLong() + grace.toNanos();
    }

    /** Whether its process may still do something. */
    synchronized boolean isLive() {
        return !status.isTerminal();
    }

    String id() {
        return record.jobId();
    }

    synchronized Map<String, @Nullable Object> snapshot(StateQuery query) {
        long now = status.isTerminal() ? endMillis : clocks.date().millis();
        return new Snapshot(
                        record.jobId(),
                        status,
                        process == null ? null : process.pid(),
                        record.command(),
                        returnCode,
                        (now - record.startMillis()) / 1000.0,
                        record.config(),
                        false,
                        forcedKill,
                        log,
                        series,
                        earlier,
                        monitor.last(),
                        ending,
                        recovery,
                        failure)
                .toMap(query);
    }
}
