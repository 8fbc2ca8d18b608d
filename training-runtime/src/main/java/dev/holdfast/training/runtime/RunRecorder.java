package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory.Saved;
import dev.holdfast.training.runtime.checkpoint.ModelMetadata;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.ControlPoller;
import dev.holdfast.training.runtime.metrics.EpisodeRecord;
import dev.holdfast.training.runtime.metrics.Metric;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.RunEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to what a run leaves behind: metrics, events, evaluations, checkpoints, the model. */
final class RunRecorder implements TrainingRun.Reporter, ControlPoller.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RunRecorder.class);

    private final TrainingConfig config;
    private final Map<String, String> settings;
    private final TrainingRun run;
    private final @Nullable Evaluator evaluator;
    private final CheckpointDirectory directory;
    private final MetricSink sinks;
    private final List<String> workerLosses;
    private final Map<String, String> provenance;
    private final Stopwatch stopwatch;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private final long startTimesteps;
    private BooleanSupplier interrupted = () -> false;
    private @Nullable String stopSource;
    private int toldLosses;

    RunRecorder(
            TrainingConfig config,
            TrainingRun run,
            @Nullable Evaluator evaluator,
            CheckpointDirectory directory,
            MetricSink sinks,
            List<String> workerLosses,
            Map<String, String> provenance,
            Stopwatch stopwatch,
            LongSupplier nanoTime) {
        this.config = config;
        this.settings = ResumedConfig.settings(config);
        this.run = run;
        this.evaluator = evaluator;
        this.directory = directory;
        this.sinks = sinks;
        this.workerLosses = workerLosses;
        this.provenance = provenance;
        this.stopwatch = stopwatch;
        this.nanoTime = nanoTime;
        startNanos = nanoTime.getAsLong();
        startTimesteps = run.progress().timesteps();
    }

    /**
     * Lets the run go on to its end or to a stop, and saves it.
     *
     * @param interrupted asked between any two steps
     */
    TrainingResult record(BooleanSupplier interrupted) {
        this.interrupted = interrupted;
        try {
            // Before the first step: a run that can't be saved had better not begin.
            saveRecoveryPoint();
            boolean finished = run.run(interrupted, this);
            Evaluation evaluation = finished ? evaluate() : null;
            stopwatch.spent(Activity.EVALUATION);
            return finish(evaluation);
        } catch (RuntimeException e) {
            saveAfterFailure(e);
            throw e;
        }
    }

    /**
     * What is in memory is sound after an exception; it is not known to be after an Error. Each thing is saved by itself: the failure
     * may have been that of a log, which must not cost what was learned.
     */
    private void saveAfterFailure(RuntimeException failure) {
        attempt(failure, "the logs", sinks::flush);
        attempt(failure, "what was learned", () -> directory.saveRolling(checkpoint(), metadata(null)));
    }

    private static void attempt(RuntimeException failure, String what, Runnable save) {
        try {
            save.run();
        } catch (RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            LOG.error("{} since the last checkpoint can't be saved: {}", what, e.getMessage());
        }
    }

    private TrainingResult finish(@Nullable Evaluation evaluation) {
        // Logs first: a checkpoint that is on disk must not be ahead of them.
        sinks.flush();
        Checkpoint checkpoint = checkpoint();
        if (stopSource != null) {
            directory.saveRolling(checkpoint, metadata(evaluation));
        }
        Saved saved =
                directory.saveFinal(checkpoint, metadata(evaluation), stopSource == null ? "finished" : stopSource);
        stopwatch.spent(Activity.SAVING);
        if (stopSource != null) {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("signal", stopSource);
            details.put("model", saved.model().toString());
            details.put("timesteps", checkpoint.progress().timesteps());
            sinks.event(RunEvent.savedAfterStop(details));
        }
        tellLosses();
        sinks.event(RunEvent.metadata(saved.metadata()));
        stopwatch.spent(Activity.LOGGING);
        return new TrainingResult(
                saved.model(),
                checkpoint.progress().timesteps(),
                stopSource,
                evaluation,
                checkpoint.policy(),
                workerLosses,
                stopwatch.shares());
    }

    @Override
    public void episode(int environment, double episodeReturn, long length) {
        sinks.episode(new EpisodeRecord(environment, episodeReturn, length, elapsed()));
    }

    @Override
    public boolean evaluate(Map<Metric, Double> metrics) {
        if (evaluator == null || !due(config.get(Fields.EVAL_EVERY))) {
            return true;
        }
        Evaluation evaluation = evaluate();
        if (evaluation == null) {
            return false;
        }
        metrics.put(Metric.EVAL_MEAN_REWARD, evaluation.meanReturn());
        metrics.put(Metric.EVAL_STD_REWARD, evaluation.stdReturn());
        metrics.put(Metric.EVAL_MEAN_EP_LENGTH, evaluation.meanLength());
        return true;
    }

    /** Returns null if there is nothing to evaluate with, or it was interrupted. */
    private @Nullable Evaluation evaluate() {
        return evaluator == null
                ? null
                : evaluator.evaluate(
                        run.policy(),
                        run.normalization().observationNormalizer(),
                        config.get(Fields.EVAL_EPISODES),
                        null,
                        interrupted);
    }

    @Override
    public void report(Map<Metric, Double> metrics) {
        double elapsed = elapsed();
        long timesteps = run.progress().timesteps();
        metrics.put(Metric.TIME_ELAPSED, Math.floor(elapsed));
        metrics.put(Metric.FPS, Math.floor((timesteps - startTimesteps) / Math.max(elapsed, 1e-9)));
        if (config.get(Fields.VEC_ENV).equals("process")) {
            metrics.put(Metric.WORKER_RESTARTS, (double) workerLosses.size());
        }
        tellLosses();
        sinks.record(new MetricRecord(timesteps, metrics));
        stopwatch.spent(Activity.LOGGING);
    }

    private void tellLosses() {
        for (; toldLosses < workerLosses.size(); toldLosses++) {
            sinks.event(RunEvent.workerReplaced(
                    workerLosses.get(toldLosses), run.progress().timesteps()));
        }
    }

    @Override
    public void iterationEnded(Map<Metric, Double> metrics) {
        Double evaluated = metrics.get(Metric.EVAL_MEAN_REWARD);
        boolean best = evaluated != null && run.isBest(evaluated);
        boolean periodic = due(config.get(Fields.CHECKPOINT_EVERY));
        boolean rolling = due(config.get(Fields.RECOVERY_EVERY));
        if (best || periodic || rolling) {
            sinks.flush();
            Checkpoint checkpoint = checkpoint();
            ModelMetadata metadata = metadata(null);
            if (best) {
                directory.saveBest(checkpoint, metadata);
            }
            if (periodic) {
                directory.savePeriodic(checkpoint, metadata, config.get(Fields.CHECKPOINT_KEEP));
            }
            if (rolling) {
                directory.saveRolling(checkpoint, metadata);
            }
        }
        stopwatch.spent(Activity.SAVING);
    }

    /** Whether a multiple of an interval was reached or passed by the iteration that just ended. */
    private boolean due(long interval) {
        long now = run.progress().timesteps() - run.progress().startTimesteps();
        return interval > 0 && now / interval > (now - run.samplesPerIteration()) / interval;
    }

    private void saveRecoveryPoint() {
        sinks.flush();
        directory.saveRolling(checkpoint(), metadata(null));
    }

    private Checkpoint checkpoint() {
        return run.checkpoint(settings, provenance);
    }

    private ModelMetadata metadata(@Nullable Evaluation evaluation) {
        double recent = run.episodes().meanReturn();
        return new ModelMetadata(
                config.get(Fields.ENV),
                config.get(Fields.SEED),
                config.get(Fields.ENVS),
                config.get(Fields.BACKEND),
                stopSource,
                evaluation != null ? Double.valueOf(evaluation.meanReturn()) : Double.isNaN(recent) ? null : recent,
                elapsed());
    }

    private double elapsed() {
        return (nanoTime.getAsLong() - startNanos) / 1e9;
    }

    @Override
    public void paused() {
        sinks.event(RunEvent.paused(run.progress().timesteps()));
        sinks.flush();
    }

    @Override
    public void resumed() {
        sinks.event(RunEvent.resumed(run.progress().timesteps()));
        stopwatch.skip();
    }

    @Override
    public void stopRequested(String source) {
        stopSource = source;
        sinks.event(RunEvent.stopRequested(source));
    }
}
