package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.examples.benchmark.LearningCurve.Optimality;
import dev.holdfast.examples.benchmark.LearningCurve.Point;
import dev.holdfast.examples.benchmark.LearningTask.Published;
import dev.holdfast.training.runtime.Evaluation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LearningTest {
    @TempDir
    private Path folder;

    /** The table has the others too, which take longer. */
    static List<LearningTask> tasks() {
        return LearningTask.ALL.stream()
                .filter(task -> List.of(
                                "CartPole-v1",
                                "FrozenLake-v1",
                                "InvalidAction-v0",
                                "MountainCarContinuous-v0",
                                "Pendulum-v1")
                        .contains(task.environment()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void defaultProfileReachesTheGoalInTimeAndStaysThere(LearningTask task) {
        LearningCurve curve = LearningCurve.train(task, "java", 3, folder.resolve("model.zip"));

        assertThat(curve.firstAt(task.goal())).isPresent();
        assertThat(curve.firstAt(task.goal()).orElseThrow()).isLessThanOrEqualTo(task.deadline());
        assertThat(curve.end().meanReturn()).isGreaterThanOrEqualTo(task.goal());
        assertThat(curve.end().episodes()).isEqualTo(LearningCurve.END_EPISODES);
        assertThat(curve.provenance()).containsEntry("seed", "3").containsEntry("backend", "java");
        if (curve.optimality() != null) {
            assertThat(curve.optimality().worse()).isZero();
            assertThat(curve.optimality().expectedReturn())
                    .isCloseTo(curve.optimality().optimalReturn(), within(1e-9));
        }
    }

    /** A fifth of the profile's steps: a few of the 357 states or so that it reaches have no best action yet. */
    @Test
    void taxiIsNearlyOptimalSoon() {
        LearningTask taxi = LearningTask.ALL.stream()
                .filter(task -> task.title().equals("Taxi-v3 action_mask=true"))
                .findFirst()
                .orElseThrow();

        LearningCurve curve =
                LearningCurve.train(taxi, "java", 3, folder.resolve("model.zip"), Map.of("timesteps", "200000"));

        Optimality optimality = Objects.requireNonNull(curve.optimality());
        assertThat(optimality.states()).isGreaterThan(300);
        assertThat(optimality.worse()).isLessThanOrEqualTo(10);
        assertThat(optimality.optimalReturn()).isCloseTo(7.93, within(1e-9));
        assertThat(optimality.expectedReturn()).isCloseTo(7.93, within(0.1));
    }

    private static LearningCurve curve(long seed, List<Point> points, double mean, @Nullable Optimality optimality) {
        return new LearningCurve(
                seed,
                points,
                new Evaluation(100, mean, 3, 25),
                optimality,
                Map.of("backend", "java", "seed", Long.toString(seed)));
    }

    @Test
    void reportSumsUpTheCurves() throws IOException {
        Map<LearningTask, List<LearningCurve>> results = new LinkedHashMap<>();
        results.put(
                new LearningTask("CartPole-v1", Map.of(), 10, 200, 100, new Published(9, 1.5)),
                List.of(
                        curve(0, List.of(new Point(100, 2.125), new Point(200, 10), new Point(300, 12)), 12, null),
                        curve(1, List.of(new Point(100, 11), new Point(200, 9), new Point(300, 9.5)), 9.5, null),
                        curve(2, List.of(new Point(100, 0), new Point(200, 1), new Point(300, 2)), 2, null)));
        results.put(
                new LearningTask("Taxi-v3", Map.of("is_rainy", "true"), -1, 100, 100, null),
                List.of(
                        curve(0, List.of(new Point(100, -3)), -3, new Optimality(4.5, 7.25, 40, 2)),
                        curve(1, List.of(new Point(100, -1)), -1, new Optimality(7.25, 7.25, 50, 0))));

        LearningReport.write(folder, "java", results);

        assertThat(folder.resolve("evaluations.csv")).hasContent("""
                        environment,seed,timesteps,mean_return
                        CartPole-v1,0,100,2.13
                        CartPole-v1,0,200,10
                        CartPole-v1,0,300,12
                        CartPole-v1,1,100,11
                        CartPole-v1,1,200,9
                        CartPole-v1,1,300,9.50
                        CartPole-v1,2,100,0
                        CartPole-v1,2,200,1
                        CartPole-v1,2,300,2
                        Taxi-v3 is_rainy=true,0,100,-3
                        Taxi-v3 is_rainy=true,1,100,-1
                        """);
        assertThat(folder.resolve("results.csv")).hasContent("""
                        environment,seed,timesteps,episodes,mean_return,std_return,mean_length,expected_return,optimal_return,states,worse_choices
                        CartPole-v1,0,300,100,12,3,25,,,,
                        CartPole-v1,1,300,100,9.50,3,25,,,,
                        CartPole-v1,2,300,100,2,3,25,,,,
                        Taxi-v3 is_rainy=true,0,100,100,-3,3,25,4.500000,7.250000,40,2
                        Taxi-v3 is_rainy=true,1,100,100,-1,3,25,7.250000,7.250000,50,0
                        """);
        // The episodes' deviation is that of the seeds' means, 4.25 and 1, and each seed's own 3: 5.20 and 3.16.
        assertThat(Files.readString(folder.resolve("README.md")))
                .contains("`sh examples/learning-table.sh FOLDER 3 java`: seeds 0 to 2.")
                .contains("- backend: java\n")
                .doesNotContain("- seed:")
                .containsPattern("CartPole-v1 +\\| +300 \\| +7.83 ± 5.20 \\| +2 … 12 \\| +9 ± 1.50 \\| yes ")
                .containsPattern("Taxi-v3 is_rainy=true +\\| +100 \\| +-2 ± 3.16 \\| +-3 … -1 \\| +\\| +\\|")
                .containsPattern("Taxi-v3 is_rainy=true +\\| +7.2500 \\| +4.5000 … 7.2500 \\| +1 of 2 \\| +1 of 2 \\|")
                .contains("Settings: `batch_size=256`, `clip_range=linear(0.2)`, `ent_coef=0.0`")
                .contains(
                        "Seeds that reach 10 within 200 steps: 2 of 3, the median one after 200 steps. Seeds that end at 10 or"
                                + " more: 1 of 3.")
                .contains("| 0 | 200 | 12 | 3 |\n| 1 | 100 | 9.50 | 3 |\n| 2 | never | 2 | 3 |\n")
                .contains("](Taxi-v3-is_rainy-true.png)");
        assertThat(Files.readAllBytes(folder.resolve("CartPole-v1.png"))).startsWith(0x89, 'P', 'N', 'G');
    }
}
