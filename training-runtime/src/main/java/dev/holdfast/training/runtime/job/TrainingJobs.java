package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.ControlFile;
import dev.holdfast.training.runtime.control.ControlFile.Instruction;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains in a child process, one at a time for a folder of runs, and watches and controls it from here.
 *
 * <pre>{@code
 * try (TrainingJobs jobs = TrainingJobs.in(Path.of("runs")).open()) {
 *     jobs.start(Map.of("env", "CartPole-v1", "timesteps", 50_000));
 *     Map<String, Object> job = jobs.snapshot(StateQuery.DEFAULT).orElseThrow();
 *     jobs.stop();
 * }
 * }</pre>
 *
 * <p>The trainer is {@code holdfast train} on this program's class path, in a process group of its own. It outlives this object and this
 * program: {@code <folder>/job.json} says where it is, and whoever opens the same folder next takes it over.
 *
 * <p><em>Threads.</em> Any number at once. A daemon thread, {@code holdfast-jobs}, follows the job until {@link #close}.
 */
public final class TrainingJobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingJobs.class);
    private static final String RECORD = "job.json";
    private static final String LOCK = ".job.lock";
    private static final long PUMP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Fields that are about how this program hears of the trainer. */
    private static final List<ConfigField<?>> OWN = List.of(Fields.CONTROL_FILE, Fields.PROGRESS_JSON);

    private final Path folder;
    private final List<String> trainer;
    private final Duration grace;
    private final Clocks clocks;
    private final ProcessLauncher launcher;
    private final EarlierRuns runs;
    private final Thread pump;
    private volatile boolean closed;
    private volatile @Nullable TrainingJob job;

    private TrainingJobs(Builder builder) {
        folder = builder.folder.toAbsolutePath().normalize();
        trainer = List.copyOf(builder.trainer);
        grace = builder.grace;
        clocks = builder.clocks;
        launcher = builder.launcher;
        runs = new EarlierRuns(folder);
        adopt();
        pump = new Thread(this::pumpUntilClosed, "holdfast-jobs");
        pump.setDaemon(true);
        pump.start();
    }

    /**
     * Begins with a folder of runs.
     *
     * @param folder where runs without a {@code model} go, and the record of the current job; made when it is needed
     * @return a builder; defaults: this program's {@code holdfast train}, a grace time of 60 seconds
     */
    public static Builder in(Path folder) {
        return new Builder(folder);
    }

    /** Collects what jobs need. */
    public static final class Builder {
        private final Path folder;
        private List<String> trainer = TrainerCommand.ofThisProgram();
        private Duration grace = Duration.ofSeconds(60);
        private Clocks clocks = Clocks.SYSTEM;
        private ProcessLauncher launcher = new SystemProcesses();

        private Builder(Path folder) {
            this.folder = folder;
        }

        /**
         * Sets the program that trains.
         *
         * @param command takes the options of {@code holdfast train} behind these arguments
         * @return this
         */
        public Builder trainer(List<String> command) {
            trainer = List.copyOf(command);
            return this;
        }

        /**
         * Sets how long a trainer that was asked to stop may take to save before it is killed.
         *
         * @param grace not negative
         * @return this
         */
        public Builder grace(Duration grace) {
            if (grace.isNegative()) {
                throw new InvalidConfigurationException("grace must not be negative, but was " + grace);
            }
            this.grace = grace;
            return this;
        }

        Builder clocks(Clocks clocks) {
            this.clocks = clocks;
            return this;
        }

        Builder launcher(ProcessLauncher launcher) {
            this.launcher = launcher;
            return this;
        }

        /**
         * Opens the folder, and takes over the job that an earlier program has left there, running or not.
         *
         * @return to be closed; that leaves a running trainer alone
         */
        public TrainingJobs open() {
            return new TrainingJobs(this);
        }
    }

    private void adopt() {
        JobRecord.read(folder.resolve(RECORD)).ifPresent(saved -> {
            TrainingJob found = new TrainingJob(saved.job(), clocks, grace);
            found.adopt(launcher.find(saved.pid(), saved.processStartMillis()).orElse(null));
            job = found;
        });
    }

    private void pumpUntilClosed() {
        while (!closed) {
            TrainingJob current = job;
            try {
                if (current != null && current.pump()) {
                    continue;
                }
            } catch (RuntimeException e) {
                LOG.error("the training job can't be followed for now", e);
            }
            LockSupport.parkNanos(PUMP_NANOS);
        }
    }

    /**
     * Starts a job.
     *
     * @param settings configuration keys with their values: texts, numbers, truth values, and for {@code env_args} a map. Without {@code
     *     model}, the run gets a new folder
     * @throws InvalidConfigurationException if a setting is not allowed; the message begins with its key
     * @throws JobConflictException if a job is running, or settings exclude each other
     * @throws HoldfastException if the trainer can't be started
     */
    public synchronized void start(Map<String, ? extends @Nullable Object> settings) {
        TrainingConfig given = config(settings);
        DurableFiles files = new DurableFiles();
        files.createDirectories(folder);
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = DurableFiles.tryLock(channel)) {
            if (lock == null) {
                throw new JobConflictException(Message.of("conflict.elsewhere", folder), "");
            }
            requireNoneRuns();
            TrainingConfig effective = Trainer.of(given).build().check();
            Backends.named(effective.get(Fields.BACKEND));
            launch(given, effective, files);
        } catch (IOException e) {
            throw new HoldfastException("the trainer can't be started: " + e.getMessage(), e);
        }
    }

    /** Neither here, nor by another program that has opened the folder. */
    private void requireNoneRuns() {
        TrainingJob current = job;
        if (current != null && current.isLive()) {
            throw new JobConflictException(Message.of("conflict.running", current.id()), "");
        }
        JobRecord.read(folder.resolve(RECORD)).ifPresent(saved -> {
            if (launcher.find(saved.pid(), saved.processStartMillis()).isPresent()) {
                throw new JobConflictException(
                        Message.of("conflict.running", saved.job().jobId()), "");
            }
        });
    }

    private TrainingConfig config(Map<String, ? extends @Nullable Object> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            if (value != null) {
                texts.put(key, text(key, value));
            }
        });
        boolean resume = "true".equals(texts.get(Fields.RESUME.key()));
        boolean force = "true".equals(texts.get(Fields.FORCE.key()));
        boolean named = texts.containsKey(Fields.MODEL.key());
        if (resume && force) {
            throw new JobConflictException(Message.of("conflict.excluded"), Fields.RESUME.key());
        } else if (resume && !named) {
            throw new JobConflictException(Message.of("conflict.resume"), Fields.MODEL.key());
        } else if (force && !named) {
            throw new JobConflictException(Message.of("conflict.model"), Fields.MODEL.key());
        }
        for (ConfigField<?> field : OWN) {
            if (texts.containsKey(field.key())) {
                throw new JobConflictException(Message.of("conflict.reserved", field.key()), field.key());
            }
        }
        TrainingConfig.Builder builder = TrainingConfig.builder();
        texts.forEach(builder::text);
        TrainingConfig config = builder.build();
        if (!resume && !config.isGiven(Fields.ENV)) {
            throw new InvalidConfigurationException("env must be given: the name of an environment");
        }
        Path model =
                config.get(Fields.MODEL).orElseGet(() -> CheckpointDirectory.freeModel(folder, config.get(Fields.ENV)));
        Path run = Objects.requireNonNull(model.toAbsolutePath().getParent());
        return config.toBuilder()
                .set(Fields.MODEL, Optional.of(model))
                .set(Fields.CONTROL_FILE, Optional.of(run.resolve("control.json")))
                .set(Fields.PROGRESS_JSON, true)
                .build();
    }

    private static String text(String key, Object value) {
        if (value instanceof Map<?, ?> map && key.equals(Fields.ENV_ARGS.key())) {
            List<String> pairs = new ArrayList<>();
            map.forEach((name, argument) -> pairs.add(name + "=" + scalar(key, argument)));
            return String.join("\n", pairs);
        }
        return scalar(key, value);
    }

    private static String scalar(String key, @Nullable Object value) {
        if (value instanceof String || value instanceof Boolean) {
            return value.toString();
        } else if (value instanceof Number number) {
            long whole = number.longValue();
            return whole == number.doubleValue() ? Long.toString(whole) : number.toString();
        }
        throw new InvalidConfigurationException(key + " must be a text, a number or a truth value, but was " + value);
    }

    private void launch(TrainingConfig given, TrainingConfig effective, DurableFiles files) throws IOException {
        Path model = given.get(Fields.MODEL).orElseThrow();
        CheckpointDirectory directory = new CheckpointDirectory(model, clocks.date());
        long resumedFrom = given.get(Fields.RESUME) ? directory.recover().timesteps() : 0;
        files.createDirectories(directory.run());
        Path controlFile = given.get(Fields.CONTROL_FILE).orElseThrow();
        // What an earlier job was told is no instruction for this one.
        new ControlFile(controlFile).write(Instruction.NONE);
        Path log = directory.run().resolve(directory.stem() + "_job.log");
        List<String> command = new ArrayList<>(trainer);
        command.addAll(TrainerCommand.options(given));
        JobRecord started = new JobRecord(
                UUID.randomUUID().toString(),
                command,
                effective,
                controlFile,
                log,
                Files.exists(log) ? Files.size(log) : 0,
                clocks.date().millis(),
                resumedFrom);
        TrainingJob next = new TrainingJob(started, clocks, grace);
        TrainerProcess process = launcher.start(command, log);
        try {
            started.save(folder.resolve(RECORD), process);
        } catch (HoldfastException e) {
            // A trainer that nobody could find again had better not run.
            process.killTree();
            throw e;
        }
        next.run(process);
        job = next;
    }

    /**
     * Lets the job stand still as soon as it can.
     *
     * @return whether there is one that was told so
     */
    public boolean pause() {
        return instruct(Instruction.PAUSE);
    }

    /**
     * Lets a paused job go on.
     *
     * @return whether there is one that was told so
     */
    public boolean resume() {
        return instruct(Instruction.RUN);
    }

    /**
     * Lets the job save and end. If it hasn't within the grace time, it is killed with all its children, and {@code forced_stop.json} in
     * its folder says so.
     *
     * @return whether there is one that was told so
     */
    public boolean stop() {
        return instruct(Instruction.STOP);
    }

    private boolean instruct(Instruction instruction) {
        TrainingJob current = job;
        return current != null && current.instruct(instruction);
    }

    /**
     * Returns what is known of the job, running or ended.
     *
     * @param query how much of it
     * @return texts, numbers, truth values, null, and lists and maps of these by key; empty if there was no job yet
     */
    public Optional<Map<String, @Nullable Object>> snapshot(StateQuery query) {
        TrainingJob current = job;
        return current == null ? Optional.empty() : Optional.of(current.snapshot(query));
    }

    /**
     * Returns the folder of runs.
     *
     * @return an absolute path
     */
    public Path folder() {
        return folder;
    }

    /**
     * Lists the runs in the folder.
     *
     * @return at most 200, the newest first; keys {@code run env backend timesteps planned_timesteps ep_rew_mean modified_unix_s model
     *     has_model can_resume}
     */
    public List<Map<String, @Nullable Object>> runs() {
        return runs.list();
    }

    /**
     * Returns the points of a run in the folder.
     *
     * @param run as {@link #runs} names it
     * @param limit how many at most
     * @return points as in a snapshot
     * @throws InvalidConfigurationException if there is no such run
     */
    public List<Map<String, Number>> points(String run, int limit) {
        return runs.points(run, limit);
    }

    /**
     * Returns a file of a run in the folder.
     *
     * @param run as {@link #runs} names it
     * @param what {@code csv} for its progress, {@code model} for its final model
     * @return an existing file
     * @throws InvalidConfigurationException if there is no such run or file
     */
    public Path file(String run, String what) {
        return runs.file(run, what);
    }

    /** Looks no more. A running trainer goes on. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(pump);
    }
}
