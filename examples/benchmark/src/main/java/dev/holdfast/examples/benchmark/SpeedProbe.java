package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.training.runtime.Activity;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Trains the same run several times and prints how long that took, as JSON. Started in a JVM of its own by {@link BenchmarkRun},
 * with the seconds of warm-up, the number of measured runs, and {@code key=value} for each field of the configuration.
 */
final class SpeedProbe {
    private SpeedProbe() {}

    /**
     * What is printed.
     *
     * @param kernel the backend's kernel
     * @param timesteps environment steps of each run
     * @param updateFlops floating-point operations of the gradient steps of each run, in matrix products
     * @param seconds how long each run took, from the configuration to the saved model; with worker processes, from when they are ready
     * @param activitySeconds what all runs together spent on each activity
     */
    record Runs(
            String kernel,
            long timesteps,
            double updateFlops,
            List<Double> seconds,
            Map<Activity, Double> activitySeconds) {}

    public static void main(String[] arguments) throws IOException {
        ChildJvm.endWithParent();
        TrainingConfig.Builder config = TrainingConfig.builder();
        for (String pair : Arrays.asList(arguments).subList(2, arguments.length)) {
            int equals = pair.indexOf('=');
            config.text(pair.substring(0, equals), pair.substring(equals + 1));
        }
        ChildJvm.print(measure(Double.parseDouble(arguments[0]), Integer.parseInt(arguments[1]), config.build()));
    }

    static Runs measure(double warmupSeconds, int runs, TrainingConfig config) throws IOException {
        try (TemporaryFolder folder = new TemporaryFolder()) {
            long begin = System.nanoTime();
            for (int i = 0; i == 0 || (System.nanoTime() - begin) / 1e9 < warmupSeconds; i++) {
                train(config, folder.path().resolve("warmup" + i + "/model.zip"));
            }
            List<Double> seconds = new ArrayList<>();
            Map<Activity, Double> activities = new EnumMap<>(Activity.class);
            Path model = folder.path();
            long timesteps = 0;
            for (int i = 0; i < runs; i++) {
                model = folder.path().resolve("run" + i + "/model.zip");
                long start = System.nanoTime();
                TrainingResult result = train(config, model);
                double wholeSeconds = (System.nanoTime() - start) / 1e9;
                seconds.add(config.get(Fields.VEC_ENV).equals("process") ? seconds(result) : wholeSeconds);
                timesteps = result.timesteps();
                result.time()
                        .forEach((activity, time) -> activities.merge(activity, time.toNanos() / 1e9, Double::sum));
            }
            Checkpoint checkpoint = new ZipCheckpointStore().load(model);
            double flops = (double) timesteps
                    * checkpoint.hyperparameters().epochs()
                    * Flops.ofUpdate(new ParameterLayout(checkpoint.network()));
            return new Runs(
                    checkpoint.provenance().getOrDefault("kernel", "unknown"), timesteps, flops, seconds, activities);
        }
    }

    private static double seconds(TrainingResult result) {
        return result.time().values().stream().mapToLong(Duration::toNanos).sum() / 1e9;
    }

    private static TrainingResult train(TrainingConfig config, Path model) {
        return Trainer.of(
                        config.toBuilder().set(Fields.MODEL, Optional.of(model)).build())
                .build()
                .train();
    }
}
