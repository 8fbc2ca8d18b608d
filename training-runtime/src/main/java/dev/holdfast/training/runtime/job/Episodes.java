package dev.holdfast.training.runtime.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last episodes of a run.
 *
 * @param rows in the order of time
 */
record Episodes(List<Episode> rows) {
    /** One episode: its return, its length in steps, and when it ended, in seconds since the run was started. */
    record Episode(double episodeReturn, long length, double seconds) {}

    Episodes {
        rows = List.copyOf(rows);
    }

    double[] returns() {
        return rows.stream().mapToDouble(Episode::episodeReturn).toArray();
    }

    double meanLength() {
        return rows.stream().mapToLong(Episode::length).average().orElse(Double.NaN);
    }

    /** The value of {@code monitor} in a snapshot. */
    List<Map<String, Number>> toRows() {
        List<Map<String, Number>> maps = new ArrayList<>();
        for (Episode episode : rows) {
            Map<String, Number> row = new LinkedHashMap<>();
            row.put("r", episode.episodeReturn());
            row.put("l", episode.length());
            row.put("t", episode.seconds());
            maps.add(row);
        }
        return maps;
    }
}
