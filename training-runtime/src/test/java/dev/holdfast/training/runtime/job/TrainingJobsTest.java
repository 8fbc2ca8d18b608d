package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.json.JsonText;
import dev.holdfast.training.runtime.vector.WorkerProcesses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs in real child processes: a stub trainer's, and at the end the real one's. */
class TrainingJobsTest {
    @TempDir
    private Path folder;

    private TrainingJobs jobs;

    @AfterEach
    void endWhatRuns() {
        if (jobs != null) {
            jobs.snapshot(StateQuery.DEFAULT)
                    .map(job -> job.get("pid"))
                    .flatMap(pid -> ProcessHandle.of((Long) pid))
                    .ifPresent(process -> {
                        process.descendants().forEach(ProcessHandle::destroyForcibly);
                        process.destroyForcibly();
                        process.onExit().join();
                    });
            jobs.close();
        }
    }

    private TrainingJobs open(List<String> trainer, Duration grace) {
        jobs = TrainingJobs.in(folder).trainer(trainer).grace(grace).open();
        return jobs;
    }

    private TrainingJobs open(String way) {
        return open(StubTrainer.command(way), Duration.ofMinutes(2));
    }

    private static Map<String, Object> settings(Object... pairs) {
        Map<String, Object> settings =
                new HashMap<>(Map.of("env", "Corridor-v0", "timesteps", 128, "rollout_steps", 32, "batch_size", 32));
        for (int i = 0; i < pairs.length; i += 2) {
            settings.put((String) pairs[i], pairs[i + 1]);
        }
        return settings;
    }

    private Map<String, Object> job() {
        return jobs.snapshot(StateQuery.DEFAULT).orElseThrow();
    }

    private Map<String, Object> await(Predicate<Map<String, Object>> condition) {
        WorkerProcesses.await("the job is as expected; it is " + job(), () -> condition.test(job()));
        return job();
    }

    private Map<String, Object> awaitStatus(String status) {
        // An end that isn't the expected one will not become it.
        Map<String, Object> reached = await(job -> job.get("status").equals(status)
                || part(job, "process").get("terminal").equals(true));
        assertThat(reached).containsEntry("status", status);
        return reached;
    }

    private static Map<?, ?> part(Map<String, Object> job, String key) {
        return (Map<?, ?>) job.get(key);
    }

    private static List<?> steps(Map<String, Object> job) {
        return ((List<?>) job.get("metrics"))
                .stream().map(point -> ((Map<?, ?>) point).get("timesteps")).toList();
    }

    @Test
    @DisplayName("B17: a job runs, exits, and everything is there; a second one is another job")
    void lifecycle() {
        open("finish").start(settings());
        assertThat(job().get("status")).isIn("running", "exited");
        String id = (String) job().get("job_id");
        Map<String, Object> job = awaitStatus("exited");
        assertThat(job).containsEntry("returncode", 0).containsEntry("forced_kill", false);
        assertThat(part(job, "process").get("percent")).isEqualTo(100.0);
        assertThat(part(job, "process").get("terminal")).isEqualTo(true);
        assertThat(part(job, "process").get("label")).isEqualTo("Ended normally");
        assertThat(steps(job)).isEqualTo(List.of(32L, 64L, 96L, 128L));
        assertThat(job)
                .containsEntry("metric_offset", 0L)
                .containsEntry("metric_end", 4L)
                .containsEntry("metric_total", 4L)
                .containsEntry("log_total", 5L);
        assertThat((List<?>) job.get("log_lines")).hasSize(5);
        assertThat(job.get("monitor"))
                .isEqualTo(List.of(Map.of("r", 1.5, "l", 10L, "t", 0.5), Map.of("r", 2.5, "l", 10L, "t", 1.0)));
        Map<String, Object> chinese = jobs.snapshot(new StateQuery(1, 3, 10, Locale.SIMPLIFIED_CHINESE))
                .orElseThrow();
        assertThat(part(chinese, "process").get("label")).isEqualTo("正常结束");
        assertThat(steps(chinese)).isEqualTo(List.of(128L));
        assertThat((List<?>) chinese.get("log_lines")).hasSize(1);
        assertThat(JsonText.object(JsonText.write(job))).isPresent();

        jobs.start(settings());
        assertThat(job().get("job_id")).isNotEqualTo(id);
        awaitStatus("exited");
    }

    @Test
    @DisplayName("B18: a non-zero exit is a failure, with its code and the last lines")
    void failure() {
        open("fail").start(settings());
        Map<String, Object> job = awaitStatus("failed");
        assertThat(job).containsEntry("returncode", 3);
        assertThat(part(job, "process").get("tone")).isEqualTo("bad");
        assertThat((String) job.get("failure")).contains("something broke");
        assertThat(part(job, "recovery").get("can_resume")).isEqualTo(false);
    }

    @Test
    @DisplayName("B6, B19, B26: what is set reaches the command, as a list of arguments, with the control file")
    void command() {
        open("finish")
                .start(settings(
                        "recovery_every",
                        64,
                        "checkpoint_every",
                        32,
                        "checkpoint_keep",
                        2,
                        "seed",
                        -5,
                        "tensorboard",
                        false));
        List<?> command = (List<?>) job().get("command");
        assertThat(command.toString())
                .contains("--recovery-every, 64, ")
                .contains("--checkpoint-every, 32, ")
                .contains("--checkpoint-keep, 2, ")
                .contains("--seed, -5, ")
                .contains("--control-file, " + folder.resolve("Corridor-v0_1").resolve("control.json"))
                .contains("--model, " + folder.resolve("Corridor-v0_1").resolve("Corridor-v0.zip"))
                .contains("--tensorboard=false");
        assertThat(command.contains("--progress-json")).isTrue();
        assertThat(command).noneMatch(argument -> argument.toString().startsWith(" "));
        awaitStatus("exited");
    }

    @Test
    @DisplayName("B20, B21, B28: pause, resume and stop through the control file; false where no process lives")
    void control() throws IOException {
        open("obey");
        assertThat(List.of(jobs.pause(), jobs.resume(), jobs.stop())).containsOnly(false);
        jobs.start(settings());
        await(job -> (long) job.get("metric_total") > 0);
        assertThat(jobs.pause()).isTrue();
        long points = (long) awaitStatus("paused").get("metric_total");
        assertThatThrownBy(() -> jobs.start(settings()))
                .isInstanceOf(JobConflictException.class)
                .hasMessageContaining("already running")
                .satisfies(e -> assertThat(((JobConflictException) e).message(Locale.CHINA))
                        .contains("已有训练任务"));
        assertThat(jobs.resume()).isTrue();
        await(job -> (long) job.get("metric_total") > points);
        assertThat(job()).containsEntry("status", "running");
        assertThat(jobs.stop()).isTrue();
        assertThat(awaitStatus("stopped")).containsEntry("returncode", 0).containsEntry("forced_kill", false);
        assertThat(List.of(jobs.pause(), jobs.resume(), jobs.stop())).containsOnly(false);
        String log = Files.readString(folder.resolve("Corridor-v0_1").resolve("Corridor-v0_job.log"));
        assertThat(log.substring(log.indexOf("\"paused\""), log.indexOf("\"resumed\"")))
                .doesNotContain("progress");
    }

    @Test
    @DisplayName(
            "B22, B31: a trainer that ignores the stop is killed with its children, and what can be recovered is recorded")
    void forcedStop() throws IOException {
        open(StubTrainer.command("ignore"), Duration.ofMillis(10)).start(settings());
        Path run = folder.resolve("Corridor-v0_1");
        Map<String, Object> running =
                await(job -> job.get("log_lines").toString().contains("CHILD"));
        String line = ((List<?>) running.get("log_lines"))
                .stream()
                        .map(Object::toString)
                        .filter(text -> text.startsWith("CHILD"))
                        .findFirst()
                        .orElseThrow();
        long child = Long.parseLong(line.substring("CHILD ".length()));
        Path checkpoint = run.resolve("checkpoints").resolve("Corridor-v0_ckpt_latest.zip");
        Files.createDirectories(checkpoint.getParent());
        try (InputStream archive = Objects.requireNonNull(
                getClass().getResourceAsStream("/dev/holdfast/training/runtime/checkpoint/format-1.zip"))) {
            Files.copy(archive, checkpoint);
        }
        assertThat(jobs.stop()).isTrue();
        Map<String, Object> job = awaitStatus("stopped");
        assertThat(job).containsEntry("forced_kill", true);
        assertThat(part(job, "recovery").get("model")).isEqualTo(checkpoint.toString());
        WorkerProcesses.await("the child has ended", () -> WorkerProcesses.ended(child));
        Map<String, Object> record = JsonText.object(Files.readString(run.resolve("forced_stop.json")))
                .orElseThrow();
        assertThat(record).containsEntry("event", "forced_stop").containsEntry("reason", "grace_timeout");
        assertThat(part(record, "recovery").get("model")).isEqualTo(checkpoint.toString());
        assertThat(part(record, "recovery").get("can_resume")).isEqualTo(true);
    }

    @Test
    @DisplayName("B30: the trainer leads a process group of its own")
    void processGroup() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "skipped: this system has no /proc");
        open("obey").start(settings());
        String pid = job().get("pid").toString();
        await(job -> (long) job.get("metric_total") > 0);
        String stat = Files.readString(Path.of("/proc", pid, "stat"));
        assertThat(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[2]).isEqualTo(pid);
    }

    @Test
    @DisplayName("a job outlives who has started it; the next one who opens the folder finds it, running or ended")
    void adoption() {
        TrainingJobs first = open("obey");
        first.start(settings());
        await(job -> (long) job.get("metric_total") > 0);
        first.pause();
        Object id = awaitStatus("paused").get("job_id");
        first.close();

        open("finish");
        assertThat(awaitStatus("paused")).containsEntry("job_id", id);
        assertThatThrownBy(() -> jobs.start(settings())).hasMessageContaining("already running");
        jobs.stop();
        Map<String, Object> ended = awaitStatus("stopped");
        assertThat(ended).containsEntry("returncode", null).containsEntry("forced_kill", false);
        jobs.close();

        open("finish");
        assertThat(job()).containsEntry("job_id", id);
        assertThat(steps(job())).isEqualTo(steps(ended));
    }

    @Test
    @DisplayName("B4, B5, B27: what is not allowed is rejected by its name, and nothing is started")
    void rejected() {
        open("finish");
        rejects("problem", settings("problem", 5));
        rejects("stage", settings("stage", 9));
        rejects("rollout_steps", settings("rollout_steps", 256));
        rejects("model", settings("model", ""));
        rejects("model", settings("model", "a\u0007b/m.zip"));
        rejects("vec_env", settings("vec_env", "carrier"));
        rejects("backend", settings("backend", "abacus"));
        rejects("env", settings("env", "Nowhere-v0"));
        rejects("env", Map.of("timesteps", 100));
        rejects("recovery_every", settings("recovery_every", -1));
        rejects("checkpoint_every", settings("checkpoint_every", -1));
        rejects("checkpoint_keep", settings("checkpoint_keep", 0));
        rejects("timesteps", settings("timesteps", List.of(1)));
        rejects("nonsense", settings("nonsense", 1));
        rejects("init", settings("init", "a\u0000b"));
        assertThatThrownBy(() -> jobs.start(settings("resume", true, "force", true, "model", "m.zip")))
                .isInstanceOf(JobConflictException.class)
                .hasMessageContaining("exclude each other")
                .satisfies(e -> assertThat(((JobConflictException) e).message(Locale.CHINESE))
                        .contains("互斥"));
        assertThatThrownBy(() -> jobs.start(settings("resume", true))).hasMessageContaining("resume needs model");
        assertThatThrownBy(() -> jobs.start(settings("force", true))).hasMessageContaining("model");
        assertThatThrownBy(() -> jobs.start(settings("control_file", "c.json"))).hasMessageContaining("control_file");
        assertThat(jobs.snapshot(StateQuery.DEFAULT)).isEmpty();
    }

    private void rejects(String field, Map<String, Object> settings) {
        assertThatThrownBy(() -> jobs.start(settings))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(field);
    }

    @Test
    @DisplayName("a damaged record of a job is left alone")
    void damagedRecord() throws IOException {
        for (String text : List.of("", "{}", "{\"config\": {\"env\": 1}, \"command\": []}", "nonsense")) {
            Files.writeString(folder.resolve("job.json"), text);
            try (TrainingJobs opened = TrainingJobs.in(folder).open()) {
                assertThat(opened.snapshot(StateQuery.DEFAULT)).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("the real trainer: paused, stopped, resumed with a continuous curve, and listed among the runs")
    void realTrainer() {
        open(TrainerCommand.ofThisProgram(), Duration.ofMinutes(2))
                .start(settings("timesteps", 10_000_000, "n_epochs", 1, "net_arch", "4"));
        await(job -> (long) job.get("metric_total") > 2);
        assertThat(jobs.pause()).isTrue();
        awaitStatus("paused");
        assertThat(jobs.resume()).isTrue();
        awaitStatus("running");
        assertThat(jobs.stop()).isTrue();
        Map<String, Object> stopped = awaitStatus("stopped");
        assertThat(stopped).containsEntry("returncode", 0).containsEntry("forced_kill", false);
        assertThat(part(stopped, "recovery").get("can_resume")).isEqualTo(true);
        assertThat(part(stopped, "recovery").get("source")).isEqualTo("resume.json");
        Object model = stopped.get("model");
        long points = (long) stopped.get("metric_total");

        jobs.start(Map.of("model", model, "resume", true));
        await(job -> (long) job.get("metric_total") > points);
        List<?> steps = steps(job());
        assertThat(steps.subList(0, (int) points)).isEqualTo(steps(stopped));
        jobs.stop();
        awaitStatus("stopped");
        assertThat(jobs.runs()).hasSize(1);
        Map<String, Object> run = jobs.runs().get(0);
        assertThat(run)
                .containsEntry("run", "Corridor-v0_1/Corridor-v0")
                .containsEntry("env", "Corridor-v0")
                .containsEntry("can_resume", true)
                .containsEntry("has_model", true);
        assertThat(jobs.points("Corridor-v0_1/Corridor-v0", 10)).hasSize(10);
        assertThat(jobs.file("Corridor-v0_1/Corridor-v0", "csv")).exists();
        for (String name : List.of("", "..", "../x", "/etc/passwd", "Corridor-v0_1", "Corridor-v0_1/other", "\u0000")) {
            assertThatThrownBy(() -> jobs.file(name, "csv")).isInstanceOf(InvalidConfigurationException.class);
        }
    }
}
