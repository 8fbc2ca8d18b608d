package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.config.ConfigFile;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.metrics.Metric;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs in a folder, from their files. A run is known by the path of its model below the folder, without {@code .zip}. */
final class EarlierRuns {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierRuns.class);
    private static final int LISTED = 200;
    private static final int DEPTH = 4;
    private static final String CONFIG = "config.json";
    static final String PROGRESS = "progress.csv";
    private static final int LAST_ROW = 1 << 13;

    private final Path folder;

    EarlierRuns(Path folder) {
        this.folder = folder;
    }

    /** The folder of a run, what its configuration says, and when it last reported. */
    private record Run(CheckpointDirectory files, Map<String, String> config, long modifiedMillis) {
        Path progress() {
            return files.run().resolve(PROGRESS);
        }

        Path model() {
            return files.model();
        }
    }

    /** The value of {@code runs}, the newest first. */
    List<Map<String, @Nullable Object>> list() {
        List<Run> runs = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.find(
                    folder, DEPTH, (path, attributes) -> path.endsWith(CONFIG) && attributes.isRegularFile())) {
                files.forEach(
                        file -> run(Objects.requireNonNull(file.getParent())).ifPresent(runs::add));
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("not all runs in {} can be listed: {}", folder, e.toString());
            }
        }
        return runs.stream()
                .sorted(Comparator.comparingLong(Run::modifiedMillis).reversed())
                .limit(LISTED)
                .map(this::describe)
                .toList();
    }

    private static Optional<Run> run(Path directory) {
        try {
            Map<String, String> config = ConfigFile.read(directory.resolve(CONFIG));
            Path progress = directory.resolve(PROGRESS);
            Optional<String> model = ConfigFile.modelName(config);
            if (model.isEmpty()) {
                return Optional.empty();
            }
            Path file = Files.exists(progress) ? progress : directory.resolve(CONFIG);
            return Optional.of(new Run(
                    new CheckpointDirectory(directory.resolve(model.get()), Clock.systemUTC()),
                    config,
                    Files.getLastModifiedTime(file).toMillis()));
        } catch (HoldfastException | IOException e) {
            LOG.debug("{} is no run", directory, e);
            return Optional.empty();
        }
    }

    private Map<String, @Nullable Object> describe(Run run) {
        Map<String, Double> last = lastRow(run.progress());
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(
                "run",
                folder.relativize(run.files.run().resolve(run.files.stem()))
                        .toString()
                        .replace('\\', '/'));
        map.put("env", run.config.get(Fields.ENV.key()));
        map.put("backend", run.config.get(Fields.BACKEND.key()));
        Double steps = last.get(Metric.TOTAL_TIMESTEPS.shortKey());
        map.put("timesteps", steps == null ? 0 : steps.longValue());
        map.put("planned_timesteps", planned(run.config));
        map.put("ep_rew_mean", last.get(Metric.EP_REW_MEAN.shortKey()));
        map.put("modified_unix_s", run.modifiedMillis / 1000);
        map.put("model", run.model());
        map.put("has_model", Files.exists(run.model()));
        map.put("can_resume", run.files.isOccupied());
        return map;
    }

    private static @Nullable Long planned(Map<String, String> config) {
        try {
            return Fields.TIMESTEPS.parse(config.getOrDefault(Fields.TIMESTEPS.key(), ""));
        } catch (InvalidConfigurationException e) {
            return null;
        }
    }

    /** The last complete row, without reading the whole file. */
    private static Map<String, Double> lastRow(Path file) {
        try (BufferedReader reader = Files.newBufferedReader(file);
                FileChannel channel = FileChannel.open(file)) {
            String header = reader.readLine();
            long from = Math.max(0, channel.size() - LAST_ROW);
            ByteBuffer end = ByteBuffer.allocate((int) (channel.size() - from));
            while (end.hasRemaining() && channel.read(end, from + end.position()) > 0) {
                // To the end.
            }
            String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
            // A row without its line end may be cut.
            List<String> lines =
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            return header == null
                            || lines.isEmpty()
                            || lines.get(lines.size() - 1).equals(header)
                    ? Map.of()
                    : row(header.split(",", -1), lines.get(lines.size() - 1));
        } catch (IOException e) {
            LOG.debug("{} can't be read", file, e);
            return Map.of();
        }
    }

    private static Map<String, Double> row(String[] keys, String line) {
        Map<String, Double> row = new HashMap<>();
        String[] cells = line.split(",", -1);
        for (int i = 0; i < Math.min(keys.length, cells.length); i++) {
            try {
                row.put(keys[i].substring(keys[i].indexOf('/') + 1), Double.parseDouble(cells[i]));
            } catch (NumberFormatException e) {
                // Nothing was measured.
            }
        }
        return row;
    }

    /** Adds the points of a {@code progress.csv} to a series, up to a step count; nothing if there is no such file. */
    static void addPoints(Path file, long upTo, MetricSeries series) {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String header = reader.readLine();
            String[] keys = header == null ? new String[0] : header.split(",", -1);
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                Map<String, Double> row = row(keys, line);
                Double timesteps = row.remove(Metric.TOTAL_TIMESTEPS.shortKey());
                if (timesteps != null
                        && timesteps <= upTo
                        && (series.isEmpty() || timesteps > series.lastTimesteps())) {
                    series.add(timesteps.longValue(), row);
                }
            }
        } catch (NoSuchFileException e) {
            // A run that had not reported yet.
        } catch (IOException e) {
            LOG.warn("the earlier points in {} can't be read: {}", file, e.toString());
        }
    }

    /** The points of a run, thinned out to a limit. */
    List<Map<String, Number>> points(String name, int limit) {
        MetricSeries series = new MetricSeries();
        addPoints(named(name).progress(), Long.MAX_VALUE, series);
        return series.from(0, limit).points();
    }

    /** A file of a run; {@code what} is {@code csv} or {@code model}. */
    Path file(String name, String what) {
        Run run = named(name);
        Path file = switch (what) {
            case "csv" -> run.progress();
            case "model" -> run.model();
            default -> throw new InvalidConfigurationException("file must be csv or model, but was '" + what + "'");
        };
        if (!Files.isRegularFile(file)) {
            throw new InvalidConfigurationException("run " + name + " has no " + what + " yet");
        }
        return file;
    }

    private Run named(String name) {
        String rule = "run must be one of those that are listed, but was '" + name + "'";
        try {
            Path file = folder.resolve(name).normalize();
            Path directory = file.getParent();
            // Only what is below the folder, also by way of symbolic links.
            if (directory != null
                    && file.startsWith(folder)
                    && directory.toRealPath().startsWith(folder.toRealPath())) {
                Optional<Run> run = run(directory);
                if (run.isPresent() && run.get().files.stem().equals(String.valueOf(file.getFileName()))) {
                    return run.get();
                }
            }
        } catch (IOException | InvalidPathException e) {
            LOG.debug("{}", rule, e);
        }
        throw new InvalidConfigurationException(rule);
    }
}
