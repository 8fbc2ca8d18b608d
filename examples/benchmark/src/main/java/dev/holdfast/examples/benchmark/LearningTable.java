package dev.holdfast.examples.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Trains the default profiles of the example environments with several seeds and writes down what they reach: every evaluation as
 * CSV, a chart an environment, and a table. Arguments: the folder to write to, the number of seeds (from 0 on), and the backend.
 */
public final class LearningTable {
    private LearningTable() {}

    /**
     * Runs the command.
     *
     * @param arguments folder, number of seeds and backend, all optional
     * @throws IOException if the results can't be written
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "docs/results/learning-foundation");
        String seeds = arguments.length > 1 ? arguments[1] : "10";
        String backend = arguments.length > 2 ? arguments[2] : "java";
        if (arguments.length > 3 || !seeds.matches("[1-9]\\d{0,2}")) {
            System.err.println("usage: learning-table.sh [folder [number of seeds, 1 to 999 [backend]]]");
            System.exit(2);
        }
        write(folder, Integer.parseInt(seeds), backend);
    }

    /** Trains and writes; the models are of no further use. */
    static Map<LearningTask, List<LearningCurve>> write(Path folder, int seeds, String backend) throws IOException {
        Map<LearningTask, List<LearningCurve>> results = new LinkedHashMap<>();
        Path runs = Files.createTempDirectory("holdfast-learning");
        try {
            for (LearningTask task : LearningTask.ALL) {
                results.put(
                        task,
                        LongStream.range(0, seeds)
                                .mapToObj(seed -> LearningCurve.train(task, backend, seed, model(runs, task, seed)))
                                .toList());
            }
        } finally {
            delete(runs);
        }
        LearningReport.write(folder, results);
        return results;
    }

    private static Path model(Path runs, LearningTask task, long seed) {
        return runs.resolve(task.environment() + "-" + seed).resolve("model.zip");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
