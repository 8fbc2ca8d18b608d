package dev.holdfast.examples.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Trains the default profiles of the example environments with several seeds and writes down what they reach: every evaluation as
 * CSV, a chart an environment, and tables, beside published results. Arguments: the folder to write to, the number of seeds (from 0
 * on), the backend, and environments; all of them if none is named.
 */
public final class LearningTable {
    private LearningTable() {}

    /**
     * Runs the command.
     *
     * @param arguments folder, number of seeds, backend and environments, all optional
     * @throws IOException if the results can't be written
     */
    public static void main(String[] arguments) throws IOException {
        String seeds = arguments.length > 1 ? arguments[1] : "5";
        String backend = arguments.length > 2 ? arguments[2] : "java";
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "docs/results/classic/java");
        List<String> named = List.of(arguments).subList(Math.min(3, arguments.length), arguments.length);
        List<LearningTask> tasks = LearningTask.ALL.stream()
                .filter(task -> named.isEmpty() || named.contains(task.environment()))
                .toList();
        List<String> known = LearningTask.ALL.stream()
                .map(LearningTask::environment)
                .distinct()
                .toList();
        if (!seeds.matches("[1-9]\\d{0,2}") || !known.containsAll(named)) {
            System.err.println(
                    "usage: learning-table.sh [FOLDER [SEEDS, 1 to 999 [BACKEND [ENVIRONMENT...]]]], where ENVIRONMENT"
                            + " is one of " + known);
            System.exit(2);
        }
        write(folder, tasks, Integer.parseInt(seeds), backend);
    }

    /** Trains and writes; the models are of no further use. */
    static void write(Path folder, List<LearningTask> tasks, int seeds, String backend) throws IOException {
        Map<LearningTask, List<LearningCurve>> results = new LinkedHashMap<>();
        try (TemporaryFolder runs = new TemporaryFolder()) {
            for (LearningTask task : tasks) {
                List<LearningCurve> curves = new ArrayList<>();
                for (long seed = 0; seed < seeds; seed++) {
                    Path model =
                            runs.path().resolve(task.fileName() + "-" + seed).resolve("model.zip");
                    LearningCurve curve = LearningCurve.train(task, backend, seed, model);
                    System.out.println(Text.format(
                            "%s, seed %d: %.2f", task.title(), seed, curve.end().meanReturn()));
                    curves.add(curve);
                }
                results.put(task, curves);
            }
        }
        LearningReport.write(folder, backend, results);
    }
}
