package dev.holdfast.examples.environments.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.environment.EnvironmentChecker;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssignmentTrainingTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "BerthAllocation-v0, 1, actions, conditional",
        "BerthAllocation-v0, 2, actions, conditional",
        "BerthAllocation-v0, 2, actions, independent",
        "BerthAllocation-v0, 2, actions, flat",
        "Fleet-v0, 1, masked, true",
        "Fleet-v0, 1, masked, false"
    })
    void keepTheContractOfEnvironments(String name, int problem, String parameter, String value) {
        EnvironmentProvider provider = Environments.named(name);
        EnvironmentOptions options = EnvironmentOptions.of(provider, Map.of(parameter, value), problem, 1, "");
        assertThat(EnvironmentChecker.check(() -> provider.create(options)).findings(Severity.ERROR))
                .isEmpty();
    }

    @Test
    void learnsTheBestScheduleOfADay() {
        AssignmentTask task = new AssignmentTask(BerthAllocationProvider.NAME, 1, Map.of());
        AssignmentTask.Result result = task.train(folder.resolve("day.zip"), 0, Map.of("timesteps", "20000"));
        assertThat(result.meanReturn()).isCloseTo(result.optimum(), within(1e-6));
    }

    @Test
    void learnsToSendCabsToPassengers() {
        AssignmentTask task = new AssignmentTask(FleetProvider.NAME, 1, Map.of());
        AssignmentTask.Result result = task.train(folder.resolve("fleet.zip"), 0, Map.of("timesteps", "60000"));
        assertThat(result.meanReturn()).isGreaterThan(0.85 * result.optimum());
    }

    /** A mask of dependent choices goes into a half-filled rollout, its file, and back. */
    @Test
    void aRunThatWasStoppedEndsWithTheSameBytes() throws IOException {
        assertThat(train("whole", Integer.MAX_VALUE).isFinished()).isTrue();
        assertThat(train("stopped", 100).isFinished()).isFalse();
        assertThat(train("stopped", Integer.MAX_VALUE).isFinished()).isTrue();
        assertThat(Files.readAllBytes(model("stopped"))).isEqualTo(Files.readAllBytes(model("whole")));
    }

    /** Trains, or goes on, until the clock has been read a number of times, which happens at every step. */
    private TrainingResult train(String name, int readings) {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, BerthAllocationProvider.NAME)
                .set(Fields.PROBLEM, 2)
                .set(Fields.TIMESTEPS, 400L)
                .set(Fields.ENVS, 2)
                .set(Fields.ROLLOUT_STEPS, 100)
                .set(Fields.BATCH_SIZE, 50)
                .set(Fields.N_EPOCHS, 2)
                .set(Fields.MODEL, Optional.of(model(name)))
                .set(Fields.RESUME, Files.exists(model(name)))
                .build();
        RunControl control = new RunControl();
        AtomicInteger read = new AtomicInteger();
        return Trainer.of(config)
                .control(control)
                .clocks(Clock.systemUTC(), () -> {
                    if (read.incrementAndGet() == readings) {
                        control.requestStop("test");
                    }
                    return read.get() * 1000L;
                })
                .build()
                .train();
    }

    private Path model(String name) {
        return folder.resolve(name).resolve("model.zip");
    }
}
