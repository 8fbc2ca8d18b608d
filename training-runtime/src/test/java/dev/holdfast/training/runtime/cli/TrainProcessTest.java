package dev.holdfast.training.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.faults.ChildTrainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private JsonNode json(String file) throws IOException {
        return mapper.readTree(folder.resolve(file).toFile());
    }

    @Test
    @DisplayName("A4 periodic checkpoints of a run with two worker processes can be resumed")
    void periodicCheckpoints() throws Exception {
        Path model = folder.resolve("q3.zip");
        ChildTrainer.Ended ended = ChildTrainer.run(
                "train",
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
        assertThat(ended.text())
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
        ChildTrainer.assumeProcessGroups();
        String[] args = {
            "train",
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
        ChildTrainer.Ended ended;
        List<ProcessHandle> children;
        try (ChildTrainer trainer = ChildTrainer.start(stopped.toArray(new String[0]))) {
            for (int records = 0; records < 3; records++) {
                trainer.awaitLine("\"progress\"");
            }
            children = trainer.children();
            trainer.signal("TERM");
            trainer.signal("TERM");
            ended = trainer.awaitEnd();
        }
        assertThat(ended.code()).as(ended.output().toString()).isZero();
        assertThat(children)
                .as("two workers, and one that evaluates")
                .hasSize(vector.equals("process") ? 3 : 0)
                .noneMatch(ProcessHandle::isAlive);
        assertThat(ended.text())
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
        assertThat(ChildTrainer.run("resume", folder.resolve("moved").toString(), "--timesteps", total)
                        .code())
                .isZero();
        List<String> whole = new ArrayList<>(List.of(args));
        whole.set(whole.indexOf("200000"), total);
        whole.addAll(List.of("--model", folder.resolve("b/q3.zip").toString()));
        assertThat(ChildTrainer.run(whole.toArray(new String[0])).code()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("moved/q3.zip")))
                .isEqualTo(Files.readAllBytes(folder.resolve("b/q3.zip")));
    }

    @Test
    @DisplayName("A6 a run that dies of an exception leaves training_failure.json and exit code 1")
    void failed() throws Exception {
        ChildTrainer.Ended ended = ChildTrainer.run(
                "train",
                "--env",
                "Drift-v0",
                "--model",
                folder.resolve("q3.zip").toString(),
                "--env-arg",
                "fail_at=50");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output())
                .anyMatch(line -> line.startsWith("holdfast: environment 0 at its step 49: step threw"))
                .noneMatch(line -> line.startsWith("\tat "));
        assertThat(json("training_failure.json").required("error").textValue()).contains("the drift has run dry");
        assertThat(json("training_failure.json").required("can_resume").booleanValue())
                .isTrue();
    }

    @Test
    @DisplayName("B29 pause and resume through the control file, then stop")
    void pausedAndResumed() throws Exception {
        Path control = folder.resolve("control.json");
        List<String> events = new ArrayList<>();
        try (ChildTrainer trainer = ChildTrainer.start(
                "train",
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
                control.toString())) {
            for (String line = trainer.nextLine(); line != null; line = trainer.nextLine()) {
                if (!line.startsWith("{")) {
                    continue;
                }
                String event = mapper.readTree(line).required("event").textValue();
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
            assertThat(trainer.awaitEnd().code()).isZero();
        }
        assertThat(events).containsExactly("paused", "resumed", "stop_requested", "saved_after_stop", "metadata");
    }
}
