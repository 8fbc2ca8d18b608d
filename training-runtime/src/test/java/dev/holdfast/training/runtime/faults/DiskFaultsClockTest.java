package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk.Fault;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.faults.SmallRun.Outcome;
import dev.holdfast.training.runtime.metrics.MetricSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that is set back, again and again: files of later saves have earlier times. */
class DiskFaultsClockTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path root;

    private Outcome undisturbed;
    private SmallRun run;

    @BeforeEach
    void setUp() throws IOException {
        SmallRun whole = new SmallRun(root.resolve("undisturbed"));
        whole.begin(new FaultyDisk().files());
        undisturbed = whole.outcome();
        run = new SmallRun(root.resolve("run"));
    }

    /** Goes back by an hour whenever it is read. */
    private static final class SetBack extends Clock {
        private Instant now = Instant.now();

        @Override
        public Instant instant() {
            now = now.minus(HOUR);
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private List<String> periodic() throws IOException {
        try (Stream<Path> files = Files.list(run.file("checkpoints"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("q3_ckpt_\\d+\\.zip"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    @DisplayName("set back between saves: the newest K are kept, the hint names the newest, nothing else changes")
    void betweenSaves() throws IOException {
        List<List<String>> kept = new ArrayList<>();
        MetricSink look = record -> {
            try {
                // Before the save of this iteration.
                kept.add(record.timesteps() == 64 ? List.of() : periodic());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
        Clock clock = new SetBack();
        run.train(
                SmallRun.options().set(Fields.CHECKPOINT_EVERY, 64L),
                clock,
                new FaultyDisk().clock(clock).files(),
                look);
        assertThat(kept)
                .containsExactly(
                        List.of(),
                        List.of("q3_ckpt_000000064.zip"),
                        List.of("q3_ckpt_000000064.zip", "q3_ckpt_000000128.zip"),
                        List.of("q3_ckpt_000000128.zip", "q3_ckpt_000000192.zip"),
                        List.of("q3_ckpt_000000192.zip", "q3_ckpt_000000256.zip"));
        assertThat(periodic()).containsExactly("q3_ckpt_000000256.zip", "q3_ckpt_000000320.zip");
        assertThat(run.recovery().model()).isEqualTo(run.model());
        run.hasEndedAs(undisturbed, "set back between saves");
    }

    @Test
    @DisplayName("set back between saves, then killed: the hint leads to the newest; without it an older one is found")
    void recovery() throws IOException {
        FaultyDisk disk = new FaultyDisk().clock(new SetBack());
        MetricSink killer = record -> {
            if (record.timesteps() == 256) {
                disk.fault(Fault.CRASH, disk.operations() + 1);
            }
        };
        assertThat(catchThrowable(() -> run.begin(disk.files(), killer))).isInstanceOf(FaultyDisk.Crash.class);
        assertThat(run.recovery().timesteps()).isEqualTo(192);
        Files.delete(run.file("resume.json"));
        assertThat(run.recovery().problems()).isEmpty();
        assertThat(run.recovery().timesteps()).isEqualTo(128);
        run.endsAs(undisturbed, "from an older one");
    }

    @Test
    @DisplayName("set back between two runs: leftovers from the future stay until it has come, nothing else changes")
    void betweenRuns() throws IOException {
        run.beginAndDie(192);
        Path leftover = Files.writeString(run.file("checkpoints/.q3_ckpt_latest.zip.17-1f.tmp"), "half an archive");
        Clock yesterday = Clock.offset(Clock.systemUTC(), HOUR.multipliedBy(-24));
        TrainingResult result = run.train(
                TrainingConfig.builder().set(Fields.RESUME, true),
                yesterday,
                new FaultyDisk().clock(yesterday).files());
        assertThat(result.isFinished()).isTrue();
        assertThat(leftover).exists();
        for (String line : Files.readAllLines(run.file("q3_env0.monitor.csv"))) {
            assertThat(line).as("seconds since the run began").doesNotContain(",-");
        }

        Files.setLastModifiedTime(leftover, FileTime.from(Instant.now().minus(HOUR)));
        run.resume(new DurableFiles());
        run.hasEndedAs(undisturbed, "set back between two runs");
    }
}
