package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorCsvTest {
    private static final Clock START = at("2026-12-01T03:03:06.815477499Z");
    private static final String HEAD = "#{\"t_start\": 1796094186.815477, \"env_id\": \"CartPole-v1\"}\nr,l,t\n";

    private final Locale locale = Locale.getDefault();

    @TempDir
    Path directory;

    private Path first;
    private Path second;

    @BeforeEach
    void nameFiles() {
        first = directory.resolve("q3_env0.monitor.csv");
        second = directory.resolve("q3_env1.monitor.csv");
    }

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    private static Clock at(String instant) {
        return Clock.fixed(Instant.parse(instant), ZoneOffset.UTC);
    }

    private MetricSink sink(Clock clock, long... keptEpisodes) {
        return MetricSinks.monitorCsv(directory, "q3", "CartPole-v1", keptEpisodes, clock, new DurableFiles());
    }

    @Test
    void writesWhatMonitorOfStableBaselines3Writes() throws IOException {
        Locale.setDefault(Locale.GERMANY);
        try (MetricSink sink = sink(START, 0, 0)) {
            sink.episode(new EpisodeRecord(0, 13, 13, 0.0202594));
            sink.episode(new EpisodeRecord(1, -911.1234567, 200, 0.2317794));
            sink.episode(new EpisodeRecord(0, 18, 18, 1234.5));

            // Read while the sink is open: what was recorded must not wait in a buffer that a kill would lose.
            assertThat(Files.readString(first)).isEqualTo(HEAD + "13.0,13,0.020259\n18.0,18,1234.5\n");
            assertThat(Files.readString(second)).isEqualTo(HEAD + "-911.123457,200,0.231779\n");
        }
    }

    /** The reading side follows {@code stable_baselines3.common.monitor.load_results}: JSON behind a #, then CSV. */
    @Test
    void canBeReadAsJsonAndCsvWhateverTheEnvironmentIsCalled() throws IOException {
        String name = "C:\\envs\\\"Käfig\"\n";
        try (MetricSink sink = MetricSinks.monitorCsv(directory, "q3", name, new long[1], START, new DurableFiles())) {
            sink.episode(new EpisodeRecord(0, 1, 2, 3));
        }

        List<String> lines = Files.readAllLines(first);
        assertThat(lines.get(0)).startsWith("#");
        JsonNode head = new ObjectMapper().readTree(lines.get(0).substring(1));
        assertThat(head.get("env_id").textValue()).isEqualTo(name);
        assertThat(head.get("t_start").doubleValue()).isEqualTo(1796094186.815477);
        assertThat(lines.subList(1, lines.size())).containsExactly("r,l,t", "1.0,2,3.0");
    }

    @Test
    void keepsTheEpisodesOfTheCheckpointAndCountsTimeOn() throws IOException {
        try (MetricSink sink = sink(START, 0, 0)) {
            sink.episode(new EpisodeRecord(0, 1, 1, 1));
            sink.episode(new EpisodeRecord(0, 2, 2, 2));
            sink.episode(new EpisodeRecord(0, 3, 3, 3));
            sink.episode(new EpisodeRecord(1, 4, 4, 4));
            sink.flush();
        }
        // Killed in the middle of a row; the checkpoint had two episodes of the first environment and none of the
        // second.
        Files.writeString(first, Files.readString(first) + "4.0,4");
        try (MetricSink sink = sink(at("2026-12-01T04:03:06.815477Z"), 2, 0)) {
            sink.episode(new EpisodeRecord(0, 3, 3, 0.5));
            sink.episode(new EpisodeRecord(1, 4, 4, 0.75));
        }

        assertThat(Files.readString(first)).isEqualTo(HEAD + "1.0,1,1.0\n2.0,2,2.0\n3.0,3,3600.5\n");
        assertThat(Files.readString(second)).isEqualTo(HEAD.replace("1796094186", "1796097786") + "4.0,4,0.75\n");
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void keepsWhatIsThereOfAFileThatLostRows() throws IOException {
        Files.writeString(first, HEAD + "1.0,1,1.0\n2.0,2");
        try (MetricSink sink = sink(START, 5)) {
            sink.episode(new EpisodeRecord(0, 6, 6, 0.5));
        }

        assertThat(Files.readString(first)).isEqualTo(HEAD + "1.0,1,1.0\n6.0,6,0.5\n");
    }

    @Test
    void startsFilesThatAreNotThereOrHaveOnlyAPieceOfAHead() throws IOException {
        Files.writeString(second, HEAD.substring(0, 20));
        try (MetricSink sink = sink(START, 5, 5)) {
            sink.episode(new EpisodeRecord(0, 6, 6, 0.5));
        }

        assertThat(Files.readString(first)).isEqualTo(HEAD + "6.0,6,0.5\n");
        assertThat(Files.readString(second)).isEqualTo(HEAD);
    }

    @Test
    void neverCountsTimeBackwards() throws IOException {
        Files.writeString(first, HEAD + "1.0,1,1.0\n");
        try (MetricSink sink = sink(at("2026-11-01T00:00:00Z"), 1)) {
            sink.episode(new EpisodeRecord(0, 6, 6, 0.5));
        }

        assertThat(Files.readString(first)).endsWith("\n6.0,6,0.5\n");
    }

    @Test
    void leavesAForeignFileAlone() throws IOException {
        Files.writeString(second, "date,price\n");

        assertThatThrownBy(() -> sink(START, 1, 1))
                .isInstanceOf(HoldfastException.class)
                .hasMessage(second
                        + " must begin with #{\"t_start\": <unix seconds>, for a run to go on with it, but its first"
                        + " line is 'date,price'; move the file away");
        assertThat(second).hasContent("date,price\n");
    }

    @Test
    void namesAFileThatCannotBeOpened() {
        Path missing = directory.resolve("missing");

        assertThatThrownBy(() ->
                        MetricSinks.monitorCsv(missing, "q3", "CartPole-v1", new long[1], START, new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageStartingWith("can't open " + missing.resolve("q3_env0.monitor.csv") + ": ");
    }
}
