package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.training.runtime.RunFiles;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk.Fault;
import dev.holdfast.training.runtime.checkpoint.Folders;
import dev.holdfast.training.runtime.checkpoint.Recovery;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.metrics.MetricSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run of five iterations of 64 steps that writes every kind of file, and what it leaves if nothing disturbs it. */
final class SmallRun {
    static final long TIMESTEPS = 320;

    private final Path model;

    SmallRun(Path folder) {
        model = folder.resolve("run/q3.zip");
    }

    Path model() {
        return model;
    }

    Path folder() {
        return model.getParent();
    }

    Path file(String name) {
        return folder().resolve(name);
    }

    /** Returns what is given on the command line when the run begins, but for the model. */
    static TrainingConfig.Builder options() {
        return TrainingConfig.builder()
                .set(Fields.ENV, "Drift-v0")
                .set(Fields.ENVS, 2)
                .set(Fields.SEED, 7L)
                .set(Fields.TIMESTEPS, TIMESTEPS)
                .set(Fields.CHECKPOINT_EVERY, 128L)
                .set(Fields.CHECKPOINT_KEEP, 2)
                .set(Fields.RECOVERY_EVERY, 64L)
                .set(Fields.EVAL_EVERY, 128L)
                .set(Fields.EVAL_EPISODES, 1);
    }

    TrainingResult begin(DurableFiles files, MetricSink... sinks) {
        return train(options(), Clock.systemUTC(), files, sinks);
    }

    TrainingResult resume(DurableFiles files, MetricSink... sinks) {
        return train(TrainingConfig.builder().set(Fields.RESUME, true), Clock.systemUTC(), files, sinks);
    }

    TrainingResult train(TrainingConfig.Builder config, Clock clock, DurableFiles files, MetricSink... sinks) {
        Trainer.Builder trainer =
                Trainer.of(config.set(Fields.MODEL, Optional.of(model)).build()).clocks(clock, () -> 0);
        Arrays.stream(sinks).forEach(trainer::sink);
        return RunFiles.writtenBy(files, trainer).build().train();
    }

    /** Begins, and is killed when the logs have an iteration that isn't saved yet: the newest archive is that of the one before. */
    void beginAndDie(long timesteps) {
        FaultyDisk disk = new FaultyDisk();
        MetricSink killer = record -> {
            if (record.timesteps() == timesteps) {
                // After the two writes of progress.csv and TensorBoard's file.
                disk.fault(Fault.CRASH, disk.operations() + 3);
            }
        };
        assertThatThrownBy(() -> begin(disk.files(), killer)).isInstanceOf(FaultyDisk.Crash.class);
    }

    Recovery recovery() {
        return new CheckpointDirectory(model, Clock.systemUTC()).recover();
    }

    /** Lets it go on, or begin if there is nothing to go on from, on a healthy disk; it must end as if nothing had happened. */
    void endsAs(Outcome undisturbed, String what) throws IOException {
        TrainingResult result = recovery().canResume() ? resume(new DurableFiles()) : begin(new DurableFiles());
        assertThat(result.isFinished()).as(what).isTrue();
        hasEndedAs(undisturbed, what);
    }

    void hasEndedAs(Outcome undisturbed, String what) throws IOException {
        Outcome outcome = outcome();
        assertThat(outcome.progress()).as(what).isEqualTo(undisturbed.progress());
        assertThat(outcome.monitors()).as(what).isEqualTo(undisturbed.monitors());
        assertThat(outcome.tensorBoard()).as(what).isEqualTo(undisturbed.tensorBoard());
        assertThat(outcome.archive().equals(undisturbed.archive()))
                .as("archives are equal: %s", what)
                .isTrue();
        assertThat(file("training_failure.json")).as(what).doesNotExist();
        assertThat(Folders.temporaries(folder())).as(what).isEmpty();
    }

    Outcome outcome() throws IOException {
        return new Outcome(
                ByteBuffer.wrap(Files.readAllBytes(model)),
                RunFiles.progress(model),
                RunFiles.monitors(model),
                RunFiles.tensorBoard(model));
    }

    /** What a run leaves, but for times. */
    record Outcome(
            ByteBuffer archive,
            List<String> progress,
            List<String> monitors,
            Map<Long, Map<String, Float>> tensorBoard) {}
}
