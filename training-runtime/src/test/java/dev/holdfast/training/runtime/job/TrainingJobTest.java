package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.ControlFile.Instruction;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job with a process and clocks that the test holds in its hands. */
class TrainingJobTest {
    private static final long BOUND_BYTES = 100L << 20;

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final FakeProcess process = new FakeProcess();

    private static final class FakeProcess implements TrainerProcess {
        boolean alive = true;
        Integer code;
        int kills;

        @Override
        public long pid() {
            return 4711;
        }

        @Override
        public long startMillis() {
            return 1;
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public Integer exitCode() {
            return code;
        }

        @Override
        public void killTree() {
            kills++;
        }
    }

    private TrainingJob job() {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "Corridor-v0")
                .set(Fields.MODEL, Optional.of(folder.resolve("q3.zip")))
                .build();
        Clock clock = Clock.fixed(Instant.ofEpochSecond(1_000), ZoneOffset.UTC);
        JobRecord record = new JobRecord(
                "id", List.of("trainer"), config, folder.resolve("control.json"), folder.resolve("log"), 0, 990_000, 0);
        TrainingJob job = new TrainingJob(record, new Clocks(clock, nanos::get), Duration.ofSeconds(60));
        job.run(process);
        return job;
    }

    private void print(String text) throws IOException {
        Files.writeString(folder.resolve("log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static Object status(TrainingJob job) {
        return job.snapshot(StateQuery.DEFAULT).get("status");
    }

    private static void pump(TrainingJob job) {
        while (job.pump()) {
            // All there is.
        }
    }

    @Test
    @DisplayName("B22: the trainer is killed once the grace time is over, not before, and once")
    void grace() {
        TrainingJob job = job();
        assertThat(job.instruct(Instruction.STOP)).isTrue();
        nanos.set(TimeUnit.SECONDS.toNanos(60) - 1);
        // Another stop, and a pause, don't prolong it.
        assertThat(job.instruct(Instruction.STOP)).isTrue();
        assertThat(job.instruct(Instruction.PAUSE)).isFalse();
        pump(job);
        assertThat(process.kills).isZero();
        nanos.set(TimeUnit.SECONDS.toNanos(60));
        pump(job);
        pump(job);
        assertThat(process.kills).isEqualTo(1);
        assertThat(status(job)).isEqualTo("stopping");
        process.alive = false;
        process.code = 137;
        pump(job);
        assertThat(job.snapshot(StateQuery.DEFAULT))
                .containsEntry("status", "stopped")
                .containsEntry("forced_kill", true)
                .containsEntry("returncode", 137)
                .containsEntry("elapsed_s", 10.0);
        assertThat(folder.resolve("forced_stop.json")).exists();
        assertThat(job.instruct(Instruction.STOP)).isFalse();
    }

    @Test
    @DisplayName("B33: what stands in the output when the process ends is taken, a line without its end too")
    void lastWords() throws IOException {
        TrainingJob job = job();
        print("{\"event\": \"progress\", \"timesteps\": 32}\n| rollout/ | |\n| ep_rew_mean | 1.5 |");
        pump(job);
        assertThat(job.snapshot(StateQuery.DEFAULT)).containsEntry("metric_total", 1L);
        process.alive = false;
        process.code = 0;
        pump(job);
        assertThat(job.snapshot(StateQuery.DEFAULT))
                .containsEntry("metric_total", 2L)
                .containsEntry("status", "exited")
                .containsEntry("log_total", 3L);
    }

    @Test
    @DisplayName("a signal from elsewhere is a stop, and its end no failure")
    void signal() throws IOException {
        TrainingJob job = job();
        print("{\"event\": \"stop_requested\", \"signal\": \"SIGTERM\"}\n");
        pump(job);
        assertThat(status(job)).isEqualTo("stopping");
        process.alive = false;
        process.code = 0;
        pump(job);
        assertThat(status(job)).isEqualTo("stopped");
        assertThat(process.kills).isZero();
    }

    @Test
    @DisplayName("the reason of a failure is this job's, not that of an earlier one in the same folder")
    void olderFailure() throws IOException {
        Path record = folder.resolve("training_failure.json");
        Files.writeString(record, "{\"error\": \"an old one\", \"created_unix_s\": 989}");
        assertThat(failure()).isEqualTo("holdfast: another run is writing");
        Files.writeString(record, "{\"error\": \"a new one\", \"created_unix_s\": 990}");
        assertThat(failure()).isEqualTo("a new one");
    }

    private Object failure() throws IOException {
        TrainingJob job = job();
        Files.writeString(folder.resolve("log"), "holdfast: another run is writing\n");
        process.alive = false;
        process.code = 1;
        pump(job);
        return job.snapshot(StateQuery.DEFAULT).get("failure");
    }

    @Test
    @DisplayName("a line without end, and one that is no text, take bounded memory and harm nothing")
    void hugeLine() throws IOException {
        TrainingJob job = job();
        print("x".repeat(5_000_000));
        Files.write(folder.resolve("log"), new byte[] {'\n', -1, -2, 0, '{', '}', '\n'}, StandardOpenOption.APPEND);
        pump(job);
        List<?> lines = (List<?>) job.snapshot(StateQuery.DEFAULT).get("log_lines");
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).toString()).hasSizeLessThan(5_000);
    }

    @Test
    @DisplayName("memory is bounded over 200,000 lines")
    void bounded() throws IOException {
        follow(200_000);
    }

    @Test
    @Tag("faults")
    @DisplayName("memory is bounded by 100 MB over 10 million lines")
    void boundedOverMillions() throws IOException {
        follow(10_000_000);
    }

    private void follow(int lines) throws IOException {
        TrainingJob job = job();
        long before = used();
        int batch = 100_000;
        for (int from = 0; from < lines; from += batch) {
            try (BufferedWriter out = Files.newBufferedWriter(
                    folder.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                for (int i = from + 1; i <= from + batch; i++) {
                    out.write("{\"event\": \"progress\", \"timesteps\": " + i + ", \"ep_rew_mean\": " + i % 500
                            + ".25, \"approx_kl\": 0.0123456789, \"fps\": 1234}\n");
                }
            }
            pump(job);
        }
        Map<String, Object> snapshot = job.snapshot(StateQuery.DEFAULT);
        assertThat(snapshot).containsEntry("log_total", (long) lines).containsEntry("metric_total", (long) lines);
        assertThat((List<?>) snapshot.get("metrics")).hasSize(2_000);
        long after = used();
        System.out.println(lines + " lines: " + ((after - before) >> 20) + " MB");
        assertThat(after - before).isLessThan(BOUND_BYTES);
        assertThat(job.snapshot(StateQuery.DEFAULT)).isNotEmpty();
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
