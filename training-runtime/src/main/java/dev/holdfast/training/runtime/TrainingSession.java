package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.config.ConfigFile;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.ControlFile;
import dev.holdfast.training.runtime.control.ControlPoller;
import dev.holdfast.training.runtime.control.RunControl;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.MetricSinks;
import dev.holdfast.training.runtime.vector.VectorEnvironments;
import dev.holdfast.training.runtime.vector.WorkerOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run from its configuration to its last file: checks everything before anything on disk changes, opens what the run needs,
 * and closes it whatever happens.
 */
final class TrainingSession {
    private final TrainingConfig given;
    private final @Nullable Supplier<? extends Environment> environment;
    private final RunControl control;
    private final List<MetricSink> extraSinks;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final CheckpointDirectory directory;
    private final DurableFiles files;
    /** Why workers were replaced, in the order of time. */
    private final List<String> workerLosses = new ArrayList<>();

    private @Nullable TrainingRun run;

    TrainingSession(
            TrainingConfig given,
            Path model,
            @Nullable Supplier<? extends Environment> environment,
            RunControl control,
            List<MetricSink> extraSinks,
            Clock clock,
            LongSupplier nanoTime,
            DurableFiles files) {
        this.given = given;
        this.environment = environment;
        this.control = control;
        this.extraSinks = extraSinks;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.files = files;
        directory = new CheckpointDirectory(model, clock, files);
    }

    TrainingResult train() {
        // Under the lock already: what a resumed run goes on from may only be read while nobody else can write it.
        return RunLock.holding(directory.model(), files, () -> {
            try {
                return train(RunPlan.of(given, environment, directory));
            } catch (InvalidConfigurationException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                directory.recordFailure(
                        e,
                        run == null ? 0 : run.progress().timesteps(),
                        e instanceof EnvironmentException at ? at.environment() : null);
                throw e;
            }
        });
    }

    private TrainingResult train(RunPlan plan) {
        TrainingConfig config = plan.config();
        PpoBackend backend = Backends.named(config.get(Fields.BACKEND));
        try (VectorEnvironment environments = environments(plan, config.get(Fields.ENVS))) {
            NetworkSpec network = network(plan, environments);
            LearnerRequest request = new LearnerRequest(
                    network,
                    config.get(Fields.DEVICE),
                    config.get(Fields.THREADS),
                    plan.hyperparameters().batchSize(),
                    config.get(Fields.SEED));
            Capability.require(backend, request);
            try (PpoLearner learner = backend.createLearner(request)) {
                return train(plan, environments, network, backend, learner);
            }
        }
    }

    private VectorEnvironment environments(RunPlan plan, int count) {
        TrainingConfig config = plan.config();
        WorkerOptions options = new WorkerOptions(
                config.get(Fields.WORKER_ENVS),
                Duration.ofNanos((long) (config.get(Fields.WORKER_TIMEOUT) * 1e9)),
                config.get(Fields.WORKER_RESTARTS),
                Arrays.stream(config.get(Fields.WORKER_JVM_OPTIONS).split(" ", -1))
                        .filter(option -> !option.isBlank())
                        .toList(),
                nanoTime);
        return VectorEnvironments.create(config.get(Fields.VEC_ENV), count, plan.source(), options, workerLosses::add);
    }

    /** Resets fresh environments, which show only then whether they mask actions; those of a resumed run are restored later. */
    private static NetworkSpec network(RunPlan plan, VectorEnvironment environments) {
        TrainingConfig config = plan.config();
        Checkpoint resumed = plan.resumed();
        if (resumed != null) {
            requireSpaces("resume", resumed.network(), environments);
            return resumed.network();
        }
        Checkpoint init = plan.init();
        if (init != null) {
            requireSpaces("init", init.network(), environments);
        }
        environments.reset(config.get(Fields.SEED));
        NetworkSpec network =
                config.network(environments.observationSpace(), environments.actionSpace(), environments.masked());
        if (init != null) {
            requireSame("init", "network", init.network(), network);
        }
        return network;
    }

    static void requireSpaces(String flag, NetworkSpec saved, VectorEnvironment environments) {
        requireSame(flag, "observation_space", saved.observationSpace(), environments.observationSpace());
        requireSame(flag, "action_space", saved.actionSpace(), environments.actionSpace());
    }

    private static void requireSame(String flag, String field, Object saved, Object now) {
        if (!saved.equals(now)) {
            throw new InvalidConfigurationException(
                    flag + ": " + field + " must be the model's " + saved + ", but the environment's was " + now);
        }
    }

    private TrainingResult train(
            RunPlan plan, VectorEnvironment environments, NetworkSpec network, PpoBackend backend, PpoLearner learner) {
        TrainingConfig config = plan.config();
        Stopwatch stopwatch = new Stopwatch(nanoTime);
        Normalization normalization = new Normalization(
                environments.count(),
                environments.observationSpace(),
                config.get(Fields.NORMALIZE_OBSERVATION),
                config.get(Fields.NORMALIZE_REWARD),
                plan.hyperparameters().gamma());
        TrainingRun run = new TrainingRun(
                network,
                plan.hyperparameters(),
                environments,
                learner,
                normalization,
                config.get(Fields.SEED),
                config.get(Fields.TIMESTEPS),
                stopwatch);
        this.run = run;
        start(plan, run, normalization, learner, environments);
        if (config.get(Fields.FORCE)) {
            directory.clear();
        }
        directory.clearFailure();
        try (Evaluator evaluator = config.get(Fields.EVAL_EPISODES) == 0
                        ? null
                        : new Evaluator(environments(plan, 1), config.get(Fields.SEED));
                MetricSink sinks = sinks(config, run, plan.resumed() != null)) {
            Map<String, String> provenance = Provenance.of(config, backend, learner);
            RunRecorder recorder = new RunRecorder(
                    config, run, evaluator, directory, sinks, workerLosses, provenance, stopwatch, nanoTime);
            if (plan.resumed() != null) {
                Provenance.warnOfDifference(plan.resumed().provenance(), provenance);
            }
            ControlPoller poller = new ControlPoller(
                    control,
                    config.get(Fields.CONTROL_FILE).map(ControlFile::new).orElse(null),
                    config.get(Fields.MAX_WALL_S),
                    nanoTime,
                    recorder);
            return recorder.record(poller);
        }
    }

    private static void start(
            RunPlan plan,
            TrainingRun run,
            Normalization normalization,
            PpoLearner learner,
            VectorEnvironment environments) {
        Checkpoint resumed = plan.resumed();
        Checkpoint init = plan.init();
        if (resumed != null) {
            try {
                run.restore(resumed);
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw new HoldfastException("the checkpoint of this run is inconsistent: " + e.getMessage(), e);
            }
            requireSame("resume", "action masks", resumed.network().masked(), environments.masked());
            return;
        }
        if (init != null) {
            // A policy is handed on, not a run: its optimiser has no business with the new task.
            learner.importState(withoutOptimizer(init));
            normalization.adopt(init.normalizer());
        }
        run.start(init == null ? 0 : init.progress().timesteps());
    }

    private static LearnerState withoutOptimizer(Checkpoint checkpoint) {
        ParameterLayout layout = new ParameterLayout(checkpoint.network());
        List<Tensor> zeros = layout.split(new float[layout.size()]);
        return new LearnerState(checkpoint.learner().weights(), zeros, zeros, 0);
    }

    private MetricSink sinks(TrainingConfig config, TrainingRun run, boolean resumed) {
        Path folder = directory.run();
        long reported = resumed ? run.reportedTimesteps() : 0;
        List<MetricSink> sinks = new ArrayList<>(extraSinks);
        try {
            sinks.add(configFile(config));
            sinks.add(MetricSinks.progressCsv(folder.resolve("progress.csv"), reported, files));
            sinks.add(MetricSinks.monitorCsv(
                    folder, directory.stem(), config.get(Fields.ENV), run.reportedEpisodes(), clock, files));
            if (config.get(Fields.TENSORBOARD)) {
                sinks.add(MetricSinks.tensorBoard(folder, reported, clock, files));
            }
        } catch (RuntimeException | Error e) {
            MetricSinks.all(sinks).close();
            throw e;
        }
        return MetricSinks.all(sinks);
    }

    /** Writes {@code config.json}, and again if somebody removes it while the run goes on. */
    private MetricSink configFile(TrainingConfig config) {
        Path file = directory.run().resolve(RunPlan.CONFIG_FILE);
        byte[] content = ConfigFile.toJson(config).getBytes(StandardCharsets.UTF_8);
        files.write(file, content);
        return new MetricSink() {
            @Override
            public void record(MetricRecord record) {}

            @Override
            public void flush() {
                if (!Files.exists(file)) {
                    files.createDirectories(directory.run());
                    files.write(file, content);
                }
            }
        };
    }
}
