package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.space.Space;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run may go on with any backend from where another one left it. */
class PortableCheckpointTest {
    private static final int ROLLOUT = 128;
    private static final double LEARNING_RATE = 1e-3;

    @TempDir
    private Path folder;

    static Stream<Arguments> moves() {
        List<String> backends =
                Backends.all().stream().map(PpoBackend::name).sorted().toList();
        assertThat(backends).containsExactly("djl", "dl4j", "java");

        return backends.stream()
                .flatMap(from -> backends.stream()
                        .filter(to -> !to.equals(from))
                        .flatMap(to -> Stream.of("CartPole-v1", "InvalidAction-v0")
                                .map(name -> Arguments.of(name, from, to))));
    }

    @ParameterizedTest(name = "{0} from {1} to {2}")
    @MethodSource("moves")
    void goesOnWhereTheOtherBackendStopped(String environment, String from, String to) throws IOException {
        // In the third rollout: there are moments, running statistics, and samples not yet learned from.
        TrainingResult stopped = train(environment, config(environment, from), "stay", 2 * ROLLOUT + ROLLOUT / 2);
        assertThat(stopped.isFinished()).isFalse();
        Checkpoint before = checkpoint("stay");
        assertThat(before.progress().phase()).isEqualTo(Phase.COLLECT);
        assertThat(before.progress().iterations()).isEqualTo(2);
        assertThat(before.progress().step()).isPositive();
        copyRun("stay", "move");

        // The other backend imports it, and saves it again.
        train(environment, resumed(to), "move", 0);
        Checkpoint after = checkpoint("move");
        assertThat(after.provenance()).containsEntry("backend", to);
        assertThat(after.network()).isEqualTo(before.network());
        assertThat(after.hyperparameters()).isEqualTo(before.hyperparameters());
        assertThat(after.progress()).isEqualTo(before.progress());
        assertThat(after.learner()).isEqualTo(before.learner());
        assertThat(after.normalizer()).isNotEmpty().isEqualTo(before.normalizer());
        assertThat(after.rollout()).isNotEmpty().isEqualTo(before.rollout());
        assertThat(after.environments()).usingRecursiveComparison().isEqualTo(before.environments());
        assertThat(after.random().keySet()).isEqualTo(before.random().keySet());
        after.random()
                .forEach((name, state) ->
                        assertThat(state).as(name).isEqualTo(before.random().get(name)));

        // Both go on to the end of this rollout and learn from it.
        train(environment, resumed(from), "stay", Integer.MAX_VALUE);
        train(environment, resumed(to), "move", Integer.MAX_VALUE);
        Checkpoint stayed = checkpoint("stay");
        Checkpoint moved = checkpoint("move");
        assertThat(moved.progress()).isEqualTo(stayed.progress());
        assertThat(moved.progress().iterations()).isEqualTo(3);
        assertThat(moved.normalizer()).isEqualTo(stayed.normalizer());
        assertThat(moved.learner()).isNotEqualTo(before.learner());
        assertThat(moved.learner().step()).isEqualTo(stayed.learner().step());
        assertAgree(stayed, moved);
    }

    /** Two steps were taken from equal weights. Where Adam divides a gradient by little else than its own rounding, they may differ. */
    private static void assertAgree(Checkpoint stayed, Checkpoint moved) {
        ParameterLayout layout = new ParameterLayout(stayed.network());
        float[] expected = layout.join(stayed.learner().weights());
        float[] actual = layout.join(moved.learner().weights());
        LearnerState learner = stayed.learner();
        float[] second = layout.join(learner.secondMoments());
        double correction = 1 - Math.pow(UpdateSettings.BETA2, (double) learner.step());
        for (int i = 0; i < expected.length; i++) {
            double root = Math.sqrt(second[i] / correction);
            double amplified = LEARNING_RATE * Math.min(1, 1e-7 / (root + UpdateSettings.EPSILON));
            assertThat((double) actual[i])
                    .as("weight %s", i)
                    .isCloseTo(expected[i], within(1e-6 + 1e-6 * Math.abs(expected[i]) + amplified));
        }
    }

    private static TrainingConfig config(String environment, String backend) {
        return TrainingConfig.builder()
                .set(Fields.BACKEND, backend)
                .set(Fields.SEED, 11L)
                .set(Fields.TIMESTEPS, 3L * ROLLOUT)
                .set(Fields.ENVS, 2)
                .set(Fields.ROLLOUT_STEPS, ROLLOUT / 2)
                .set(Fields.BATCH_SIZE, ROLLOUT / 2)
                .set(Fields.N_EPOCHS, 1)
                .set(Fields.NET_ARCH, List.of(32, 16))
                .set(Fields.LEARNING_RATE, Schedule.linear(LEARNING_RATE))
                .set(Fields.CLIP_RANGE, Schedule.linear(0.2))
                .set(Fields.NORMALIZE_OBSERVATION, environment.equals("CartPole-v1"))
                .set(Fields.NORMALIZE_REWARD, true)
                .set(Fields.TENSORBOARD, false)
                .build();
    }

    private static TrainingConfig resumed(String backend) {
        return TrainingConfig.builder()
                .set(Fields.RESUME, true)
                .set(Fields.BACKEND, backend)
                .build();
    }

    /** Trains until an environment step, counted from the start of this call; 0 stops it before the first one. */
    private TrainingResult train(String environment, TrainingConfig config, String run, int stopAt) {
        RunControl control = new RunControl();
        if (stopAt == 0) {
            control.requestStop("test");
        }
        AtomicInteger steps = new AtomicInteger();
        TrainingConfig there =
                config.toBuilder().set(Fields.MODEL, Optional.of(model(run))).build();
        EnvironmentProvider provider = Environments.named(environment);
        return Trainer.of(there)
                .environment(() ->
                        new Watched(provider.create(EnvironmentOptions.of(provider, Map.of(), 1, 1, "")), () -> {
                            if (steps.incrementAndGet() == stopAt) {
                                control.requestStop("test");
                            }
                        }))
                .control(control)
                .build()
                .train();
    }

    private Path model(String run) {
        return folder.resolve(run).resolve("model.zip");
    }

    private Checkpoint checkpoint(String run) {
        return new ZipCheckpointStore().load(model(run));
    }

    private void copyRun(String from, String to) throws IOException {
        Path source = folder.resolve(from);
        try (Stream<Path> paths = Files.walk(source)) {
            paths.forEach(path -> {
                try {
                    Files.copy(
                            path,
                            folder.resolve(to).resolve(source.relativize(path).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** An environment that tells of its steps. */
    private record Watched(Environment environment, Runnable stepped) implements Environment {
        @Override
        public Space observationSpace() {
            return environment.observationSpace();
        }

        @Override
        public Space actionSpace() {
            return environment.actionSpace();
        }

        @Override
        public float[] reset(long seed) {
            return environment.reset(seed);
        }

        @Override
        public Step step(Action action) {
            stepped.run();
            return environment.step(action);
        }

        @Override
        public boolean @Nullable [] actionMask() {
            return environment.actionMask();
        }

        @Override
        public byte @Nullable [] saveState() {
            return environment.saveState();
        }

        @Override
        public void restoreState(byte[] state) {
            environment.restoreState(state);
        }
    }
}
