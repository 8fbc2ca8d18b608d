package dev.holdfast.examples.benchmark;

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

/**
 * The evaluations of one run with the default profile of its environment.
 *
 * @param seed the run's seed
 * @param points the evaluations in order, the last one at the run's end
 * @param provenance what the run was made with
 */
record LearningCurve(long seed, List<Point> points, Map<String, String> provenance) {
    static final int EPISODES = 20;

    /**
     * An evaluation of the policy's most probable actions.
     *
     * @param timesteps where in the run
     * @param meanReturn over {@link #EPISODES} episodes
     */
    record Point(long timesteps, double meanReturn) {}

    static LearningCurve train(LearningTask task, String backend, long seed, Path model) {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, task.environment())
                .set(Fields.BACKEND, backend)
                .set(Fields.SEED, seed)
                .set(Fields.EVAL_EPISODES, EPISODES)
                .set(Fields.EVAL_EVERY, task.evalEvery())
                .set(Fields.MODEL, Optional.of(model))
                .build();
        List<Point> points = new ArrayList<>();
        TrainingResult result = Trainer.of(config)
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
        return new LearningCurve(
                seed, points, new ZipCheckpointStore().load(result.model()).provenance());
    }

    /** Returns the timesteps of the first evaluation that reached a mean return. */
    OptionalLong firstAt(double meanReturn) {
        return points.stream()
                .filter(point -> point.meanReturn() >= meanReturn)
                .mapToLong(Point::timesteps)
                .findFirst();
    }

    Point end() {
        return points.get(points.size() - 1);
    }
}
