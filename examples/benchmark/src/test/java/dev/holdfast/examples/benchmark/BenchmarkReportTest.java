package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.benchmark.SpeedProbe.Repetitions;
import dev.holdfast.training.runtime.Activity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarkReportTest {
    private static final Setting SETTING =
            new Setting("quick-thing", "Something quick", Map.of("env", "E"), 3000, 100, 10, 5);

    /** Runs of 3,000 steps in 2, 3 and 1 s: 1,500, 1,000 and 3,000 steps/s. */
    private static SpeedResult simd() {
        Map<Activity, Double> first = Map.of(Activity.UPDATE, 2.5, Activity.ACTING, 1.5, Activity.ENVIRONMENT, 0.5);
        Map<Activity, Double> second = Map.of(Activity.UPDATE, 0.5, Activity.SAVING, 0.25);
        return new SpeedResult(
                new Variant(SETTING, true, 2, false),
                List.of(
                        new Repetitions("vector-512", 3000, 2e9, List.of(2.0, 3.0), first),
                        new Repetitions("vector-512", 3000, 2e9, List.of(1.0), second)));
    }

    private static SpeedResult plain() {
        return new SpeedResult(
                new Variant(SETTING, false, 1, true),
                List.of(new Repetitions("loops", 3000, 2e9, List.of(10.0), Map.of(Activity.UPDATE, 8.0))));
    }

    private static BenchmarkReport report() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("cpu", "A CPU");
        machine.put("processors", "2");
        return new BenchmarkReport(
                machine,
                new BenchmarkRun.Effort(2, 1, 2, 1),
                List.of(simd(), plain()),
                new Summary(4e9, 3.5e9, 4.25e9),
                new CommandResult(
                        1000, List.of(new CommandResult.Run(0.5, 2, 150.4), new CommandResult.Run(0.75, 3, 210.6))));
    }

    @Test
    void sumsUpForks() {
        assertThat(simd().stepsPerSecond()).isEqualTo(new Summary(1500, 1000, 3000));
        assertThat(simd().ratio()).isEqualTo(15);
        assertThat(simd().reached()).isTrue();
        assertThat(plain().reached()).isFalse();
        // 3 runs of 2e9 operations in 3 s
        assertThat(simd().updateFlops()).isEqualTo(2e9);
    }

    @Test
    void sharesAddUpToOne() {
        assertThat(simd().shares())
                .containsEntry("update", 0.5)
                .containsEntry("acting", 0.25)
                .containsEntry("evaluation", 0.0);
        assertThat(simd().shares().values().stream().mapToDouble(share -> share).sum())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"md", "csv", "json"})
    void rendersAsBefore(String type) throws IOException {
        String rendered = switch (type) {
            case "md" -> report().markdown();
            case "csv" -> report().csv();
            default -> report().json();
        };
        try (InputStream golden = BenchmarkReportTest.class.getResourceAsStream("/report." + type)) {
            assertThat(rendered)
                    .isEqualTo(new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
