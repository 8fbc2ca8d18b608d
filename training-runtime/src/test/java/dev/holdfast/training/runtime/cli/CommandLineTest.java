package dev.holdfast.training.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Usage errors and the small commands, in this JVM. */
class CommandLineTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Holdfast.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(args);
    }

    static Stream<Arguments> wrongUsage() {
        return Stream.of(
                Arguments.of("", "env must be given"),
                Arguments.of(
                        "--env Nothing-v0",
                        "env must be one of [Corridor-v0, Counter-v0, Drift-v0, Mischief-v0], but was 'Nothing-v0'"),
                Arguments.of("--env Drift-v0 --gama 0.9", "--gamma"),
                Arguments.of("--env Drift-v0 --gamma 1.2", "gamma must be in [0, 1], but was 1.2"),
                Arguments.of("--env Drift-v0 --gamma NaN", "gamma must be in [0, 1], but was NaN"),
                Arguments.of("--env Drift-v0 --gamma much", "gamma must be a number, but was 'much'"),
                Arguments.of("--env Drift-v0 --learning-rate fast", "learning_rate must be a number, linear(start)"),
                Arguments.of(
                        "--env Drift-v0 --learning-rate -1", "learning_rate must be a finite number of at least 0"),
                Arguments.of(
                        "--env Drift-v0 --batch-size 1", "batch_size must be a whole number of at least 2, but was 1"),
                Arguments.of("--env Drift-v0 --batch-size 99999999999", "batch_size must be at most 2147483647"),
                Arguments.of("--env Drift-v0 --envs 0", "envs must be a whole number in [1, 65536], but was 0"),
                Arguments.of("--env Drift-v0 --timesteps 1e6", "timesteps must be a whole number"),
                Arguments.of("--env Drift-v0 --vec-env cloud", "vec_env must be one of"),
                Arguments.of("--env Drift-v0 --worker-timeout 0", "worker_timeout must be in [0.001, 1000000]"),
                Arguments.of("--env Drift-v0 --worker-restarts -1", "worker_restarts must be a whole number in"),
                Arguments.of(
                        "--env Drift-v0 --checkpoint-keep 0", "checkpoint_keep must be a whole number in [1, 1000000]"),
                Arguments.of(
                        "--env Drift-v0 --recovery-every -1", "recovery_every must be a whole number of at least 0"),
                Arguments.of(
                        "--env Drift-v0 --checkpoint-every -5",
                        "checkpoint_every must be a whole number of at least 0"),
                Arguments.of("--env Drift-v0 --verbose 3", "verbose must be a whole number in [0, 2]"),
                Arguments.of("--env Drift-v0 --env-arg masked", "env_args must be name=value, but was 'masked'"),
                Arguments.of("--env Drift-v0 --env-arg masked=perhaps", "parameter masked must be true or false"),
                Arguments.of("--env Drift-v0 --net-arch 64,x", "net_arch must be comma-separated whole numbers"),
                Arguments.of("--env Drift-v0 --net-arch-vf 64,x", "net_arch_vf must be comma-separated whole numbers"),
                Arguments.of("--env Drift-v0 --resume --force", "resume and force exclude each other"),
                Arguments.of(
                        "--env Drift-v0 --resume --model m.zip --init n.zip", "resume and init exclude each other"),
                Arguments.of("--resume", "resume needs model"),
                Arguments.of("--env Drift-v0 --progress-json=often", "progress_json must be true or false"));
    }

    @ParameterizedTest
    @MethodSource
    void wrongUsage(String args, String message) throws IOException {
        List<String> line = new ArrayList<>(List.of("train"));
        line.addAll(args.isEmpty() ? List.of() : List.of(args.split(" ")));
        if (!args.contains("--model") && !args.contains("--resume")) {
            line.addAll(List.of("--model", folder.resolve("run/m.zip").toString()));
        }
        assertThat(run(line.toArray(new String[0]))).isEqualTo(2);
        assertThat(err.toString()).startsWith("holdfast: ").contains(message);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void emptyAndUnprintablePathsAreRefused() {
        assertThat(run("train", "--env", "Drift-v0", "--model", "")).isEqualTo(2);
        assertThat(run("train", "--env", "Drift-v0", "--model", "a\u0007b.zip")).isEqualTo(2);
        assertThat(err.toString())
                .contains("model must not be empty")
                .contains("model must not contain control characters, but was 'a?b.zip'");
    }

    @Test
    void resumingNothingIsRefused() {
        assertThat(run(
                        "train",
                        "--resume",
                        "--model",
                        folder.resolve("none/m.zip").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no complete checkpoint");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void resumingAFolderWithoutARunIsRefused() throws IOException {
        assertThat(run("resume", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("FOLDER must be the folder of a run")
                .contains("no checkpoint");
        Path checkpoints = Files.createDirectories(folder.resolve("checkpoints"));
        Files.createFile(checkpoints.resolve("a_ckpt_latest.zip"));
        Files.createFile(checkpoints.resolve("b_ckpt_000000064.zip"));
        assertThat(run("resume", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("checkpoints of several runs")
                .contains("a.zip")
                .contains("b.zip");
        Files.delete(checkpoints.resolve("b_ckpt_000000064.zip"));
        assertThat(run("resume", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there is no complete checkpoint");
    }

    @Test
    void aModelThatIsNoneIsNamed() throws IOException {
        Path file = folder.resolve("notes.zip");
        Files.writeString(file, "not a checkpoint");
        for (String command : List.of("enjoy", "inspect")) {
            assertThat(run(command, file.toString())).isEqualTo(1);
            assertThat(run(command, folder.resolve("missing.zip").toString())).isEqualTo(1);
        }
        assertThat(err.toString()).contains("notes.zip").contains("missing.zip");
    }

    @Test
    void listsBackendsAndEnvironments() {
        assertThat(run("backends")).isZero();
        assertThat(run("envs")).isZero();
        assertThat(out.toString())
                .contains("java")
                .contains("cpu")
                .contains("Drift-v0")
                .contains("--env-arg fail_at=0")
                .contains("--problem 4")
                .contains("--stage 2")
                .contains("--config-profile small");
    }

    @Test
    void helpShowsEveryFlagWithItsDefault() {
        assertThat(run("train", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("--env-arg")
                .contains("--gae-lambda")
                .contains("Default: 0.95.")
                .contains("--control-file")
                .contains("--max-wall-s")
                .contains("sync|thread|process|dummy|subproc");
    }
}
