package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that saves checkpoint after checkpoint is killed, or loses its power, before any of its operations on the disk. */
class KillSafetyTest {
    // From when the temporary files of the killed run are old.
    private static final Clock LATER = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
    private static final ModelMetadata METADATA = Fixtures.metadata();

    /** The saves of a run that is stopped after 36 steps, resumed, and overwrites its model. */
    private static final List<Save> RUN = List.of(
            new Save(16, (directory, checkpoint) -> directory.saveRolling(checkpoint, METADATA)),
            new Save(20, (directory, checkpoint) -> directory.savePeriodic(checkpoint, METADATA, 2)),
            new Save(24, (directory, checkpoint) -> directory.saveRolling(checkpoint, METADATA)),
            new Save(28, (directory, checkpoint) -> directory.savePeriodic(checkpoint, METADATA, 2)),
            new Save(32, (directory, checkpoint) -> directory.savePeriodic(checkpoint, METADATA, 2)),
            new Save(36, (directory, checkpoint) -> directory.saveFinal(checkpoint, METADATA, "SIGTERM")),
            new Save(40, (directory, checkpoint) -> directory.saveFinal(checkpoint, METADATA, "finished")));

    private record Save(long timesteps, BiConsumer<CheckpointDirectory, Checkpoint> action) {
        void run(Path run, FaultyDisk disk) {
            action.accept(directory(run, disk, Clock.systemUTC()), Fixtures.checkpoint(timesteps));
        }
    }

    private static CheckpointDirectory directory(Path run, FileOperations disk, Clock clock) {
        return new CheckpointDirectory(run.resolve("q3.zip"), clock, new DurableFiles(disk, clock));
    }

    private enum End {
        KILL,
        POWER_CUT,
        POWER_CUT_AFTER_REORDERING
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void atEveryInstantThereIsTheOldOrTheNewCheckpoint(End end, @TempDir Path root) throws Exception {
        int ends = 0;
        long before = 0;
        Path run = root.resolve("whole/out");
        for (Save save : RUN) {
            Path start = Folders.copy(run, root.resolve("before" + save.timesteps + "/out"));
            FaultyDisk whole = new FaultyDisk();
            save.run(run, whole);
            for (int operation = 1; operation <= whole.operations(); operation++) {
                Path killed = Folders.copy(start, root.resolve(save.timesteps + "-" + operation + "/out"));
                FaultyDisk disk = new FaultyDisk().crashAt(operation);
                assertThatThrownBy(() -> save.run(killed, disk)).isInstanceOf(FaultyDisk.Crash.class);
                assertRecovery(killed, disk, end, Set.of(before, save.timesteps));
                ends++;
            }
            // Once a save has returned there is no way back.
            Path saved = Folders.copy(start, root.resolve(save.timesteps + "-saved/out"));
            FaultyDisk disk = new FaultyDisk();
            save.run(saved, disk);
            assertRecovery(saved, disk, end, Set.of(save.timesteps));
            before = save.timesteps;
        }
        assertThat(ends).isGreaterThan(80);
    }

    private static void assertRecovery(Path run, FaultyDisk disk, End end, Set<Long> timesteps) throws IOException {
        switch (end) {
            case KILL -> {}
            case POWER_CUT -> disk.losePower();
            case POWER_CUT_AFTER_REORDERING -> disk.losePowerAfterReordering();
        }
        Recovery recovery = directory(run, FileOperations.DISK, LATER).recover();
        assertThat(recovery.problems()).as("%s", run).isEmpty();
        assertThat(recovery.timesteps()).as("%s, %s", run, recovery.model()).isIn(timesteps);
    }

    @Test
    void theNextSaveClearsWhatAKillLeftBehind(@TempDir Path root) throws Exception {
        int leftovers = 0;
        Path run = root.resolve("whole/out");
        for (Save save : RUN.subList(0, 2)) {
            Path start = Folders.copy(run, root.resolve("before" + save.timesteps + "/out"));
            FaultyDisk whole = new FaultyDisk();
            save.run(run, whole);
            for (int operation = 1; operation <= whole.operations(); operation++) {
                Path killed = Folders.copy(start, root.resolve(save.timesteps + "-" + operation + "/out"));
                FaultyDisk disk = new FaultyDisk().crashAt(operation);
                assertThatThrownBy(() -> save.run(killed, disk)).isInstanceOf(FaultyDisk.Crash.class);
                leftovers += Folders.temporaries(killed).size();

                directory(killed, new FaultyDisk(), LATER).saveRolling(Fixtures.checkpoint(44), METADATA);
                assertThat(Folders.temporaries(killed)).isEmpty();
            }
        }
        assertThat(leftovers).isGreaterThan(10);
    }

    @Test
    void aDiskThatFillsUpCostsNoCheckpoint(@TempDir Path root) throws Exception {
        for (int space = 0; space < 12_000; space += 997) {
            Path run = Files.createDirectory(root.resolve("run" + space));
            FaultyDisk disk = new FaultyDisk();
            CheckpointDirectory directory = directory(run, disk, Clock.systemUTC());
            directory.saveRolling(Fixtures.checkpoint(16), METADATA);
            directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 3);
            disk.space(space);

            // An archive and its JSON are some 10 kB: the space runs out in one of the files of one of these.
            assertThatThrownBy(() -> {
                        directory.savePeriodic(Fixtures.checkpoint(24), METADATA, 3);
                        directory.savePeriodic(Fixtures.checkpoint(28), METADATA, 3);
                    })
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageStartingWith("can't write " + run)
                    .hasMessageEndingWith("No space left on device");
            assertThat(Folders.temporaries(run)).isEmpty();

            Recovery recovery =
                    directory(run, FileOperations.DISK, Clock.systemUTC()).recover();
            assertThat(recovery.problems()).isEmpty();
            assertThat(recovery.timesteps()).isIn(20L, 24L, 28L);
        }
    }
}
