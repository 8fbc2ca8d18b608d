package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.benchmark.LearningCurve.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LearningTest {
    @TempDir
    private Path folder;

    static List<LearningTask> tasks() {
        return LearningTask.ALL;
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void defaultProfileReachesTheGoalInTimeAndStaysThere(LearningTask task) {
        LearningCurve curve = LearningCurve.train(task, "java", 3, folder.resolve("model.zip"));

        assertThat(curve.firstAt(task.goal())).isPresent();
        assertThat(curve.firstAt(task.goal()).orElseThrow()).isLessThanOrEqualTo(task.deadline());
        assertThat(curve.end().meanReturn()).isGreaterThanOrEqualTo(task.goal());
        assertThat(curve.provenance()).containsEntry("seed", "3").containsEntry("backend", "java");
    }

    @Test
    void reportSumsUpTheCurves() throws IOException {
        Map<LearningTask, List<LearningCurve>> results = new LinkedHashMap<>();
        Map<String, String> provenance = Map.of("backend", "java", "seed", "0");
        results.put(
                new LearningTask("Walk-v0", 10, 200, 100),
                List.of(
                        new LearningCurve(
                                0, List.of(new Point(100, 2.125), new Point(200, 10), new Point(300, 12)), provenance),
                        new LearningCurve(
                                1, List.of(new Point(100, 11), new Point(200, 9), new Point(300, 9.5)), provenance),
                        new LearningCurve(
                                2, List.of(new Point(100, 0), new Point(200, 1), new Point(300, 2)), provenance)));

        LearningReport.write(folder, results);

        assertThat(folder.resolve("evaluations.csv")).hasContent("""
                        environment,seed,timesteps,mean_return
                        Walk-v0,0,100,2.13
                        Walk-v0,0,200,10
                        Walk-v0,0,300,12
                        Walk-v0,1,100,11
                        Walk-v0,1,200,9
                        Walk-v0,1,300,9.50
                        Walk-v0,2,100,0
                        Walk-v0,2,200,1
                        Walk-v0,2,300,2
                        """);
        assertThat(Files.readString(folder.resolve("README.md")))
                .contains("- backend: java\n")
                .doesNotContain("- seed:")
                .contains(
                        "Seeds that reach 10 within 200 steps: 2 of 3, the median one after 200 steps. Seeds that end at 10 or"
                                + " more: 1 of 3.")
                .contains("| 0 | 200 | 12 |\n| 1 | 100 | 9.50 |\n| 2 | never | 2 |\n");
        assertThat(Files.readAllBytes(folder.resolve("Walk-v0.png"))).startsWith(0x89, 'P', 'N', 'G');
    }
}
