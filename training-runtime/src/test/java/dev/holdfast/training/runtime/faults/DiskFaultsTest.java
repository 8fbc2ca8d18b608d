package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk.Fault;
import dev.holdfast.training.runtime.checkpoint.Folders;
import dev.holdfast.training.runtime.faults.SmallRun.Outcome;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs on a disk that fails at one of its operations, then resumed on a healthy one: they end as a run that never met a fault, byte
 * for byte. The long form takes every operation, the short one some.
 */
@TestInstance(Lifecycle.PER_CLASS)
class DiskFaultsTest {
    private static final int PLACES = 5;

    private Path root;

    private Outcome undisturbed;
    private int operations;
    private int untilLastFlush;
    private long needed;
    private int runs;

    @BeforeAll
    void undisturbed(@TempDir Path root) throws IOException {
        this.root = root;
        SmallRun run = new SmallRun(root.resolve("undisturbed"));
        FaultyDisk disk = new FaultyDisk();
        run.begin(disk.files(), new MetricSink() {
            @Override
            public void record(MetricRecord record) {}

            @Override
            public void flush() {
                untilLastFlush = disk.operations();
            }
        });
        undisturbed = run.outcome();
        operations = disk.operations();
        needed = disk.mostUsed();
    }

    /** Where something happens to a run. */
    private interface Sweep {
        void at(int operation) throws IOException;
    }

    private static void some(int operations, Sweep sweep) throws IOException {
        for (int operation = 2; operation <= operations; operation += operations / PLACES) {
            sweep.at(operation);
        }
    }

    private void all(int operations, Sweep sweep) throws IOException {
        for (int operation = 1; operation <= operations; operation++) {
            sweep.at(operation);
        }
        System.out.println(runs + " runs with a fault, each resumed");
    }

    private SmallRun next(String name) {
        return new SmallRun(root.resolve(++runs + "-" + name));
    }

    // --- A fault

    @ParameterizedTest
    @EnumSource(Fault.class)
    @DisplayName("a fault in a run costs no more than the steps since the last save, and those come again")
    void fault(Fault fault) throws IOException {
        some(operations, operation -> fault(fault, operation));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("faults")
    void faultEverywhere(Fault fault) throws IOException {
        all(operations, operation -> fault(fault, operation));
    }

    private void fault(Fault fault, int operation) throws IOException {
        SmallRun run = next(fault + "-" + operation);
        FaultyDisk disk = new FaultyDisk().fault(fault, operation);
        Throwable problem = catchThrowable(() -> run.begin(disk.files()));
        String what = fault + " at operation " + operation + ": " + problem;
        checkEnd(run, fault, disk, problem, what);
        run.endsAs(undisturbed, what);
        Folders.delete(run.folder().getParent());
    }

    private static void checkEnd(SmallRun run, Fault fault, FaultyDisk disk, @Nullable Throwable problem, String what)
            throws IOException {
        assertThat(run.recovery().problems()).as(what).isEmpty();
        assertThat(disk.openFiles()).as("open files: %s", what).isZero();
        if (fault == Fault.CRASH) {
            assertThat(problem).as(what).isInstanceOf(FaultyDisk.Crash.class);
            return;
        }
        if (problem != null) {
            String reason = switch (fault) {
                case FULL -> "No space left on device";
                case FAILURE -> "Input/output error";
                default -> "Read-only file system";
            };
            assertThat(problem).as(what).isInstanceOf(HoldfastException.class);
            assertThat(problem.getMessage())
                    .as(what)
                    .startsWith("can't ")
                    .contains(run.folder().getParent().toString())
                    .endsWith(reason);
        }
        // Before it has the lock, a run writes nothing into the folder.
        if (fault == Fault.FAILURE && Files.exists(run.file(".q3.zip.lock"))) {
            assertThat(Files.exists(run.file("training_failure.json"))).as(what).isEqualTo(problem != null);
        }
        if (fault == Fault.FULL) {
            assertThat(Folders.temporaries(run.folder())).as(what).isEmpty();
        }
    }

    // --- A fault in a resumed run

    @ParameterizedTest
    @EnumSource(Fault.class)
    @DisplayName("the same in a resumed run, which takes back its logs first")
    void faultAfterResume(Fault fault) throws IOException {
        SmallRun killed = killed();
        some(resumedOperations(killed), operation -> faultAfterResume(killed, fault, operation));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("faults")
    void faultEverywhereAfterResume(Fault fault) throws IOException {
        SmallRun killed = killed();
        all(resumedOperations(killed), operation -> faultAfterResume(killed, fault, operation));
    }

    private SmallRun killed() {
        SmallRun killed = next("killed");
        killed.beginAndDie(192);
        return killed;
    }

    private int resumedOperations(SmallRun killed) throws IOException {
        SmallRun run = copy(killed, "resumed");
        FaultyDisk disk = new FaultyDisk();
        run.resume(disk.files());
        run.hasEndedAs(undisturbed, "resumed");
        return disk.operations();
    }

    private void faultAfterResume(SmallRun killed, Fault fault, int operation) throws IOException {
        SmallRun run = copy(killed, "resumed-" + fault + "-" + operation);
        FaultyDisk disk = new FaultyDisk().fault(fault, operation);
        Throwable problem = catchThrowable(() -> run.resume(disk.files()));
        String what = fault + " at operation " + operation + " after resume: " + problem;
        checkEnd(run, fault, disk, problem, what);
        run.endsAs(undisturbed, what);
        Folders.delete(run.folder().getParent());
    }

    private SmallRun copy(SmallRun from, String name) throws IOException {
        SmallRun run = next(name);
        Folders.copy(from.folder(), run.folder());
        return run;
    }

    // --- A full disk, by the byte

    @Test
    @DisplayName("a disk that is full after any number of bytes")
    void full() throws IOException {
        for (long bytes = 0; bytes < needed; bytes += needed / PLACES) {
            full(bytes);
        }
    }

    @Test
    @Tag("faults")
    void fullEverywhere() throws IOException {
        for (long bytes = 0; bytes < needed; bytes += 97) {
            full(bytes);
        }
        System.out.println(runs + " runs on disks of different sizes, each resumed");
    }

    private void full(long bytes) throws IOException {
        SmallRun run = next("full-" + bytes);
        FaultyDisk disk = new FaultyDisk().space(bytes);
        Throwable problem = catchThrowable(() -> run.begin(disk.files()));
        String what = bytes + " bytes of space: " + problem;
        checkEnd(run, Fault.FULL, disk, problem, what);
        run.endsAs(undisturbed, what);
        Folders.delete(run.folder().getParent());
    }

    // --- A power cut

    @Test
    @DisplayName("a power cut")
    void powerCut() throws IOException {
        some(operations, this::powerCut);
    }

    @Test
    @Tag("faults")
    void powerCutEverywhere() throws IOException {
        all(operations, this::powerCut);
    }

    private void powerCut(int operation) throws IOException {
        SmallRun run = next("cut-" + operation);
        FaultyDisk disk = new FaultyDisk().fault(Fault.CRASH, operation);
        assertThat(catchThrowable(() -> run.begin(disk.files()))).isInstanceOf(FaultyDisk.Crash.class);
        disk.losePower();
        String what = "power cut at operation " + operation;
        assertThat(run.recovery().problems()).as(what).isEmpty();
        run.endsAs(undisturbed, what);
        Folders.delete(run.folder().getParent());
    }

    // --- Somebody removes a directory. Logs that are removed after they were handed to the disk for the last time stay
    // away.

    @ParameterizedTest
    @EnumSource(Removed.class)
    @DisplayName("a directory that is removed while the run goes on")
    void removed(Removed removed) throws IOException {
        some(untilLastFlush, operation -> removed(removed, operation));
    }

    @ParameterizedTest
    @EnumSource(Removed.class)
    @Tag("faults")
    void removedEverywhere(Removed removed) throws IOException {
        all(untilLastFlush, operation -> removed(removed, operation));
    }

    private enum Removed {
        CHECKPOINTS,
        RUN
    }

    private void removed(Removed removed, int operation) throws IOException {
        SmallRun run = next("removed-" + removed + "-" + operation);
        Path directory = removed == Removed.RUN ? run.folder() : run.file("checkpoints");
        FaultyDisk disk = new FaultyDisk().before(operation, () -> {
            if (Files.exists(directory)) {
                Folders.delete(directory);
            }
        });
        Throwable problem = catchThrowable(() -> run.begin(disk.files()));
        String what = removed + " removed before operation " + operation + ": " + problem;
        if (problem != null) {
            assertThat(problem).as(what).isInstanceOf(HoldfastException.class).hasMessageStartingWith("can't ");
        }
        run.endsAs(undisturbed, what);
        Folders.delete(run.folder().getParent());
    }
}
