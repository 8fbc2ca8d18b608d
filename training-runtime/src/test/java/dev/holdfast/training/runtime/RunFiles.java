package dev.holdfast.training.runtime;

import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.metrics.EventFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What runs of equal outcome have in common, and how tests make them fail. */
public final class RunFiles {
    private RunFiles() {}

    /** Lets a trainer write its files by other means than usual. */
    public static Trainer.Builder writtenBy(DurableFiles files, Trainer.Builder trainer) {
        return trainer.files(files);
    }

    /** Returns what TensorBoard shows for each step, but for times. */
    public static Map<Long, Map<String, Float>> tensorBoard(Path model) throws IOException {
        Map<Long, Map<String, Float>> shown = EventFiles.shown(model.getParent());
        shown.values().forEach(scalars -> scalars.remove("time/fps"));
        return shown;
    }

    /** Returns the rows of {@code progress.csv} without the columns of time. */
    public static List<String> progress(Path model) throws IOException {
        List<String> lines = Files.readAllLines(model.resolveSibling("progress.csv"));
        List<String> header = Arrays.asList(lines.get(0).split(",", -1));
        List<Integer> kept = IntStream.range(0, header.size())
                .filter(i -> !header.get(i).equals("time/fps") && !header.get(i).equals("time/time_elapsed"))
                .boxed()
                .toList();
        return lines.stream()
                .map(line -> {
                    String[] cells = line.split(",", -1);
                    return kept.stream().map(i -> cells[i]).collect(Collectors.joining(","));
                })
                .toList();
    }

    /** Returns the names of the monitor files, and returns and lengths of all episodes in order. */
    public static List<String> monitors(Path model) throws IOException {
        List<String> episodes = new ArrayList<>();
        try (Stream<Path> files = Files.list(model.getParent())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".monitor.csv"))
                    .sorted()
                    .toList()) {
                episodes.add(file.getFileName().toString());
                Files.readAllLines(file).stream()
                        .skip(1)
                        .map(line -> line.substring(0, line.lastIndexOf(',')))
                        .forEach(episodes::add);
            }
        }
        return episodes;
    }
}
