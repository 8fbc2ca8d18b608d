package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.job.Episodes.Episode;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The last episodes of a run, from its {@code <stem>_env<i>.monitor.csv}, one for each of its environments. */
final class MonitorFiles {
    /** How many episodes of each environment are remembered, and how many of all are shown. */
    static final int REMEMBERED = 200;

    /** More environments than that are a sample. */
    private static final int FILES = 64;

    private static final Pattern ROW = Pattern.compile("([-+.0-9eE]+),(\\d+),([-+.0-9eE]+)");

    private final List<LogTail> tails = new ArrayList<>();
    private final List<Deque<Episode>> episodes = new ArrayList<>();

    private Episodes last = new Episodes(List.of());
    private boolean changed;

    MonitorFiles(Path run, String stem, int environments) {
        for (int i = 0; i < Math.min(FILES, environments); i++) {
            Deque<Episode> rows = new ArrayDeque<>();
            episodes.add(rows);
            tails.add(new LogTail(run.resolve(stem + "_env" + i + ".monitor.csv"), 0, line -> add(rows, line)));
        }
    }

    private void add(Deque<Episode> rows, String line) {
        Matcher row = ROW.matcher(line.strip());
        if (!row.matches()) {
            return;
        }
        try {
            rows.add(new Episode(
                    Double.parseDouble(row.group(1)), Long.parseLong(row.group(2)), Double.parseDouble(row.group(3))));
        } catch (NumberFormatException e) {
            // Not one of ours.
            return;
        }
        changed = true;
        if (rows.size() > REMEMBERED) {
            rows.remove();
        }
    }

    /** Reads what is new. */
    void read() {
        for (LogTail tail : tails) {
            while (tail.read()) {
                // All of it: rows are short, and come one an episode.
            }
        }
    }

    /** The last episodes of all environments, in the order of time. */
    Episodes last() {
        if (changed) {
            List<Episode> all = new ArrayList<>();
            episodes.forEach(all::addAll);
            all.sort(Comparator.comparingDouble(Episode::seconds));
            last = new Episodes(all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
            changed = false;
        }
        return last;
    }
}
