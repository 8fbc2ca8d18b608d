package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.checkpoint.Folders;
import dev.holdfast.training.runtime.checkpoint.Recovery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs that are killed, resumed, killed again … at random, and then reach their end as if nothing had happened. They save after every
 * iteration, which is every few milliseconds.
 */
class TrainerKillsTest {
    private static final long TIMESTEPS = 200 * DisturbedRun.SAMPLES;
    /** A run is let go on to its end after so many: it is to be seen that it does. */
    private static final int KILLS_OF_A_RUN = 5;
    /** The longest time from the first record to a kill. */
    private static final int TRAINING_MILLIS = 150;

    private static final String PROGRESS = "\"event\":\"progress\"";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(factory = MemoryFolder.class)
    private static Path whole;

    private static DisturbedRun undisturbed;

    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    /** How long a start takes, as far as is known. */
    private int startMillis = 1000;

    /** How many kills have hit what. */
    private int beforeFirstCheckpoint;

    private int inStart;
    private int inWrite;
    private int elsewhere;

    @BeforeAll
    static void train() {
        undisturbed = new DisturbedRun(whole, TIMESTEPS);
        undisturbed.finish();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "thread", "process"})
    @DisplayName("SIGKILL at any instant: the run goes on, and equals one that was never killed")
    void killed(String vector) throws Exception {
        kill(vector, 2, 1);
    }

    @Tag("faults")
    @ParameterizedTest
    @ValueSource(strings = {"sync", "thread", "process"})
    @DisplayName("SIGKILL at a hundred instants")
    void killedAHundredTimes(String vector) throws Exception {
        kill(vector, 100, 1);
        assertThat(beforeFirstCheckpoint).isPositive();
        assertThat(inStart).isPositive();
        assertThat(inWrite).isPositive();
        assertThat(elsewhere).isPositive();
    }

    private void kill(String vector, int kills, long seed) throws Exception {
        RandomStream random = new RandomStream(seed, "kill-" + vector);
        int runs = 0;
        for (int left = kills; left > 0; ) {
            DisturbedRun run = new DisturbedRun(folder.resolve("run" + runs++), TIMESTEPS).option("vec_env", vector);
            int killed = 0;
            while (killed < Math.min(left, KILLS_OF_A_RUN) && killOnce(run, random)) {
                killed++;
            }
            left -= killed;
            assertThat(run.finish().isFinished()).isTrue();
            run.assertSameAs(undisturbed);
            assertThat(Folders.temporaries(run.folder())).isEmpty();
        }
        System.out.printf(
                "%s, seed %d: %d kills in %d runs, of which %d before the first checkpoint, %d in the start of a resumed run,"
                        + " %d while a file was being written, %d elsewhere%n",
                vector, seed, kills, runs, beforeFirstCheckpoint, inStart, inWrite, elsewhere);
    }

    /** Lets a run begin or go on, and kills it; false if it reached its end before that. */
    private boolean killOnce(DisturbedRun run, RandomStream random) throws Exception {
        Recovery before = run.recover();
        List<Path> leftBefore = Folders.temporaries(run.folder());
        boolean early = random.nextInt(4) == 0;
        int delay = random.nextInt(early ? startMillis : TRAINING_MILLIS);
        ChildTrainer.Ended ended;
        long start = System.nanoTime();
        try (ChildTrainer trainer = run.start(List.of())) {
            if (!early && trainer.nextLine(PROGRESS) != null) {
                startMillis = (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            }
            Thread.sleep(delay);
            ended = trainer.kill();
        }
        for (List<ProcessHandle> left = run.processes(); !left.isEmpty(); left = run.processes()) {
            left.get(0).onExit().get(30, TimeUnit.SECONDS);
        }
        if (ended.code() == 0) {
            return false;
        }
        assertThat(ended.code()).as(ended.text()).isEqualTo(128 + 9);

        Recovery recovery = run.recover();
        assertThat(recovery.problems()).isEmpty();
        long reported = reported(ended);
        assertThat(recovery.timesteps())
                .as("the checkpoint after at least the iteration before the one reported last, %s", ended.text())
                .isGreaterThanOrEqualTo(Math.max(before.timesteps(), reported - DisturbedRun.SAMPLES));
        if (!recovery.canResume()) {
            beforeFirstCheckpoint++;
        } else if (!leftBefore.containsAll(Folders.temporaries(run.folder()))) {
            inWrite++;
        } else if (reported == 0) {
            inStart++;
        } else {
            elsewhere++;
        }
        return true;
    }

    /** Returns the timesteps of the last record that was printed; 0 if there is none. */
    private static long reported(ChildTrainer.Ended ended) throws IOException {
        long timesteps = 0;
        for (String line : ended.output()) {
            // The last line may be cut.
            if (line.contains(PROGRESS) && line.endsWith("}")) {
                timesteps = JSON.readTree(line).required("timesteps").longValue();
            }
        }
        return timesteps;
    }
}
