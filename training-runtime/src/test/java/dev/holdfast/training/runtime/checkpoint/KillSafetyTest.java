package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.CheckpointException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that saves checkpoint after checkpoint is killed, or loses its power, between any two operations on the disk. */
class KillSafetyTest {
    // From when the temporary files of the killed run are old.
    private static final Clock LATER = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
    private static final ModelMetadata METADATA = Fixtures.metadata();
    private static final Map<Long, Checkpoint> CHECKPOINTS = new HashMap<>();

    /** The step counts of the checkpoints that were complete, and of the one that was being written. */
    private static final class Run {
        private long complete;
        private long begun;

        void save(Path model, FaultyDisk disk) {
            CheckpointDirectory directory =
                    new CheckpointDirectory(model, Clock.systemUTC(), new DurableFiles(disk, Clock.systemUTC()));
            point(16, checkpoint -> directory.saveRolling(checkpoint, METADATA));
            point(20, checkpoint -> directory.savePeriodic(checkpoint, METADATA, 2));
            point(24, checkpoint -> directory.saveRolling(checkpoint, METADATA));
            point(28, checkpoint -> directory.savePeriodic(checkpoint, METADATA, 2));
            point(32, checkpoint -> directory.savePeriodic(checkpoint, METADATA, 2));
            point(36, checkpoint -> directory.saveFinal(checkpoint, METADATA, "SIGTERM"));
            // The run is resumed, and overwrites its model.
            point(40, checkpoint -> directory.saveFinal(checkpoint, METADATA, "finished"));
        }

        private void point(long timesteps, Consumer<Checkpoint> save) {
            begun = timesteps;
            save.accept(CHECKPOINTS.computeIfAbsent(timesteps, Fixtures::checkpoint));
            complete = timesteps;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void atEveryInstantThereIsTheOldOrTheNewCheckpoint(boolean powerCut, @TempDir Path root) throws Exception {
        int total = operations(root);
        assertThat(total).isGreaterThan(100);
        for (int operation = 1; operation <= total; operation++) {
            Path directory = Files.createDirectory(root.resolve("run" + operation));
            FaultyDisk disk = new FaultyDisk().crashAt(operation);
            Run run = new Run();
            assertThatThrownBy(() -> run.save(directory.resolve("q3.zip"), disk))
                    .isInstanceOf(FaultyDisk.Crash.class);
            if (powerCut) {
                disk.losePower();
            }

            CheckpointDirectory found = new CheckpointDirectory(
                    directory.resolve("q3.zip"), LATER, new DurableFiles(FileOperations.DISK, LATER));
            Recovery recovery = found.recover();
            assertThat(recovery.problems()).as("operation %d", operation).isEmpty();
            if (run.complete > 0) {
                assertThat(recovery.canResume()).as("operation %d", operation).isTrue();
            }
            assertThat(recovery.timesteps())
                    .as("operation %d, %s", operation, recovery)
                    .isIn(run.complete, run.begun);
        }
    }

    @Test
    void theNextSaveClearsWhatAKillLeftBehind(@TempDir Path root) throws Exception {
        int total = operations(root);
        int leftovers = 0;
        for (int operation = 1; operation <= total; operation += 5) {
            Path directory = Files.createDirectory(root.resolve("run" + operation));
            FaultyDisk disk = new FaultyDisk().crashAt(operation);
            assertThatThrownBy(() -> new Run().save(directory.resolve("q3.zip"), disk))
                    .isInstanceOf(FaultyDisk.Crash.class);
            leftovers += temporaries(directory).size();

            new CheckpointDirectory(directory.resolve("q3.zip"), LATER, new DurableFiles(new FaultyDisk(), LATER))
                    .saveRolling(Fixtures.checkpoint(44), METADATA);
            assertThat(temporaries(directory)).isEmpty();
        }
        assertThat(leftovers).isGreaterThan(10);
    }

    @Test
    void aDiskThatFillsUpCostsNoCheckpoint(@TempDir Path root) throws Exception {
        for (int space = 0; space < 12_000; space += 997) {
            Path model = Files.createDirectory(root.resolve("run" + space)).resolve("q3.zip");
            FaultyDisk disk = new FaultyDisk();
            CheckpointDirectory directory =
                    new CheckpointDirectory(model, Clock.systemUTC(), new DurableFiles(disk, Clock.systemUTC()));
            directory.saveRolling(Fixtures.checkpoint(16), METADATA);
            directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 1);
            disk.space(space);

            // An archive and its JSON are some 10 kB: the space runs out in one of the files of one of these.
            assertThatThrownBy(() -> {
                        directory.savePeriodic(Fixtures.checkpoint(24), METADATA, 1);
                        directory.savePeriodic(Fixtures.checkpoint(28), METADATA, 1);
                    })
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageStartingWith("can't write " + model.getParent())
                    .hasMessageEndingWith("No space left on device");
            assertThat(temporaries(model.getParent())).isEmpty();

            Recovery recovery = new CheckpointDirectory(model, Clock.systemUTC()).recover();
            assertThat(recovery.problems()).isEmpty();
            assertThat(recovery.timesteps()).isIn(20L, 24L, 28L);
        }
    }

    private static int operations(Path root) throws IOException {
        FaultyDisk disk = new FaultyDisk();
        new Run().save(Files.createDirectory(root.resolve("whole")).resolve("q3.zip"), disk);
        return disk.operations();
    }

    private static List<Path> temporaries(Path directory) {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(file -> file.getFileName().toString().endsWith(".tmp")).forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
