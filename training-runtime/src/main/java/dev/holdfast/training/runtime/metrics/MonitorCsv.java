package dev.holdfast.training.runtime.metrics;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.AppendedFile;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The episodes of each environment, as Stable-Baselines3's {@code Monitor} writes them. */
final class MonitorCsv implements MetricSink {
    private final List<EpisodeFile> episodeFiles = new ArrayList<>();

    MonitorCsv(
            Path directory, String stem, String environmentName, long[] keptEpisodes, Clock clock, DurableFiles files) {
        BigDecimal now = seconds(clock.instant());
        try {
            for (int i = 0; i < keptEpisodes.length; i++) {
                episodeFiles.add(
                        new EpisodeFile(path(directory, stem, i), environmentName, keptEpisodes[i], now, files));
            }
            // Of a replaced run with more environments: readers of a folder would take them for this run's.
            for (int i = keptEpisodes.length; Files.exists(path(directory, stem, i)); i++) {
                files.delete(path(directory, stem, i));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static Path path(Path directory, String stem, int environment) {
        return directory.resolve(stem + "_env" + environment + ".monitor.csv");
    }

    private static BigDecimal seconds(Instant instant) {
        return BigDecimal.valueOf(instant.getEpochSecond())
                .add(BigDecimal.valueOf(instant.getNano(), 9))
                .setScale(6, RoundingMode.DOWN);
    }

    /** The format has no place for the metrics of iterations. */
    @Override
    public void record(MetricRecord record) {}

    @Override
    public void episode(EpisodeRecord episode) {
        episodeFiles.get(episode.environment()).append(episode);
    }

    @Override
    public void flush() {
        episodeFiles.forEach(file -> file.file.sync());
    }

    @Override
    public void close() {
        episodeFiles.forEach(file -> file.file.close());
    }

    /** The file of one environment. */
    private static final class EpisodeFile {
        final AppendedFile file;

        /** The seconds from the time in the first line to the start of this part of the run. */
        private final double offset;

        EpisodeFile(Path path, String environmentName, long keptEpisodes, BigDecimal now, DurableFiles files) {
            boolean resumed = keptEpisodes > 0;
            Kept kept = new Kept(path, keptEpisodes);
            if (resumed && Files.exists(path)) {
                LineEdit.edit(path, files, kept);
            }
            String head = "#{\"t_start\": " + now.toPlainString() + ", \"env_id\": \""
                    + new String(JsonStringEncoder.getInstance().quoteAsString(environmentName)) + "\"}\nr,l,t\n";
            file = files.append(path, resumed, head.getBytes(StandardCharsets.UTF_8));
            // A clock that was set back must not make times negative.
            offset = kept.start == null
                    ? 0
                    : Math.max(0, now.subtract(kept.start).doubleValue());
        }

        void append(EpisodeRecord episode) {
            file.append(NumberText.sixDecimals(episode.episodeReturn()) + "," + episode.length() + ","
                    + NumberText.sixDecimals(offset + episode.seconds()) + "\n");
        }
    }

    /** What a resumed run keeps of a file: the two lines of its head, and a row for each episode of its past. */
    private static final class Kept implements LineEdit {
        private static final Pattern HEAD = Pattern.compile("#\\{\"t_start\": ?(\\d{1,12}(\\.\\d{1,12})?),.*}\\s*");

        private final Path path;
        private final long episodes;
        private long line;

        /** The time in the first line, in seconds since 1970; null until it was read. */
        @Nullable BigDecimal start;

        Kept(Path path, long episodes) {
            this.path = path;
            this.episodes = episodes;
        }

        @Override
        public @Nullable String apply(String text) {
            if (start == null) {
                Matcher head = HEAD.matcher(text);
                if (!head.matches()) {
                    throw new HoldfastException(path
                            + " must begin with #{\"t_start\": <unix seconds>, for a run to go on with it, but its first line is "
                            + LineEdit.excerpt(text) + "; move the file away");
                }
                start = new BigDecimal(head.group(1));
            }
            return line++ < episodes + 2 ? text : null;
        }
    }
}
