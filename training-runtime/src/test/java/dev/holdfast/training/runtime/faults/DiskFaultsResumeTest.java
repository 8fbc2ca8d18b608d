package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.checkpoint.FaultyDisk;
import dev.holdfast.training.runtime.checkpoint.Folders;
import dev.holdfast.training.runtime.cli.Holdfast;
import dev.holdfast.training.runtime.faults.SmallRun.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code holdfast resume FOLDER} needs nothing else, or says what it lacks. */
class DiskFaultsResumeTest {
    @TempDir
    private Path root;

    private final StringWriter err = new StringWriter();
    private SmallRun run;

    @BeforeEach
    void setUp() {
        run = new SmallRun(root.resolve("killed"));
        run.beginAndDie(256);
    }

    /** For what ends before anything is trained; a run would install signal handlers in this JVM. */
    private int refused(Path folder) {
        CommandLine commandLine = Holdfast.commandLine();
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute("resume", folder.toString());
    }

    private static void cut(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }

    /** Lets nothing be trained any more. */
    private static void damageAll(SmallRun run) throws IOException {
        cut(run.file("checkpoints/q3_ckpt_latest.zip"));
        cut(run.file("checkpoints/q3_ckpt_000000128.zip"));
        cut(run.file("q3_best.zip"));
    }

    @Test
    @DisplayName("config.json, resume.json and the newest archive are damaged: it goes on all the same")
    void goesOn() throws Exception {
        SmallRun whole = new SmallRun(root.resolve("undisturbed"));
        whole.begin(new FaultyDisk().files());
        Outcome undisturbed = whole.outcome();
        for (String name : List.of("config.json", "resume.json", "checkpoints/q3_ckpt_latest.zip")) {
            cut(run.file(name));
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holdfast.class.getName(),
                        "resume",
                        run.folder().toString(),
                        "--eval-every",
                        "128",
                        "--eval-episodes",
                        "1")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output)
                .contains("Finished after 320 steps")
                .contains("options that the checkpoint doesn't hold have their defaults")
                .contains("looked for an older checkpoint: can't load checkpoint "
                        + run.file("checkpoints/q3_ckpt_latest.zip"));
        run.hasEndedAs(undisturbed, output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"seed\": 7}", "{\"model\": \"/\"}", "{\"model\": \"a\\u0000b\"}"})
    @DisplayName("config.json names no model: checkpoints do")
    void nameOfCheckpoints(String config) throws IOException {
        Files.writeString(run.file("config.json"), config);
        damageAll(run);
        assertThat(refused(run.folder())).isEqualTo(2);
        assertThat(err.toString()).contains("resume needs a run at model " + run.model());
    }

    @Test
    @DisplayName("two runs in the folder: config.json tells which was the last; without it they are named")
    void twoRuns() throws IOException {
        damageAll(run);
        for (String name : List.of("q3_ckpt_latest.zip", "q3_ckpt_000000128.zip")) {
            Files.copy(run.file("checkpoints/" + name), run.file("checkpoints/" + name.replace("q3", "q4")));
        }
        assertThat(refused(run.folder())).isEqualTo(2);
        assertThat(err.toString()).contains("resume needs a run at model " + run.model());

        Files.delete(run.file("config.json"));
        assertThat(refused(run.folder())).isEqualTo(2);
        assertThat(err.toString())
                .contains("checkpoints of several runs: [" + run.model() + ", " + run.file("q4.zip")
                        + "]; go on with one of them by train --resume --model");
    }

    @Test
    @DisplayName("no run, no folder, a file: said so, and nothing is made")
    void noRun() throws IOException {
        Path empty = Files.createDirectory(root.resolve("empty"));
        Path file = Files.writeString(root.resolve("file"), "of somebody");
        for (Path folder : List.of(empty, file, root.resolve("nowhere"), run.file("checkpoints/q3_ckpt_latest.zip"))) {
            assertThat(refused(folder)).isEqualTo(2);
            assertThat(err.toString())
                    .contains("FOLDER must be the folder of a run, but " + folder + " has no config.json");
        }
        assertThat(empty).isEmptyDirectory();
        assertThat(file).hasContent("of somebody");
        assertThat(root.resolve("nowhere")).doesNotExist();
    }

    @Test
    @DisplayName("something in the place of the lock: said so, and how to go on is said too")
    void noLock() throws IOException {
        Folders.delete(run.file(".q3.zip.lock"));
        Files.createDirectory(run.file(".q3.zip.lock"));
        assertThat(refused(run.folder())).isEqualTo(1);
        assertThat(err.toString())
                .contains("can't lock " + run.file(".q3.zip.lock") + ": ")
                .contains("holdfast: to go on from step 192: ");
    }
}
