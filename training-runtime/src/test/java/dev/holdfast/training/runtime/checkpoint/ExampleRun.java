package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the examples of runs of format 1 among the test resources: one that was stopped while it collected, and one while it
 * learned. {@link ExampleArchive} says what becomes of them. What the trainer keeps in a checkpoint is its own affair and no part of
 * the format, but whatever a released version kept must be resumed by every later one.
 */
final class ExampleRun {
    private ExampleRun() {}

    /** Writes {@code run-1-collect.zip} and {@code run-1-update.zip} into the directory that is given. */
    public static void main(String[] arguments) throws IOException {
        for (Phase phase : new Phase[] {Phase.COLLECT, Phase.UPDATE}) {
            Checkpoint stopped = stoppedIn(phase);
            // It has the provenance of no machine: which one it was must not matter.
            Checkpoint example = new Checkpoint(
                    stopped.network(),
                    stopped.hyperparameters(),
                    stopped.settings(),
                    stopped.progress(),
                    stopped.learner(),
                    stopped.normalizer(),
                    stopped.random(),
                    stopped.rollout(),
                    stopped.environments(),
                    Map.of("backend", "java", "library", "holdfast 0.1.0"));
            String name = "run-1-" + phase.name().toLowerCase(Locale.ROOT) + ".zip";
            new ZipCheckpointStore().save(example, Path.of(arguments[0], name));
        }
    }

    /** Trains until a stop falls into a phase of the second iteration. */
    private static Checkpoint stoppedIn(Phase phase) throws IOException {
        Path folder = Files.createTempDirectory("example-run");
        try {
            for (int reads = 1; ; reads++) {
                Path model = folder.resolve(reads + "/q3.zip");
                Checkpoint checkpoint = stoppedAt(model, reads);
                if (checkpoint.progress().phase() == phase
                        && checkpoint.progress().iterations() == 1
                        && checkpoint.progress().step() + checkpoint.progress().miniBatch() > 0) {
                    return checkpoint;
                }
            }
        } finally {
            Folders.delete(folder);
        }
    }

    private static Checkpoint stoppedAt(Path model, int reads) {
        RunControl control = new RunControl();
        int[] count = new int[1];
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "Drift-v0")
                .text("env_args", "masked=true")
                .set(Fields.ENVS, 2)
                .set(Fields.SEED, 7L)
                .set(Fields.TIMESTEPS, 320L)
                .set(Fields.NORMALIZE_OBSERVATION, true)
                .set(Fields.NORMALIZE_REWARD, true)
                .set(Fields.EVAL_EPISODES, 0)
                .set(Fields.TENSORBOARD, false)
                .set(Fields.MODEL, Optional.of(model))
                .build();
        Trainer.of(config)
                .control(control)
                .clocks(Clock.systemUTC(), () -> {
                    if (++count[0] == reads) {
                        control.requestStop("test");
                    }
                    return count[0];
                })
                .build()
                .train();
        return new ZipCheckpointStore().load(model);
    }
}
