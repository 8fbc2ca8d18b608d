package dev.holdfast.examples.benchmark;

import dev.holdfast.examples.environments.TabularEnvironment;
import dev.holdfast.examples.environments.TabularOptimum;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.training.runtime.Evaluation;
import dev.holdfast.training.runtime.PolicyPlayer;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.metrics.Metric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The evaluations of one run with the default profile of its environment.
 *
 * @param seed the run's seed
 * @param points the evaluations in order, the last one at the run's end
 * @param end what the trained policy reaches in {@link #END_EPISODES} episodes
 * @param optimality how good its choices are, where that is known
 * @param provenance what the run was made with
 */
record LearningCurve(
        long seed,
        List<Point> points,
        Evaluation end,
        @Nullable Optimality optimality,
        Map<String, String> provenance) {
    static final int EPISODES = 20;
    static final int END_EPISODES = 100;

    /**
     * An evaluation of the policy's most probable actions.
     *
     * @param timesteps where in the run
     * @param meanReturn over {@link #EPISODES} episodes
     */
    record Point(long timesteps, double meanReturn) {}

    /**
     * A policy beside the best one for its discount, computed from the environment's table.
     *
     * @param expectedReturn the expected return of an episode
     * @param optimalReturn that of the best policy
     * @param states the number of states in which the policy may have to choose
     * @param worse in how many of them it doesn't choose one of the best actions
     */
    record Optimality(double expectedReturn, double optimalReturn, int states, int worse) {
        static Optimality of(TabularEnvironment environment, Policy policy, double gamma) {
            TabularOptimum optimum = TabularOptimum.of(environment, gamma);
            IntUnaryOperator choice = state -> policy.act(new float[] {state}, environment.actionMask(state), null)
                    .index();
            TabularEnvironment.Prospect prospect = environment.follow(choice);
            int worse = (int) prospect.states().stream()
                    .filter(state -> !optimum.isBest(state, choice.applyAsInt(state)))
                    .count();
            return new Optimality(
                    prospect.expectedReturn(),
                    environment.follow(optimum::best).expectedReturn(),
                    prospect.states().cardinality(),
                    worse);
        }
    }

    static LearningCurve train(LearningTask task, String backend, long seed, Path model) {
        return train(task, backend, seed, model, Map.of());
    }

    /** Trains with some settings other than the profile's. */
    static LearningCurve train(LearningTask task, String backend, long seed, Path model, Map<String, String> settings) {
        TrainingConfig.Builder builder = TrainingConfig.builder()
                .set(Fields.ENV, task.environment())
                .set(Fields.ENV_ARGS, task.arguments())
                .set(Fields.BACKEND, backend)
                .set(Fields.SEED, seed)
                .set(Fields.EVAL_EPISODES, EPISODES)
                .set(Fields.EVAL_EVERY, task.evalEvery())
                .set(Fields.RECOVERY_EVERY, 0L)
                .set(Fields.TENSORBOARD, false)
                .set(Fields.MODEL, Optional.of(model));
        settings.forEach(builder::text);
        List<Point> points = new ArrayList<>();
        TrainingResult result = Trainer.of(builder.build())
                .sink(record -> {
                    Double meanReturn = record.values().get(Metric.EVAL_MEAN_REWARD);
                    if (meanReturn != null) {
                        points.add(new Point(record.timesteps(), meanReturn));
                    }
                })
                .build()
                .train();
        Point end = new Point(
                result.timesteps(),
                Objects.requireNonNull(result.evaluation(), "the run was stopped")
                        .meanReturn());
        if (!points.contains(end)) {
            points.add(end);
        }
        Checkpoint checkpoint = new ZipCheckpointStore().load(result.model());
        return new LearningCurve(
                seed,
                points,
                PolicyPlayer.play(result.model(), Map.of(), END_EPISODES, seed, false),
                optimality(
                        task,
                        result.policy(),
                        Double.parseDouble(checkpoint.settings().get("gamma"))),
                checkpoint.provenance());
    }

    private static @Nullable Optimality optimality(LearningTask task, Policy policy, double gamma) {
        EnvironmentProvider provider = Environments.named(task.environment());
        try (Environment environment = provider.create(EnvironmentOptions.of(provider, task.arguments(), 1, 1, ""))) {
            return environment instanceof TabularEnvironment tabular ? Optimality.of(tabular, policy, gamma) : null;
        }
    }

    /** Returns the timesteps of the first evaluation that reached a mean return. */
    OptionalLong firstAt(double meanReturn) {
        return points.stream()
                .filter(point -> point.meanReturn() >= meanReturn)
                .mapToLong(Point::timesteps)
                .findFirst();
    }

    /** Returns the timesteps at the run's end. */
    long timesteps() {
        return points.get(points.size() - 1).timesteps();
    }
}
