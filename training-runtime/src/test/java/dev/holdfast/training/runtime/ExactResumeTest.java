package dev.holdfast.training.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that was stopped and resumed is, byte for byte, the run that was never stopped. */
class ExactResumeTest {
    private static final long TIMESTEPS = 300;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "masked {0}, normalized {1}, {2} environment(s), {3}")
    @CsvSource({"false,false,3,sync", "true,false,3,sync", "false,true,3,thread", "true,true,1,sync"})
    @DisplayName("stopped anywhere, three times a run")
    void stoppedAnywhere(boolean masked, boolean normalized, int environments, String vector) throws IOException {
        TrainingConfig config = config(normalized, environments, vector);
        // Counts how often the run asks for the time, which it does at least once between any two steps: that many
        // places to stop.
        Ticks whole = new Ticks(new RunControl(), Integer.MAX_VALUE);
        train(config, "whole", false, masked, whole);
        int places = whole.count;
        assertThat(places).isGreaterThan(500);

        for (int first = 5; first < places; first += places / 6 + 1) {
            String name = "stopped-at-" + first;
            TrainingResult result = train(config, name, false, masked, new Ticks(new RunControl(), first));
            // Each resumed run begins anew to count; it does at least a few steps before it is stopped again.
            int stops = 1;
            while (!result.isFinished()) {
                int next = stops < 3 ? 41 + 60 * stops : Integer.MAX_VALUE;
                result = train(resumed(), name, true, masked, new Ticks(new RunControl(), next));
                stops++;
            }
            assertThat(archive(name)).as("archive of a run %s, seed 7", name).isEqualTo(archive("whole"));
            assertThat(progress(name)).as("progress of a run %s, seed 7", name).isEqualTo(progress("whole"));
            assertThat(monitors(name)).as("episodes of a run %s, seed 7", name).isEqualTo(monitors("whole"));
        }
    }

    @Test
    @DisplayName("N steps, then N more, are 2N steps; from weights alone they are not")
    void continued() throws IOException {
        TrainingConfig constant = config(false, 2, "sync").toBuilder()
                .set(Fields.LEARNING_RATE, Schedule.constant(1e-3))
                .set(Fields.CLIP_RANGE, Schedule.constant(0.2))
                .set(Fields.TIMESTEPS, 400L)
                .build();
        train(constant, "whole", false, false, new Ticks(new RunControl(), Integer.MAX_VALUE));

        TrainingConfig half = constant.toBuilder().set(Fields.TIMESTEPS, 200L).build();
        train(half, "halves", false, false, new Ticks(new RunControl(), Integer.MAX_VALUE));
        TrainingConfig more = TrainingConfig.builder()
                .set(Fields.RESUME, true)
                .set(Fields.TIMESTEPS, 400L)
                .build();
        train(more, "halves", true, false, new Ticks(new RunControl(), Integer.MAX_VALUE));
        assertThat(archive("halves")).isEqualTo(archive("whole"));
        assertThat(progress("halves")).isEqualTo(progress("whole"));

        train(half, "first", false, false, new Ticks(new RunControl(), Integer.MAX_VALUE));
        TrainingConfig fromWeights =
                half.toBuilder().set(Fields.INIT, Optional.of(model("first"))).build();
        train(fromWeights, "transferred", false, false, new Ticks(new RunControl(), Integer.MAX_VALUE));
        assertThat(archive("transferred")).isNotEqualTo(archive("whole"));
    }

    @Test
    @DisplayName("environments that can't save their state: what was collected is kept, the cut is a truncation")
    void withoutEnvironmentStates() throws IOException {
        RunControl control = new RunControl();
        AtomicInteger steps = new AtomicInteger();
        TrainingResult stopped = train(
                config(false, 3, "sync"),
                "cut",
                false,
                control,
                System::nanoTime,
                () -> new DriftEnvironment(false, false) {
                    @Override
                    public Step step(Action action) {
                        if (steps.incrementAndGet() == 100) {
                            control.requestStop("test");
                        }
                        return super.step(action);
                    }
                });
        assertThat(stopped.timesteps()).as("in the middle of a rollout").isEqualTo(102);

        TrainingResult finished = train(
                resumed(), "cut", true, new RunControl(), System::nanoTime, () -> new DriftEnvironment(false, false));
        assertThat(finished.isFinished()).isTrue();
        assertThat(finished.timesteps()).isEqualTo(TIMESTEPS);
        assertThat(progress("cut")).hasSize(1 + 5);
    }

    private static TrainingConfig config(boolean normalized, int environments, String vector) {
        return TrainingConfig.builder()
                .set(Fields.SEED, 7L)
                .set(Fields.TIMESTEPS, TIMESTEPS)
                .set(Fields.ENVS, environments)
                .set(Fields.VEC_ENV, vector)
                .set(Fields.ROLLOUT_STEPS, 60 / environments)
                .set(Fields.BATCH_SIZE, 16)
                .set(Fields.N_EPOCHS, 3)
                .set(Fields.NET_ARCH, List.of(8))
                .set(Fields.LEARNING_RATE, Schedule.linear(3e-3))
                .set(Fields.CLIP_RANGE, Schedule.linear(0.3))
                .set(Fields.NORMALIZE_OBSERVATION, normalized)
                .set(Fields.NORMALIZE_REWARD, normalized)
                .set(Fields.EVAL_EVERY, 120L)
                .set(Fields.EVAL_EPISODES, 2)
                .set(Fields.RECOVERY_EVERY, 0L)
                .set(Fields.TENSORBOARD, false)
                .build();
    }

    private static TrainingConfig resumed() {
        return TrainingConfig.builder().set(Fields.RESUME, true).build();
    }

    private TrainingResult train(TrainingConfig config, String name, boolean resume, boolean masked, Ticks ticks) {
        return train(config, name, resume, ticks.control, ticks::tick, () -> new DriftEnvironment(masked, true));
    }

    private TrainingResult train(
            TrainingConfig config,
            String name,
            boolean resume,
            RunControl control,
            LongSupplier nanoTime,
            Supplier<Environment> environment) {
        TrainingConfig there = config.toBuilder()
                .set(Fields.MODEL, Optional.of(model(name)))
                .set(Fields.RESUME, resume)
                .build();
        return Trainer.of(there)
                .environment(environment)
                .control(control)
                .clocks(Clock.systemUTC(), nanoTime)
                .build()
                .train();
    }

    private Path model(String name) {
        return folder.resolve(name).resolve("m.zip");
    }

    private byte[] archive(String name) throws IOException {
        return Files.readAllBytes(model(name));
    }

    private List<String> progress(String name) throws IOException {
        return RunFiles.progress(model(name));
    }

    private List<String> monitors(String name) throws IOException {
        return RunFiles.monitors(model(name));
    }

    /** A clock that requests a stop when it has been read a number of times. */
    private static final class Ticks {
        private final RunControl control;
        private final int stopAt;
        private int count;

        Ticks(RunControl control, int stopAt) {
            this.control = control;
            this.stopAt = stopAt;
        }

        long tick() {
            if (++count == stopAt) {
                control.requestStop("test");
            }
            return count * 1000L;
        }
    }
}
