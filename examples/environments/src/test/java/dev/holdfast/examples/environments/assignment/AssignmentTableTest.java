package dev.holdfast.examples.environments.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains every task with the default profile and five seeds, and writes {@code target/assignment/results.csv}. */
@Tag("faults")
class AssignmentTableTest {
    private static final int SEEDS = 5;

    @TempDir
    Path folder;

    @Test
    void masksOfDependentChoicesAreWorthTheirLogits() throws IOException {
        Map<String, AssignmentTask> tasks = new LinkedHashMap<>();
        for (int problem = 1; problem <= 2; problem++) {
            for (String form : ActionForm.names()) {
                tasks.put(
                        form + problem,
                        new AssignmentTask(BerthAllocationProvider.NAME, problem, Map.of("actions", form)));
            }
        }
        for (String masked : List.of("true", "false")) {
            tasks.put("masked " + masked, new AssignmentTask(FleetProvider.NAME, 1, Map.of("masked", masked)));
        }
        List<String> lines = new ArrayList<>(
                List.of("environment,problem,argument,seed,mean_return,optimum,gap_percent,truncated_of_200"));
        Map<String, Double> gaps = new LinkedHashMap<>();
        tasks.forEach((name, task) -> {
            double sum = 0;
            for (int seed = 0; seed < SEEDS; seed++) {
                AssignmentTask.Result result = task.train(folder.resolve(name).resolve(seed + ".zip"), seed, Map.of());
                double gap = 100 * (result.optimum() - result.meanReturn()) / Math.abs(result.optimum());
                sum += gap;
                lines.add(String.format(
                        Locale.ROOT,
                        "%s,%d,%s,%d,%.3f,%.3f,%.2f,%d",
                        task.environment(),
                        task.problem(),
                        task.arguments().entrySet().iterator().next(),
                        seed,
                        result.meanReturn(),
                        result.optimum(),
                        gap,
                        result.truncated()));
            }
            gaps.put(name, sum / SEEDS);
        });
        Path table = Files.createDirectories(Path.of("target/assignment")).resolve("results.csv");
        Files.write(table, lines);
        assertThat(gaps.get("conditional1")).isLessThan(1);
        assertThat(gaps.get("conditional2")).isLessThan(gaps.get("independent2"));
        assertThat(gaps.get("masked true")).isLessThan(6).isLessThan(gaps.get("masked false"));
    }
}
