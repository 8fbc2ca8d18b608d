package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.HoldfastException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkRunTest {
    /** A twenty-fifth of the compared setting is one rollout. */
    private static final Effort TINY = new Effort(1, 0, 2, 25, 2, 0);

    @TempDir
    private Path folder;

    @Test
    void measuresInOtherJvmsAndWritesAllFiles() throws IOException {
        boolean simd = ChildJvm.simdAvailable();
        Variant java = Variant.of("java", simd).get(0);
        Variant fake = new Variant("fake", "fake", simd);
        Plan plan = new Plan(
                List.of(
                        new Call(Work.FORWARD, Net.SMALL, Variant.acting(simd), 1),
                        new Call(Work.FORWARD, Net.SMALL, fake, 1),
                        new Call(Work.UPDATE, Net.SMALL, java, 2)),
                List.of(new Stepping(VecEnv.SYNC, 2), new Stepping(VecEnv.PROCESS, 2)),
                List.of(new Training(Setting.COMPARED, java, 1, false)),
                List.of(fake));
        List<String> told = new ArrayList<>();
        BenchmarkReport report = new BenchmarkRun(plan, TINY).run(told::add, results -> results.write(folder));

        assertThat(report.calls()).extracting(CallResult::call).isEqualTo(plan.calls());
        assertThat(report.calls())
                .allSatisfy(result -> assertThat(result.call().work().sizes())
                        .allSatisfy(size -> assertThat(result.microseconds(size).get(0))
                                .hasSize(2)
                                .allMatch(time -> time > 0)));
        assertThat(report.calls().get(0).kernel()).isEqualTo("loops");
        assertThat(report.calls().get(2).kernel()).startsWith(simd ? "vector" : "loop");

        assertThat(report.steppings()).extracting(SteppingResult::stepping).isEqualTo(plan.steppings());
        assertThat(report.steppings())
                .allSatisfy(result -> assertThat(Stepping.COSTS)
                        .allSatisfy(cost -> assertThat(result.microseconds(cost).get(0))
                                .hasSize(2)
                                .allMatch(time -> time > cost)))
                .allSatisfy(result -> assertThat(result.trainerShare(2000)).isPositive());

        SpeedResult speed = report.speed().get(0);
        assertThat(speed.timesteps()).isEqualTo(2048);
        assertThat(speed.kernel()).startsWith(simd ? "vector" : "loop");
        assertThat(speed.samples().get(0)).hasSize(2).allMatch(steps -> steps > 0);
        assertThat(speed.shares().values()).allMatch(share -> share >= 0 && share < 1);
        assertThat(speed.shares().get("update")).isPositive();
        assertThat(speed.updateFlops()).isPositive();
        assertThat(report.peakFlops().min()).isPositive();

        assertThat(report.starts()).extracting(StartResult::first).containsExactly(true, false);
        StartResult start = report.starts().get(1);
        assertThat(start.firstRolloutSeconds().min()).isPositive();
        assertThat(start.totalSeconds().min())
                .isGreaterThan(start.firstRolloutSeconds().max());
        if (Files.exists(Path.of("/proc/self/status"))) {
            assertThat(start.peakMegabytes().min()).isGreaterThan(10);
        }

        assertThat(told).hasSize(9);
        assertThat(folder.resolve("summary.md")).hasContent(new ReportPage(report).markdown());
        assertThat(folder.resolve("results.csv")).hasContent(report.csv());
        assertThat(folder.resolve("results.json"))
                .content()
                .isEqualTo(report.json())
                .doesNotContain(System.getProperty("java.home"), folder.toString());
        for (String chart : List.of("forward", "update", "workers", "training", "start")) {
            assertThat(ImageIO.read(folder.resolve(chart + ".png").toFile()).getWidth())
                    .isGreaterThanOrEqualTo(600);
        }
    }

    @Test
    void tellsWhyAChildFailed() {
        ChildJvm jvm = new ChildJvm(Duration.ofMinutes(1));
        assertThatThrownBy(() -> jvm.run(List.of(), SpeedProbe.class, List.of("0", "1", "gamma=2"), line -> {}))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("SpeedProbe must end with exit code 0")
                .hasMessageContaining("gamma must be in [0, 1], but was 2");
    }

    @Test
    void endsAChildThatTakesTooLong() {
        ChildJvm jvm = new ChildJvm(Duration.ofMillis(1));
        assertThatThrownBy(() -> jvm.run(
                        List.of(),
                        SpeedProbe.class,
                        List.of("0", "1", "env=CartPole-v1", "timesteps=1000000000"),
                        line -> {}))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("within 0 s");
    }
}
