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
    @TempDir
    private Path folder;

    @Test
    void measuresInOtherJvmsAndWritesAllFiles() throws IOException {
        // A fiftieth is one rollout.
        Setting setting = Setting.ALL.get(0);
        List<Variant> variants =
                Variant.of(setting, ChildJvm.simdAvailable()).stream().limit(1).toList();
        List<String> told = new ArrayList<>();
        BenchmarkReport report = new BenchmarkRun(variants, true, new BenchmarkRun.Effort(1, 0, 2, 50))
                .run(told::add, results -> results.write(folder));

        SpeedResult speed = report.speed().get(0);
        assertThat(speed.timesteps()).isEqualTo(2048);
        assertThat(speed.kernel()).startsWith(ChildJvm.simdAvailable() ? "vector" : "loop");
        assertThat(speed.samples()).hasSize(2).allMatch(steps -> steps > 0);
        assertThat(speed.shares().values()).allMatch(share -> share >= 0 && share < 1);
        assertThat(speed.shares().get("update")).isPositive();
        assertThat(speed.updateFlops()).isPositive();

        CommandResult command = report.command();
        assertThat(command.firstRolloutSeconds().min()).isPositive();
        assertThat(command.totalSeconds().min())
                .isGreaterThan(command.firstRolloutSeconds().max());
        if (Files.exists(Path.of("/proc/self/status"))) {
            assertThat(command.peakMegabytes().min()).isGreaterThan(10);
        }

        assertThat(report.peakFlops().min()).isPositive();

        assertThat(told).hasSize(3);
        assertThat(folder.resolve("benchmark.md")).hasContent(report.markdown());
        assertThat(folder.resolve("benchmark.csv")).hasContent(report.csv());
        assertThat(folder.resolve("benchmark.json"))
                .content()
                .isEqualTo(report.json())
                .doesNotContain(System.getProperty("java.home"), folder.toString());
        assertThat(ImageIO.read(folder.resolve("benchmark.png").toFile()).getWidth())
                .isEqualTo(1200);
    }

    @Test
    void tellsWhyAChildFailed() {
        ChildJvm jvm = new ChildJvm(Duration.ofMinutes(1));
        assertThatThrownBy(() -> jvm.run(false, SpeedProbe.class, List.of("0", "1", "gamma=2"), line -> {}))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("SpeedProbe must end with exit code 0")
                .hasMessageContaining("gamma must be in [0, 1], but was 2");
    }

    @Test
    void endsAChildThatTakesTooLong() {
        ChildJvm jvm = new ChildJvm(Duration.ofMillis(1));
        assertThatThrownBy(() -> jvm.run(
                        false,
                        SpeedProbe.class,
                        List.of("0", "1", "env=CartPole-v1", "timesteps=1000000000"),
                        line -> {}))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("within 0 s");
    }
}
