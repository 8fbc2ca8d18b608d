package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.cli.Holdfast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGTERM in the middle of native work saves and ends the run as it does anywhere else. */
class NativeSignalTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"djl, 1", "djl, 2", "dl4j, 1", "dl4j, 2"})
    void savesAndExitsWith0(String backend, int threads) throws Exception {
        terminate(backend, threads, 1);
    }

    /** The whole of it, by {@code mvn verify -Plong}. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"djl", "dl4j"})
    void savesAndExitsWith0FiftyTimes(String backend) throws Exception {
        int inUpdate = 0;
        for (int time = 0; time < 50; time++) {
            inUpdate += terminate(backend, 1 + time % 2, time) == Phase.UPDATE ? 1 : 0;
        }
        System.out.println(backend + ": 50 of 50 saved with exit code 0, " + inUpdate + " of them in an update");
        assertThat(inUpdate).as("signals that came during an update").isPositive();
    }

    private Phase terminate(String backend, int threads, int time) throws IOException, InterruptedException {
        Path run = Files.createDirectory(folder.resolve("run" + time));
        Path model = run.resolve("model.zip");
        // Nearly all the time is spent in gradient steps of more than 10 ms: 50 for each rollout of 512 steps.
        List<String> arguments = List.of(
                "train",
                "--env",
                "CartPole-v1",
                "--backend",
                backend,
                "--threads",
                Integer.toString(threads),
                "--model",
                model.toString(),
                "--net-arch",
                "256,256",
                "--envs",
                "1",
                "--rollout-steps",
                "512",
                "--batch-size",
                "512",
                "--n-epochs",
                "50",
                "--timesteps",
                "1000000",
                "--verbose",
                "0",
                "--progress-json");
        RandomStream random = new RandomStream(time, "signal");
        boolean[] signalled = new boolean[1];
        ChildJvm.Ended ended = ChildJvm.run(Holdfast.class, arguments, run, (process, line) -> {
            if (!signalled[0] && line.contains("\"progress\"")) {
                signalled[0] = true;
                Thread.sleep(random.nextInt(500));
                // SIGTERM, on Unix; destroy of the process itself would close its output, too.
                process.toHandle().destroy();
            }
        });
        assertThat(ended.code()).as(String.join("\n", ended.output())).isZero();
        assertThat(ended.output()).anyMatch(line -> line.contains("saved_after_stop"));
        try (Stream<Path> files = Files.list(run)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("hs_err") || name.startsWith("core"))
                    .doesNotContain("training_failure.json");
        }
        Checkpoint checkpoint = new ZipCheckpointStore().load(model);
        assertThat(checkpoint.provenance()).containsEntry("backend", backend);
        return checkpoint.progress().phase();
    }
}
