package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorBoardEventsTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2023-11-14T22:13:20.5Z"), ZoneOffset.UTC);

    @TempDir
    Path directory;

    @Test
    void masksChecksumsAsTensorFlowDoes() {
        // CRC-32C of the digits is 0xE3069283 (RFC 3720 and every catalogue of checksums). Rotated right by 15 bits:
        // 0xE3069283 >>> 15 = 0x0001C60D, 0xE3069283 << 17 = 0x25060000, together 0x2507C60D; plus 0xA282EAD8 =
        // 0xC78AB0E5.
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);

        assertThat(TensorBoardEvents.maskedCrc(digits, 0, 9)).isEqualTo(0xC78AB0E5);
    }

    /**
     * By hand: 1700000000.5 as a double is 41d954fc40200000; 2048 as a varint is 80 10 (low seven bits 0, then 16); 0.25 as a
     * float is 3e800000; a field's key is number * 8 + wire type (0 varint, 1 eight bytes, 2 with a length, 5 four bytes).
     * TensorBoard's own writer gives the same bytes, checksums included.
     */
    @Test
    void writesTheseBytes() throws IOException {
        try (MetricSink sink = MetricSinks.tensorBoard(directory, 0, CLOCK, new DurableFiles())) {
            sink.record(new MetricRecord(2048, Map.of(Metric.LOSS, 0.25)));
        }

        assertThat(HexFormat.ofDelimiter(" ")
                        .formatHex(Files.readAllBytes(EventFiles.in(directory).get(0))))
                .isEqualTo(String.join(
                        " ",
                        "18 00 00 00 00 00 00 00 a3 7f 4b 22",
                        "09 00 00 20 40 fc 54 d9 41 1a 0d 62 72 61 69 6e 2e 45 76 65 6e 74 3a 32 2b 35 31 10",
                        "0f 00 00 00 00 00 00 00 6d 53 2b 09",
                        "09 00 00 20 40 fc 54 d9 41 10 01 3a 02 08 01 e5 0a d8 69",
                        "21 00 00 00 00 00 00 00 01 7b ec f6",
                        "09 00 00 20 40 fc 54 d9 41 10 80 10 2a 13",
                        "0a 11 0a 0a 74 72 61 69 6e 2f 6c 6f 73 73 15 00 00 80 3e 74 81 d2 ab"));
    }

    @Test
    void writesAScalarForEachMetricButTheAxes() throws IOException {
        try (MetricSink sink = MetricSinks.tensorBoard(directory, 0, CLOCK, new DurableFiles())) {
            sink.record(new MetricRecord(
                    5_000_000_000L,
                    Map.of(
                            Metric.EP_REW_MEAN,
                            -12.5,
                            Metric.FPS,
                            1495.0,
                            Metric.ITERATIONS,
                            3.0,
                            Metric.EXPLAINED_VARIANCE,
                            Double.NaN)));

            // Read while the sink is open: what was recorded must not wait in a buffer that a kill would lose.
            List<EventFiles.Event> events = EventFiles.decode(
                    Files.readAllBytes(EventFiles.in(directory).get(0)));
            assertThat(events).hasSize(3);
            assertThat(events.get(0).fileVersion).isEqualTo("brain.Event:2");
            assertThat(events.get(1).start).isTrue();
            assertThat(events.get(2).wallTime).isEqualTo(1_700_000_000.5);
            assertThat(events.get(2).step).isEqualTo(5_000_000_000L);
            assertThat(events.get(2).scalars)
                    .containsExactlyInAnyOrderEntriesOf(Map.of("rollout/ep_rew_mean", -12.5f, "time/fps", 1495f));
        }
    }

    @Test
    void makesReadersForgetWhatCameAfterTheCheckpoint() throws IOException {
        try (MetricSink sink = MetricSinks.tensorBoard(directory, 0, CLOCK, new DurableFiles())) {
            for (long step : new long[] {1000, 2000, 3000}) {
                sink.record(new MetricRecord(step, Map.of(Metric.LOSS, 1.0)));
            }
        }
        Path killed = EventFiles.in(directory).get(0);
        byte[] whole = Files.readAllBytes(killed);
        Files.write(killed, java.util.Arrays.copyOf(whole, whole.length - 3));
        // The clock stands still, so both files would be of the same second.
        try (MetricSink sink = MetricSinks.tensorBoard(directory, 1000, CLOCK, new DurableFiles())) {
            sink.record(new MetricRecord(2000, Map.of(Metric.LOSS, 2.0)));
            sink.flush();
        }

        assertThat(EventFiles.in(directory)).hasSize(2);
        assertThat(EventFiles.decode(Files.readAllBytes(EventFiles.in(directory).get(0))))
                .hasSize(4);
        assertThat(losses()).containsExactly(Map.entry(1000L, 1f), Map.entry(2000L, 2f));
    }

    @Test
    void makesReadersForgetAnOlderRun() throws IOException {
        for (double loss : new double[] {1, 2}) {
            try (MetricSink sink = MetricSinks.tensorBoard(directory, 0, CLOCK, new DurableFiles())) {
                sink.record(new MetricRecord((long) loss, Map.of(Metric.LOSS, loss)));
            }
        }

        assertThat(losses()).containsExactly(Map.entry(2L, 2f));
    }

    @Test
    void namesFilesSoThatTheNewestIsTheLast() throws IOException {
        Files.createFile(directory.resolve("events.out.tfevents.1800000000.elsewhere.1.0"));
        Files.createFile(directory.resolve("events.out.tfevents.notes"));
        MetricSinks.tensorBoard(directory, 0, CLOCK, new DurableFiles()).close();
        MetricSinks.tensorBoard(directory, 0, CLOCK, new DurableFiles()).close();

        String own = "[A-Za-z0-9._-]+\\." + ProcessHandle.current().pid() + "\\.0";
        assertThat(EventFiles.in(directory).get(1).getFileName().toString())
                .matches("events\\.out\\.tfevents\\.1800000001\\." + own);
        assertThat(EventFiles.in(directory).get(2).getFileName().toString())
                .matches("events\\.out\\.tfevents\\.1800000002\\." + own);
    }

    @Test
    void namesADirectoryThatIsNotThere() {
        Path missing = directory.resolve("missing");

        assertThatThrownBy(() -> MetricSinks.tensorBoard(missing, 0, CLOCK, new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageStartingWith("can't list " + missing + ": ");
    }

    /** Returns the losses that TensorBoard shows. */
    private Map<Long, Float> losses() throws IOException {
        Map<Long, Float> losses = new TreeMap<>();
        EventFiles.shown(directory).forEach((step, scalars) -> losses.put(step, scalars.get("train/loss")));
        return losses;
    }
}
