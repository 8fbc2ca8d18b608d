package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProgressCsvTest {
    private static final String HEADER = "eval/mean_ep_length,eval/mean_reward,eval/std_reward,rollout/ep_len_mean,"
            + "rollout/ep_rew_mean,rollout/worker_restarts,time/fps,time/iterations,time/start_timesteps,time/time_elapsed,time/total_timesteps,"
            + "train/approx_kl,train/clip_fraction,train/clip_range,train/clip_range_vf,train/entropy_loss,"
            + "train/explained_variance,train/gradient_norm,train/learning_rate,train/loss,train/n_updates,"
            + "train/policy_gradient_loss,train/std,train/value_loss\n";

    private final Locale locale = Locale.getDefault();

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void chooseFile() {
        file = directory.resolve("progress.csv");
    }

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    private static void write(MetricSink sink, long... timesteps) {
        for (long at : timesteps) {
            sink.record(new MetricRecord(at, Map.of(Metric.LOSS, at / 1000.0)));
        }
    }

    private static String row(long timesteps) {
        return ",,,,,,,,,," + timesteps + ",,,,,,,,," + timesteps / 1000.0 + ",,,,\n";
    }

    @Test
    void writesEveryColumnFromTheFirstLineOnInEveryLocale() throws IOException {
        Locale.setDefault(Locale.GERMANY);
        try (MetricSink sink = MetricSinks.progressCsv(file, 0, new DurableFiles())) {
            assertThat(file).hasContent(HEADER);
            Map<Metric, Double> values = new EnumMap<>(Metric.class);
            values.put(Metric.EP_LEN_MEAN, 20.0);
            values.put(Metric.EP_REW_MEAN, -1_234_567.125);
            values.put(Metric.FPS, 1495.0);
            values.put(Metric.APPROX_KL, 0.1);
            values.put(Metric.EXPLAINED_VARIANCE, Double.NaN);
            values.put(Metric.LEARNING_RATE, 3e-4);
            values.put(Metric.N_UPDATES, 10.0);
            values.put(Metric.VALUE_LOSS, 1e22);
            sink.record(new MetricRecord(9_876_543_210L, values));

            // Read while the sink is open: what was recorded must not wait in a buffer that a kill would lose.
            assertThat(Files.readString(file))
                    .isEqualTo(HEADER + ",,,20.0,-1234567.125,,1495,,,,9876543210,0.1,,,,,,,3.0E-4,,10,,,1.0E22\n");
        }
    }

    @Test
    void goesOnAsIfTheRunHadNeverStopped() throws IOException {
        Path unbroken = directory.resolve("unbroken.csv");
        try (MetricSink sink = MetricSinks.progressCsv(unbroken, 0, new DurableFiles())) {
            write(sink, 1000, 2000, 3000, 4000);
        }
        try (MetricSink sink = MetricSinks.progressCsv(file, 0, new DurableFiles())) {
            write(sink, 1000, 2000, 3000);
            sink.flush();
        }
        // Killed in the middle of a row, after the checkpoint of 2000.
        Files.writeString(file, Files.readString(file) + ",,,,,,,,,,40");
        try (MetricSink sink = MetricSinks.progressCsv(file, 2000, new DurableFiles())) {
            assertThat(Files.readString(file)).isEqualTo(HEADER + row(1000) + row(2000));
            write(sink, 3000, 4000);
        }

        assertThat(file).hasSameBinaryContentAs(unbroken);
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void dropsATornLastRowThatHasAllItsColumns() throws IOException {
        // 2000 may have been 20001: without its end the row can't be trusted.
        Files.writeString(file, HEADER + row(1000) + row(2000).strip());
        try (MetricSink sink = MetricSinks.progressCsv(file, 5000, new DurableFiles())) {
            write(sink, 6000);
        }

        assertThat(Files.readString(file)).isEqualTo(HEADER + row(1000) + row(6000));
    }

    @Test
    void startsAgainWhereEvenTheHeaderIsTorn() throws IOException {
        Files.writeString(file, HEADER.substring(0, 50));
        try (MetricSink sink = MetricSinks.progressCsv(file, 5000, new DurableFiles())) {
            write(sink, 6000);
        }

        assertThat(Files.readString(file)).isEqualTo(HEADER + row(6000));
    }

    @Test
    void startsAFileThatIsNotThere() throws IOException {
        try (MetricSink sink = MetricSinks.progressCsv(file, 5000, new DurableFiles())) {
            write(sink, 6000);
        }

        assertThat(Files.readString(file)).isEqualTo(HEADER + row(6000));
    }

    @Test
    void leavesOutDamagedRows() throws IOException {
        Files.writeString(
                file, HEADER + row(1000) + "\0\0\0\n" + "\n" + row(2000).replace("2000", "two") + row(3000));
        try (MetricSink sink = MetricSinks.progressCsv(file, 3000, new DurableFiles())) {
            write(sink, 4000);
        }

        assertThat(Files.readString(file)).isEqualTo(HEADER + row(1000) + row(3000) + row(4000));
    }

    @Test
    void findsTheColumnsOfAnotherVersionByTheirNames() throws IOException {
        Files.writeString(file, """
                train/loss,time/total_timesteps,train/forgotten
                1.0,1000,7
                ,2000,8
                3.0,3000,9
                """);
        try (MetricSink sink = MetricSinks.progressCsv(file, 2000, new DurableFiles())) {
            write(sink, 3000);
        }

        assertThat(Files.readString(file)).isEqualTo(HEADER + row(1000) + ",,,,,,,,,,2000,,,,,,,,,,,,,\n" + row(3000));
    }

    @Test
    void leavesAForeignFileAlone() throws IOException {
        Files.writeString(file, "date,price\n2026-01-01,5\n");

        assertThatThrownBy(() -> MetricSinks.progressCsv(file, 2000, new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessage(file + " must have a column time/total_timesteps for a run to go on with it, but its first"
                        + " line is 'date,price'; move the file away");
        assertThat(file).hasContent("date,price\n2026-01-01,5\n");
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void replacesTheFileOfAnOlderRun() throws IOException {
        Files.writeString(file, "date,price\n2026-01-01,5\n".repeat(100));
        try (MetricSink sink = MetricSinks.progressCsv(file, 0, new DurableFiles())) {
            write(sink, 1000);
        }

        assertThat(Files.readString(file)).isEqualTo(HEADER + row(1000));
    }

    @Test
    void namesAFileThatCannotBeOpened() throws IOException {
        Path notADirectory = Files.writeString(directory.resolve("note"), "");
        Path inside = notADirectory.resolve("progress.csv");

        assertThatThrownBy(() -> MetricSinks.progressCsv(inside, 0, new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageStartingWith("can't open " + inside + ": ")
                .hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesTheFileOnAFullDisk() {
        assertThatThrownBy(() -> MetricSinks.progressCsv(Path.of("/dev/full"), 0, new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageMatching("can't write /dev/full: .+");
    }
}
