package dev.holdfast.training.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in a JVM of its own. */
class TrainProcessTest {
    @TempDir
    private Path folder;

    private final ObjectMapper mapper = new ObjectMapper();

    private ProcessBuilder command(String... args) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holdfast.class.getName(),
                "train"));
        line.addAll(List.of(args));
        return new ProcessBuilder(line).redirectErrorStream(true);
    }

    /** How a process ended, and the processes that it had started when it was signalled. */
    private record Ended(int code, List<String> output, List<ProcessHandle> children) {
        Ended(int code, List<String> output) {
            this(code, output, List.of());
        }
    }

    private Ended run(String... args) throws IOException, InterruptedException {
        return await(command(args).start(), new ArrayList<>());
    }

    private static Ended await(Process process, List<String> output) throws IOException, InterruptedException {
        try (BufferedReader reader = reader(process)) {
            reader.lines().forEach(output::add);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output);
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a run in a process group of its own and signals the group once the run has printed three records. */
    private static Ended signalled(ProcessBuilder command, List<String> signals)
            throws IOException, InterruptedException {
        // setsid becomes the command: the process keeps its number, which is that of the group, too.
        command.command().add(0, "setsid");
        Process process = command.start();
        List<String> output = new ArrayList<>();
        List<ProcessHandle> children = List.of();
        int records = 0;
        try (BufferedReader reader = reader(process)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                output.add(text);
                if (text.contains("\"progress\"") && ++records == 3) {
                    children = process.toHandle().descendants().toList();
                    for (int i = 0; i < signals.size(); i++) {
                        Process kill =
                                new ProcessBuilder("kill", "-s", signals.get(i), "--", "-" + process.pid()).start();
                        // By the second one, all may have ended already.
                        assertThat(kill.waitFor()).isBetween(0, i == 0 ? 0 : 1);
                    }
                }
            }
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output, children);
    }

    private JsonNode json(String file) throws IOException {
        return mapper.readTree(folder.resolve(file).toFile());
    }

    private static void assumeProcessGroups() {
        boolean there = Files.isExecutable(Path.of("/usr/bin/setsid"));
        if (!there) {
            System.out.println("skipped: tests of signals to a process group need setsid");
        }
        assumeTrue(there);
    }

    @Test
    @DisplayName("A4 periodic checkpoints of a run with two worker processes can be resumed")
    void periodicCheckpoints() throws Exception {
        Path model = folder.resolve("q3.zip");
        Ended ended = run(
                "--env",
                "Drift-v0",
                "--model",
                model.toString(),
                "--envs",
                "2",
                "--vec-env",
                "process",
                "--timesteps",
                "256",
                "--rollout-steps",
                "32",
                "--batch-size",
                "32",
                "--n-epochs",
                "1",
                "--checkpoint-every",
                "64",
                "--verbose",
                "1");
        assertThat(ended.code()).as(ended.output().toString()).isZero();
        Path archive = folder.resolve("checkpoints/q3_ckpt_000000128.zip");
        Checkpoint checkpoint = new ZipCheckpointStore().load(archive);
        assertThat(checkpoint.progress().timesteps()).isEqualTo(128);
        JsonNode metadata = json("checkpoints/q3_ckpt_000000128.json");
        assertThat(metadata.required("checkpoint").booleanValue()).isTrue();
        assertThat(metadata.required("checkpoint_timesteps").intValue()).isEqualTo(128);
        assertThat(metadata.required("model_sha256").textValue()).hasSize(64);
        assertThat(metadata.required("ppo_hyperparams").required("n_steps").intValue())
                .isEqualTo(32);
        assertThat(metadata.required("ppo_hyperparams").required("batch_size").intValue())
                .isEqualTo(32);
        assertThat(metadata.required("ppo_hyperparams").required("n_epochs").intValue())
                .isEqualTo(1);
        assertThat(String.join("\n", ended.output()))
                .contains("| rollout/")
                .contains("|    total_timesteps      | 256")
                .contains("Finished after 256 steps.")
                .contains("holdfast train --resume --model");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "process"})
    @DisplayName(
            "A5 SIGTERM to the process group: saved, exit code 0, and the resumed run equals one that was never stopped")
    void terminated(String vector) throws Exception {
        assumeProcessGroups();
        String[] args = {
            "--env",
            "Drift-v0",
            "--envs",
            "2",
            "--vec-env",
            vector,
            "--timesteps",
            "200000",
            "--progress-json",
            "--verbose",
            "0",
            "--env-arg",
            "masked=true"
        };
        List<String> stopped = new ArrayList<>(List.of(args));
        stopped.addAll(List.of("--model", folder.resolve("a/q3.zip").toString()));
        Ended ended = signalled(command(stopped.toArray(new String[0])), List.of("TERM", "TERM"));
        assertThat(ended.code()).as(ended.output().toString()).isZero();
        assertThat(ended.children())
                .as("two workers, and one that evaluates")
                .hasSize(vector.equals("process") ? 3 : 0)
                .noneMatch(ProcessHandle::isAlive);
        String output = String.join("\n", ended.output());
        assertThat(output)
                .contains("\"stop_requested\"")
                .contains("\"saved_after_stop\"")
                .contains("SIGTERM");
        JsonNode metadata = json("a/q3.json");
        assertThat(metadata.required("stopped_by_signal").booleanValue()).isTrue();
        assertThat(metadata.required("stop_signal").textValue()).isEqualTo("SIGTERM");
        assertThat(metadata.required("checkpoint_files")).isNotEmpty();
        assertThat(folder.resolve("a/training_failure.json")).doesNotExist();
        assertThat(folder.resolve("a/q3.zip")).exists();
        long reached = metadata.required("timesteps").longValue();
        assertThat(reached).isBetween(1L, 199_999L);

        // To the next rollout's end and a little further, in both runs; then the archives must be equal.
        String total = Long.toString(reached / 64 * 64 + 640);
        // The run's folder is enough, and it may have been moved.
        Files.move(folder.resolve("a"), folder.resolve("moved"));
        ProcessBuilder resume = command(folder.resolve("moved").toString(), "--timesteps", total);
        resume.command().set(resume.command().indexOf("train"), "resume");
        assertThat(await(resume.start(), new ArrayList<>()).code()).isZero();
        List<String> whole = new ArrayList<>(List.of(args));
        whole.set(whole.indexOf("200000"), total);
        whole.addAll(List.of("--model", folder.resolve("b/q3.zip").toString()));
        assertThat(run(whole.toArray(new String[0])).code()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("moved/q3.zip")))
                .isEqualTo(Files.readAllBytes(folder.resolve("b/q3.zip")));
    }

    @Test
    @DisplayName("A6 a run that dies of an exception leaves training_failure.json and exit code 1")
    void failed() throws Exception {
        Ended ended =
                run("--env", "Drift-v0", "--model", folder.resolve("q3.zip").toString(), "--env-arg", "fail_at=50");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output())
                .anyMatch(line -> line.startsWith("holdfast: environment 0 at its step 49: step threw"))
                .noneMatch(line -> line.startsWith("\tat "));
        assertThat(json("training_failure.json").required("error").textValue()).contains("the drift has run dry");
        assertThat(json("training_failure.json").required("can_resume").booleanValue())
                .isTrue();
    }

    @Test
    @DisplayName("pause and resume through the control file, then stop")
    void pausedAndResumed() throws Exception {
        Path control = folder.resolve("control.json");
        Process process = command(
                        "--env",
                        "Drift-v0",
                        "--model",
                        folder.resolve("q3.zip").toString(),
                        "--timesteps",
                        "100000000",
                        "--progress-json",
                        "--verbose",
                        "0",
                        "--control-file",
                        control.toString())
                .start();
        List<String> events = new ArrayList<>();
        try (BufferedReader reader = reader(process)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                if (!text.startsWith("{")) {
                    continue;
                }
                String event = mapper.readTree(text).required("event").textValue();
                if (event.equals("progress")) {
                    // Once before the pause, and again after it: a paused run prints no progress in between.
                    Files.writeString(control, events.isEmpty() ? "{\"paused\": true}" : "{\"stop\": true}");
                    continue;
                }
                events.add(event);
                if (event.equals("paused")) {
                    Files.writeString(control, "{\"paused\": false}");
                }
            }
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(events).containsExactly("paused", "resumed", "stop_requested", "saved_after_stop", "metadata");
    }
}
