package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.metrics.Metric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Trains the policies of the table. Each run evaluates as it goes, and its best model is what counts. */
final class Training {
    /**
     * A policy that has learned from random instances of mixed sizes, in three stages.
     *
     * @param seed its seed
     * @param model the best model of the last stage
     * @param curve all evaluations
     */
    record General(long seed, Path model, List<Point> curve) {}

    /**
     * An evaluation of the most probable actions.
     *
     * @param stage of the curriculum
     * @param timesteps since the beginning of the first stage
     * @param gap to the first bound of the makespan, in percent, in the mean of random instances of the stage
     */
    record Point(int stage, long timesteps, double gap) {}

    private final Path runs;
    private final Effort effort;

    /**
     * Creates a trainer of policies.
     *
     * @param runs where the runs' folders go; those of an earlier table are replaced
     */
    Training(Path runs, Effort effort) {
        this.runs = runs;
        this.effort = effort;
    }

    /** Goes through the stages of problem 3, each from the best policy of the one before. */
    General general(long seed) {
        List<Point> curve = new ArrayList<>();
        Optional<Path> init = Optional.empty();
        for (int stage = 1; stage <= effort.stageSteps().size(); stage++) {
            int current = stage;
            TrainingConfig config = config(runs.resolve("general-" + seed + "/stage" + stage + "/general.zip"))
                    .set(Fields.PROBLEM, 3)
                    .set(Fields.STAGE, stage)
                    .set(Fields.CONFIG_PROFILE, stage == 1 ? "coarse-pretrain" : "fine")
                    .set(Fields.SEED, seed)
                    .set(Fields.TIMESTEPS, effort.stageSteps().get(stage - 1))
                    .set(Fields.EVAL_EVERY, effort.evalEvery())
                    .set(Fields.EVAL_EPISODES, effort.evalEpisodes())
                    .set(Fields.INIT, init)
                    .build();
            init = Optional.of(
                    train(config, (timesteps, meanReturn) -> curve.add(new Point(current, timesteps, -meanReturn))));
        }
        return new General(seed, init.orElseThrow(), curve);
    }

    /** Trains a general policy on for one instance; returns the model. */
    Path tuned(JobShopInstance instance, Path general) {
        TrainingConfig config = config(runs.resolve(instance.name() + "/" + instance.name() + ".zip"))
                .set(Fields.PROBLEM, 1)
                .set(Fields.CONFIG_PROFILE, "fine")
                .set(Fields.ENV_ARGS, Map.of("instance", instance.name()))
                .set(Fields.TIMESTEPS, effort.tuningSteps())
                .set(Fields.EVAL_EVERY, 1L)
                .set(Fields.EVAL_EPISODES, 1)
                .set(Fields.INIT, Optional.of(general))
                .build();
        return train(config, (timesteps, meanReturn) -> {});
    }

    private static TrainingConfig.Builder config(Path model) {
        return TrainingConfig.builder()
                .set(Fields.ENV, "job-shop")
                .set(Fields.MODEL, Optional.of(model))
                .set(Fields.FORCE, true)
                .set(Fields.RECOVERY_EVERY, 0L)
                .set(Fields.TENSORBOARD, false);
    }

    private interface EvaluationListener {
        void evaluated(long timesteps, double meanReturn);
    }

    /** Returns the file of the best model. */
    private static Path train(TrainingConfig config, EvaluationListener listener) {
        TrainingResult result = Trainer.of(config)
                .sink(record -> {
                    Double meanReturn = record.values().get(Metric.EVAL_MEAN_REWARD);
                    if (meanReturn != null) {
                        listener.evaluated(record.timesteps(), meanReturn);
                    }
                })
                .build()
                .train();
        return result.model()
                .resolveSibling(result.model().getFileName().toString().replace(".zip", "_best.zip"));
    }
}
