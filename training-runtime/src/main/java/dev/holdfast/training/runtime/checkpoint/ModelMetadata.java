package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the JSON beside an archive says beyond what the checkpoint itself knows.
 *
 * @param environment the environment's name
 * @param seed the run's seed
 * @param environments the number of environments
 * @param backend the backend's name
 * @param stopSignal the name of the signal that stopped the run, for example {@code SIGTERM}, or null if none did
 * @param meanReturn the mean return of the latest episodes, or null if it isn't known
 * @param wallClockSeconds how long the run has taken so far
 */
public record ModelMetadata(
        String environment,
        long seed,
        int environments,
        String backend,
        @Nullable String stopSignal,
        @Nullable Double meanReturn,
        double wallClockSeconds) {
    /** The version of the JSON beside an archive. */
    static final int FORMAT = 1;

    /**
     * Returns the hyperparameters that are in force at a point of a run, by the names of the reference implementation.
     *
     * @param hyperparameters the hyperparameters
     * @param remaining the remaining progress, from 1 to 0; clamped
     * @return {@code n_steps, batch_size, n_epochs, gamma, gae_lambda, learning_rate, clip_range, ent_coef, vf_coef,
     *     max_grad_norm} in this order. A schedule that gives no finite number is recorded as 0; one that a file couldn't hold as
     *     the last value it was known to have
     */
    public static Map<String, Number> effectiveHyperparameters(PpoHyperparameters hyperparameters, double remaining) {
        Map<String, Number> values = new LinkedHashMap<>();
        values.put("n_steps", hyperparameters.rolloutSteps());
        values.put("batch_size", hyperparameters.batchSize());
        values.put("n_epochs", hyperparameters.epochs());
        values.put("gamma", hyperparameters.gamma());
        values.put("gae_lambda", hyperparameters.gaeLambda());
        values.put("learning_rate", value(hyperparameters.learningRate(), remaining));
        values.put("clip_range", value(hyperparameters.clipRange(), remaining));
        values.put("ent_coef", hyperparameters.entCoef());
        values.put("vf_coef", hyperparameters.vfCoef());
        values.put("max_grad_norm", hyperparameters.maxGradNorm());
        return Collections.unmodifiableMap(values);
    }

    /** Returns a schedule's value, or 0: a record of a run must not be what ends it. */
    static double value(Schedule schedule, double remaining) {
        double value;
        if (schedule instanceof Schedule.Unavailable unavailable) {
            value = unavailable.last();
        } else {
            try {
                value = schedule.at(Math.min(1, Math.max(0, remaining)));
            } catch (RuntimeException e) {
                value = 0;
            }
        }
        return Double.isFinite(value) ? value : 0;
    }

    Map<String, Object> describe(
            Checkpoint checkpoint,
            boolean periodic,
            String sha256,
            List<String> checkpointFiles,
            long createdUnixSeconds) {
        long timesteps = checkpoint.progress().timesteps();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("env", environment);
        json.put("timesteps", timesteps);
        json.put("checkpoint", periodic);
        json.put("checkpoint_timesteps", timesteps);
        json.put("model_sha256", sha256);
        json.put(
                "ppo_hyperparams",
                effectiveHyperparameters(
                        checkpoint.hyperparameters(), checkpoint.progress().remaining()));
        json.put("stopped_by_signal", stopSignal != null);
        json.put("stop_signal", stopSignal);
        json.put("checkpoint_files", checkpointFiles);
        json.put("seed", seed);
        json.put("n_envs", environments);
        json.put("backend", backend);
        json.put("mean_return", meanReturn == null || !Double.isFinite(meanReturn) ? null : meanReturn);
        json.put("wall_clock_s", wallClockSeconds);
        json.put("created_unix_s", createdUnixSeconds);
        json.put("provenance", checkpoint.provenance());
        return json;
    }
}
