package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.benchmark.SpeedProbe.Runs;
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
    private static final Variant DJL = new Variant("djl", "djl", true);
    private static final Variant DL4J = new Variant("dl4j", "dl4j", true);
    private static final Setting SETTING = new Setting(
            "quick-thing",
            "Something quick",
            Map.of("env", "E"),
            3000,
            100,
            Map.of("java SIMD", 10.0, "java plain loops", 5.0));

    /** Runs of 3,000 steps in 2 and 3 s, and in 1 s: 1,500 and 1,000, and 3,000 steps/s. */
    private static SpeedResult simd() {
        Map<Activity, Double> first = Map.of(Activity.UPDATE, 2.5, Activity.ACTING, 1.5, Activity.ENVIRONMENT, 0.5);
        Map<Activity, Double> second = Map.of(Activity.UPDATE, 0.5, Activity.SAVING, 0.25);
        return new SpeedResult(
                new Training(SETTING, Variant.javaSimd(), 2, false),
                List.of(
                        new Runs("vector-512", 3000, 2e9, List.of(2.0, 3.0), first),
                        new Runs("vector-512", 3000, 2e9, List.of(1.0), second)));
    }

    private static SpeedResult plain() {
        return new SpeedResult(
                new Training(SETTING, Variant.javaLoops(), 1, true),
                List.of(new Runs("loops", 3000, 2e9, List.of(10.0), Map.of(Activity.UPDATE, 8.0))));
    }

    /** Two JVMs, the second of which took a tenth longer. */
    private static CallResult update(
            Net net, Variant variant, String kernel, double of64, double of256, double of2048) {
        return new CallResult(
                new Call(Work.UPDATE, net, variant, 1),
                List.of(
                        new CallProbe.Times(
                                kernel, Map.of(64, List.of(of64), 256, List.of(of256), 2048, List.of(of2048))),
                        new CallProbe.Times(
                                kernel,
                                Map.of(
                                        64,
                                        List.of(1.1 * of64),
                                        256,
                                        List.of(1.1 * of256),
                                        2048,
                                        List.of(1.1 * of2048)))));
    }

    /** Two JVMs, the second of which took a tenth longer. */
    private static SteppingResult stepping(
            VecEnv kind, int environments, double of0, double of20, double of200, double of2000) {
        return AgainstSyncTest.result(
                kind,
                environments,
                List.of(List.of(of0, of20, of200, of2000), List.of(1.1 * of0, 1.1 * of20, 1.1 * of200, 1.1 * of2000)));
    }

    private static BenchmarkReport report() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("cpu", "A CPU");
        machine.put("processors", "2");
        return new BenchmarkReport(
                machine,
                new Effort(2, 1.5, 2, 1, 3, 0.1),
                List.of(
                        update(Net.SMALL, Variant.javaLoops(), "loops", 200, 800, 6400),
                        update(Net.SMALL, DJL, "PyTorch \"2\", 1 thread", 400, 750, 2500),
                        update(Net.SMALL, DL4J, "ND4J", 100, 400, 3000),
                        update(Net.MIDDLE, DJL, "PyTorch \"2\", 1 thread", 1000, 4000, 10000),
                        update(Net.MIDDLE, DL4J, "ND4J", 1200, 4200, 12000)),
                List.of(
                        stepping(VecEnv.SYNC, 2, 1, 40, 400, 4000),
                        stepping(VecEnv.THREAD, 2, 10, 30, 220, 2040),
                        stepping(VecEnv.PROCESS, 2, 30, 50, 240, 2050),
                        stepping(VecEnv.SYNC, 1, 0.5, 20, 200, 2000),
                        stepping(VecEnv.PROCESS, 1, 20, 40, 220, 2020)),
                List.of(simd(), plain()),
                List.of(
                        new StartResult(
                                Variant.javaSimd(),
                                false,
                                1000,
                                List.of(new StartResult.Run(0.5, 2, 150.4), new StartResult.Run(0.75, 3, 210.6))),
                        new StartResult(DJL, true, 1000, List.of(new StartResult.Run(4, 14, null)))),
                new Summary(4e9, 3.5e9, 4.25e9));
    }

    @Test
    void sumsUpForks() {
        assertThat(simd().stepsPerSecond()).isEqualTo(new Summary(2125, 1250, 3000));
        assertThat(simd().ratio()).isEqualTo(21.25);
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

    @Test
    void goalsAreReachedOrMissed() {
        assertThat(new Goal("speed", true, 2, 2).reached()).isTrue();
        assertThat(new Goal("speed", true, 2, 1.99).reached()).isFalse();
        assertThat(new Goal("time", false, 2, 2).reached()).isTrue();
        assertThat(new Goal("time", false, 2, 2.01).reached()).isFalse();
    }

    @Test
    void whatWasNotMeasuredIsNoGoal() {
        assertThat(Goal.of(List.of(update(Net.SMALL, DJL, "PyTorch", 1, 2, 3)), List.of(), List.of(), List.of()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"md", "csv", "json"})
    void rendersAsBefore(String type) throws IOException {
        String rendered = switch (type) {
            case "md" -> new ReportPage(report()).markdown();
            case "csv" -> report().csv();
            default -> report().json();
        };
        try (InputStream golden = BenchmarkReportTest.class.getResourceAsStream("/report." + type)) {
            assertThat(rendered)
                    .isEqualTo(new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
