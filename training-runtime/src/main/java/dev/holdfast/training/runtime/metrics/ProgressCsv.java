package dev.holdfast.training.runtime.metrics;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.AppendedFile;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code progress.csv}: all columns from the first line on, in the catalogue's order, so that a row never changes once written. */
final class ProgressCsv implements MetricSink {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressCsv.class);
    private static final String HEADER =
            Arrays.stream(Metric.values()).map(Metric::key).collect(Collectors.joining(","));

    private final AppendedFile file;

    ProgressCsv(Path path, long lastTimesteps, DurableFiles files) {
        boolean resumed = lastTimesteps > 0;
        if (resumed && Files.exists(path)) {
            Kept kept = new Kept(path, lastTimesteps);
            LineEdit.edit(path, files, kept);
            if (kept.damaged > 0) {
                LOG.warn("{} had damaged rows, which are left out: {}", path, kept.damaged);
            }
        }
        file = files.append(path, resumed, (HEADER + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void record(MetricRecord record) {
        StringJoiner row = new StringJoiner(",", "", "\n");
        for (Metric metric : Metric.values()) {
            Double value = record.values().get(metric);
            row.add(value == null ? "" : NumberText.exact(metric, value));
        }
        file.append(row.toString());
    }

    @Override
    public void flush() {
        file.sync();
    }

    @Override
    public void close() {
        file.close();
    }

    /** What a resumed run keeps of the file: the rows of its past, under the catalogue's columns of today. */
    private static final class Kept implements LineEdit {
        private final Path path;
        private final long lastTimesteps;
        int damaged;

        /** The columns of the file; null until its first line was read. */
        private @Nullable List<String> columns;

        Kept(Path path, long lastTimesteps) {
            this.path = path;
            this.lastTimesteps = lastTimesteps;
        }

        @Override
        public @Nullable String apply(String line) {
            List<String> cells = List.of(line.split(",", -1));
            if (columns == null) {
                columns = cells;
                checkHeader(cells);
                return HEADER;
            }
            int column = columns.indexOf(Metric.TOTAL_TIMESTEPS.key());
            if (cells.size() != columns.size() || !cells.get(column).matches("\\d{1,18}")) {
                damaged++;
                return null;
            }
            return Long.parseLong(cells.get(column)) <= lastTimesteps ? mapped(columns, cells) : null;
        }

        private void checkHeader(List<String> header) {
            if (!header.contains(Metric.TOTAL_TIMESTEPS.key())) {
                throw new HoldfastException(path + " must have a column " + Metric.TOTAL_TIMESTEPS.key()
                        + " for a run to go on with it, but its first line is "
                        + LineEdit.excerpt(String.join(",", header)) + "; move the file away");
            }
            List<String> unknown = new ArrayList<>(header);
            unknown.removeAll(Arrays.asList(HEADER.split(",", -1)));
            if (!unknown.isEmpty()) {
                LOG.warn("{} had columns that are no metrics of this version and are left out: {}", path, unknown);
            }
        }

        private static String mapped(List<String> columns, List<String> cells) {
            StringJoiner row = new StringJoiner(",");
            for (Metric metric : Metric.values()) {
                int column = columns.indexOf(metric.key());
                row.add(column < 0 ? "" : cells.get(column));
            }
            return row.toString();
        }
    }
}
