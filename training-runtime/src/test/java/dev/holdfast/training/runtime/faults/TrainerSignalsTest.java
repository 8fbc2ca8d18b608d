package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.faults.Breakpoints.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals to the trainer and all its children, whatever it is doing. */
class TrainerSignalsTest {
    private static final long TIMESTEPS = 10 * DisturbedRun.SAMPLES;

    @TempDir(factory = MemoryFolder.class)
    private static Path whole;

    private static DisturbedRun undisturbed;

    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    /** What the trainer is in the middle of, and how many steps it has taken when it stops. */
    @SuppressWarnings("ImmutableEnumChecker") // the list is
    private enum Moment {
        START_UP(0, new Place("training.runtime.cli.Holdfast.commandLine", 1)),
        FIRST_ROLLOUT(10, new Place("training.runtime.RolloutBuffer.store", 5)),
        LATER_ROLLOUT(58, new Place("training.runtime.RolloutBuffer.store", 29)),
        UPDATE(64, new Place("rl.api.backend.AbstractPpoLearner.update", 15)),
        EVALUATION(
                32, new Place("training.runtime.Evaluator.evaluate", 1), new Place("rl.api.policy.MlpPolicy.act", 5)),
        SAVE(
                48,
                new Place("training.runtime.checkpoint.CheckpointDirectory.savePeriodic", 3),
                new Place("training.runtime.checkpoint.ModelMetadata.describe", 1)),
        PRUNING(
                48,
                new Place("training.runtime.checkpoint.CheckpointDirectory.savePeriodic", 3),
                new Place("training.runtime.checkpoint.DurableFiles.delete", 2)),
        LAST_EVALUATION(
                160, new Place("training.runtime.Evaluator.evaluate", 6), new Place("rl.api.policy.MlpPolicy.act", 5));

        final long timesteps;
        final List<Place> places;

        Moment(long timesteps, Place... places) {
            this.timesteps = timesteps;
            this.places = List.of(places);
        }
    }

    @BeforeAll
    static void train() {
        undisturbed = new DisturbedRun(whole, TIMESTEPS);
        undisturbed.finish();
    }

    private DisturbedRun run() {
        return new DisturbedRun(folder.resolve("run"), TIMESTEPS);
    }

    private JsonNode metadata() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("run/q3.json").toFile());
    }

    private interface Disturbance {
        void disturb(ChildTrainer trainer) throws Exception;
    }

    /** Lets a run come to a place, does something to it while it stands still there, and waits for its end. */
    private static ChildTrainer.Ended hold(DisturbedRun run, List<Place> places, Disturbance disturbance)
            throws Exception {
        ChildTrainer.assumeProcessGroups();
        try (Breakpoints breakpoints = new Breakpoints();
                ChildTrainer trainer = run.start(breakpoints.jvmOptions())) {
            breakpoints.runTo(places);
            disturbance.disturb(trainer);
            breakpoints.release();
            ChildTrainer.Ended ended = trainer.awaitEnd();
            assertThat(run.processes()).isEmpty();
            return ended;
        }
    }

    private static void signalAndHear(ChildTrainer trainer, String name) throws Exception {
        trainer.signal(name);
        trainer.awaitLine("holdfast: SIG" + name + ": ");
    }

    private void savesAndGoesOn(String vector, Moment moment, String signal, int times) throws Exception {
        DisturbedRun run = run().option("vec_env", vector);
        ChildTrainer.Ended ended = hold(run, moment.places, trainer -> {
            assertThat(trainer.children())
                    .as("two workers, and one that evaluates")
                    .hasSize(vector.equals("process") && moment != Moment.START_UP ? 3 : 0)
                    .isSubsetOf(run.processes());
            for (int time = 0; time < times; time++) {
                signalAndHear(trainer, signal);
            }
        });
        assertThat(ended.code()).as(ended.text()).isZero();
        assertThat(ended.text())
                .contains("{\"event\":\"stop_requested\",\"signal\":\"SIG" + signal)
                .contains("{\"event\":\"saved_after_stop\"");
        assertThat(metadata().required("stopped_by_signal").booleanValue()).isTrue();
        assertThat(metadata().required("stop_signal").textValue()).isEqualTo("SIG" + signal);
        assertThat(metadata().required("timesteps").longValue()).isEqualTo(moment.timesteps);
        assertThat(folder.resolve("run/training_failure.json")).doesNotExist();

        assertThat(run.finish().isFinished()).isTrue();
        run.assertSameAs(undisturbed);
    }

    @ParameterizedTest
    @CsvSource({
        "START_UP, sync, 1",
        "START_UP, process, 2",
        "FIRST_ROLLOUT, process, 1",
        "FIRST_ROLLOUT, sync, 2",
        "LATER_ROLLOUT, thread, 1",
        "UPDATE, sync, 1",
        "EVALUATION, process, 2",
        "SAVE, sync, 2",
        "PRUNING, sync, 1",
        "LAST_EVALUATION, sync, 1"
    })
    @DisplayName(
            "A5 SIGTERM to the process group at any moment, once and twice: saved, and nothing is lost or done twice")
    void terminated(Moment moment, String vector, int times) throws Exception {
        savesAndGoesOn(vector, moment, "TERM", times);
    }

    static Stream<Arguments> all() {
        return Arrays.stream(Moment.values())
                .flatMap(moment -> Stream.of("sync", "thread", "process")
                        .flatMap(vector -> Stream.of(1, 2).map(times -> Arguments.of(moment, vector, times))));
    }

    @Tag("faults")
    @ParameterizedTest
    @MethodSource("all")
    @DisplayName("A5 SIGTERM to the process group, all combinations")
    void terminatedAnywhere(Moment moment, String vector, int times) throws Exception {
        savesAndGoesOn(vector, moment, "TERM", times);
    }

    @Test
    @DisplayName("SIGINT does the same")
    void interrupted() throws Exception {
        ChildTrainer.assumeInterrupts();
        savesAndGoesOn("sync", Moment.LATER_ROLLOUT, "INT", 1);
    }

    @Test
    @DisplayName("environments that can't save their state: every step taken is kept, none is taken again")
    void withoutEnvironmentStates() throws Exception {
        DisturbedRun run = run().option("env_args", "restorable=false");
        ChildTrainer.Ended ended = hold(run, Moment.LATER_ROLLOUT.places, trainer -> signalAndHear(trainer, "TERM"));
        assertThat(ended.code()).as(ended.text()).isZero();
        Checkpoint saved = new ZipCheckpointStore().load(folder.resolve("run/q3.zip"));
        assertThat(saved.progress().timesteps()).isEqualTo(58);
        assertThat(saved.progress().step()).as("of the rollout's steps").isEqualTo(5);

        TrainingResult finished = run.finish();
        assertThat(finished.isFinished()).isTrue();
        assertThat(finished.timesteps()).isEqualTo(TIMESTEPS);
        run.assertEachIterationOnce();
    }

    @Test
    @DisplayName("the third signal ends at once, and the run goes on from its recovery point")
    void theThirdSignalEndsAtOnce() throws Exception {
        DisturbedRun run = run();
        ChildTrainer.Ended ended = hold(run, Moment.LATER_ROLLOUT.places, trainer -> {
            signalAndHear(trainer, "TERM");
            signalAndHear(trainer, "TERM");
            trainer.signal("TERM");
            trainer.awaitEnd();
        });
        assertThat(ended.code()).isEqualTo(128 + 15);
        assertThat(run.recover().timesteps()).isEqualTo(48);
        run.finish();
        run.assertSameAs(undisturbed);
    }

    @Test
    @DisplayName("a signal before the command has begun ends it: nothing was begun")
    void beforeTheBeginning() throws Exception {
        DisturbedRun run = run();
        ChildTrainer.Ended ended = hold(run, List.of(new Place("training.runtime.cli.Holdfast.main", 1)), trainer -> {
            trainer.signal("TERM");
            trainer.awaitEnd();
        });
        assertThat(ended.code()).isEqualTo(128 + 15);
        assertThat(run.folder()).doesNotExist();
    }

    @Test
    @DisplayName("a signal during the last save changes nothing: the run is finished")
    void afterTheLastStep() throws Exception {
        DisturbedRun run = run();
        ChildTrainer.Ended ended = hold(
                run,
                List.of(new Place("training.runtime.checkpoint.CheckpointDirectory.saveFinal", 1)),
                trainer -> signalAndHear(trainer, "TERM"));
        assertThat(ended.code()).as(ended.text()).isZero();
        assertThat(ended.text()).contains("Finished after " + TIMESTEPS + " steps.");
        assertThat(metadata().required("stopped_by_signal").booleanValue()).isFalse();
        run.assertSameAs(undisturbed);
    }
}
