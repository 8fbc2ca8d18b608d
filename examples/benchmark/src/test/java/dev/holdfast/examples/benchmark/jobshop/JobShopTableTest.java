package dev.holdfast.examples.benchmark.jobshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.examples.benchmark.jobshop.Training.Point;
import dev.holdfast.examples.environments.jobshop.Instances;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobShopTableTest {
    @TempDir
    private Path folder;

    private static JobShopInstance named(String name) {
        return Objects.requireNonNull(Instances.all().get(name));
    }

    @Test
    void comparesTheInstancesOfTheGoal() {
        assertThat(Effort.compared())
                .hasSize(43)
                .contains(named("ft06"), named("ft10"), named("ft20"), named("la01"), named("la40"));
    }

    /** All of the table, with hardly any training. */
    @Test
    void makesAndWritesTheTable() throws IOException {
        Effort effort = new Effort(
                2, List.of(4_096L, 4_096L, 8_192L), 4_096, 2, List.of(named("ft06"), named("la01")), 4_096, 2, 2);
        List<String> progress = new ArrayList<>();

        Report report = JobShopTable.make(effort, folder.resolve("runs"), progress::add);
        report.write(folder.resolve("results"));

        assertThat(progress).containsExactly("2 general policies", "2 tuned policies", "random instances");
        // Each stage goes on from the one before it.
        assertThat(report.generals().get(1).curve())
                .extracting(Point::timesteps)
                .containsExactly(4_096L, 8_192L, 12_288L, 16_384L);
        assertThat(report.generals().get(1).curve()).extracting(Point::stage).containsExactly(1, 2, 3, 3);
        // Rules found by another program.
        assertThat(report.results().makespan("MWKR non-delay", named("ft06"))).isEqualTo(61);
        assertThat(report.results().makespan("SPT active", named("ft06"))).isEqualTo(94);
        assertThat(report.results().makespan("tuned", named("la01"))).isBetween(666.0, 1_400.0);

        List<String> makespans = Files.readAllLines(folder.resolve("results/makespans.csv"));
        assertThat(makespans).hasSize(1 + 152);
        assertThat(makespans.get(0))
                .isEqualTo(
                        "instance,jobs,machines,lower_bound,upper_bound,SPT non-delay,MWKR non-delay,MOPNR non-delay,FIFO"
                                + " non-delay,RANDOM non-delay,SPT active,MWKR active,MOPNR active,FIFO active,RANDOM active,general"
                                + " 0,general 1,general 0 sampled,tuned,tuned sampled");
        assertThat(makespans).anySatisfy(line -> assertThat(line).startsWith("ft06,6,6,55,55,88.0,61.0,59.0,65.0,"));
        assertThat(Files.readAllLines(folder.resolve("results/learning.csv"))).hasSize(1 + 2 * 4);
        assertThat(Files.readString(folder.resolve("results/README.md")))
                .contains("- seed: 0, 1\n")
                .contains("| makespan of ft06, `tuned` | 57 | ")
                .contains("| MWKR non-delay | ")
                .contains("| 15x15 | general 1 | ");
        for (String chart : List.of("gaps.png", "learning.png", "gantt.png", "gantt.svg")) {
            assertThat(folder.resolve("results").resolve(chart)).isNotEmptyFile();
        }
    }

    @Test
    void gapsAreRelativeToTheReference() {
        Results results = new Results();
        results.add("a", named("ft06"), 66);
        results.add("a", named("la01"), 666);
        results.add("b", named("ft06"), 60);

        assertThat(results.meanGap("a", List.of(named("ft06"), named("la01")))).isCloseTo(10, within(1e-9));
        assertThat(results.meanGap("a", List.of(named("ft06")), results::best)).isCloseTo(10, within(1e-9));
        assertThat(results.methods(List.of(named("ft06"), named("la01")))).containsExactly("a");
        assertThat(results.best(named("ft06"))).isEqualTo(60);
    }
}
