package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.HoldfastException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures each variant in JVMs of its own: what the JIT compiler learned from one must not help or hurt the next, and each native
 * engine has its process for itself. The forks of one measurement are spread over the whole time, so that a slow minute of the machine
 * doesn't meet one alone.
 */
final class BenchmarkRun {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long START_TIMESTEPS = 100_000;

    private final Plan plan;
    private final Effort effort;
    private final ChildJvm jvm = new ChildJvm(LIMIT);
    private final Map<Call, List<CallProbe.Times>> calls = new LinkedHashMap<>();
    private final Map<Stepping, List<SteppingProbe.Times>> steppings = new LinkedHashMap<>();
    private final Map<Training, List<SpeedProbe.Runs>> trainings = new LinkedHashMap<>();
    private final Map<Start, List<StartResult.Run>> starts = new LinkedHashMap<>();
    private final List<Double> peaks = new ArrayList<>();

    private record Start(Variant variant, boolean first) {}

    BenchmarkRun(Plan plan, Effort effort) {
        this.plan = plan;
        this.effort = effort;
    }

    /**
     * Measures.
     *
     * @param told takes a line for each JVM that has ended
     * @param results takes the results so far after each round of forks
     * @return all results
     */
    BenchmarkReport run(Consumer<String> told, Results results) throws IOException {
        Map<String, String> machine = Machine.describe();
        for (int fork = 1; fork <= effort.forks(); fork++) {
            String prefix = "[" + fork + "/" + effort.forks() + "] ";
            measure(line -> told.accept(prefix + line));
            results.accept(report(machine));
        }
        return report(machine);
    }

    /** Takes results. */
    interface Results {
        void accept(BenchmarkReport report) throws IOException;
    }

    private BenchmarkReport report(Map<String, String> machine) {
        return new BenchmarkReport(
                machine,
                effort,
                calls.entrySet().stream()
                        .map(entry -> new CallResult(entry.getKey(), entry.getValue()))
                        .toList(),
                steppings.entrySet().stream()
                        .map(entry -> new SteppingResult(entry.getKey(), entry.getValue()))
                        .toList(),
                trainings.entrySet().stream()
                        .map(entry -> new SpeedResult(entry.getKey(), entry.getValue()))
                        .toList(),
                starts.entrySet().stream()
                        .map(entry -> new StartResult(
                                entry.getKey().variant(), entry.getKey().first(), startTimesteps(), entry.getValue()))
                        .toList(),
                peaks.isEmpty() ? null : Summary.of(peaks));
    }

    /** Does one fork of everything. */
    private void measure(Consumer<String> told) throws IOException {
        for (Call call : plan.calls()) {
            CallProbe.Times times =
                    jvm.result(options(call.variant()), CallProbe.class, call.arguments(effort), CallProbe.Times.class);
            add(calls, call, times);
            told.accept(call + ": " + medians(new CallResult(call, List.of(times)).summaries()));
        }
        try (TemporaryFolder folder = new TemporaryFolder()) {
            BusyProvider.announceIn(folder.path());
            for (Stepping stepping : plan.steppings()) {
                SteppingProbe.Times times = jvm.result(
                        ChildJvm.withOnClassPath(folder.path()),
                        SteppingProbe.class,
                        stepping.arguments(effort),
                        SteppingProbe.Times.class);
                add(steppings, stepping, times);
                told.accept(stepping + ": " + medians(new SteppingResult(stepping, List.of(times)).summaries()));
            }
        }
        for (Training training : plan.trainings()) {
            SpeedProbe.Runs runs = jvm.result(
                    options(training.variant()), SpeedProbe.class, training.arguments(effort), SpeedProbe.Runs.class);
            add(trainings, training, runs);
            double median =
                    new SpeedResult(training, List.of(runs)).stepsPerSecond().median();
            told.accept(training + Text.format(": %,.0f steps/s", median));
        }
        if (!plan.trainings().isEmpty()) {
            double peak = jvm.result(List.of(), PeakProbe.class, List.of(), Double.class);
            peaks.add(peak);
            told.accept(Text.format("peak of a core: %.1f GFLOP/s", peak / 1e9));
        }
        for (Variant variant : plan.starts()) {
            try (TemporaryFolder natives = new TemporaryFolder()) {
                List<String> options = new ArrayList<>(options(variant));
                if (variant.isNative()) {
                    options.addAll(ChildJvm.nativesIn(natives.path()));
                    start(new Start(variant, true), options, told);
                }
                start(new Start(variant, false), options, told);
            }
        }
    }

    private static String medians(List<Summary> microseconds) {
        return microseconds.stream()
                .map(summary -> Text.number(summary.median()))
                .collect(Collectors.joining(" / ", "", " µs"));
    }

    private static List<String> options(Variant variant) {
        return variant.jvmOptions(Runtime.version().feature());
    }

    private static <K, V> void add(Map<K, List<V>> results, K key, V value) {
        results.computeIfAbsent(key, each -> new ArrayList<>()).add(value);
    }

    private long startTimesteps() {
        return START_TIMESTEPS / effort.divisor();
    }

    private void start(Start start, List<String> options, Consumer<String> told) throws IOException {
        try (TemporaryFolder folder = new TemporaryFolder()) {
            CommandOutput output = new CommandOutput();
            List<String> arguments = List.of(
                    "train",
                    "--env",
                    "CartPole-v1",
                    "--backend",
                    start.variant().backend(),
                    "--device",
                    "cpu",
                    "--timesteps",
                    Long.toString(startTimesteps()),
                    "--model",
                    folder.path().resolve("run/model.zip").toString(),
                    "--verbose",
                    "0",
                    "--progress-json");
            jvm.run(options, CommandProbe.class, arguments, output);
            StartResult.Run run = output.result();
            add(starts, start, run);
            told.accept(Text.format(
                    "%s, %s: first rollout after %.2f s",
                    start.first() ? "first start" : "later start", start.variant(), run.firstRolloutSeconds()));
        }
    }

    /** Reads the clock at the lines that matter. */
    private static final class CommandOutput implements Consumer<String> {
        private final long start = System.nanoTime();
        private @Nullable Double firstRollout;
        private @Nullable Double peakMegabytes;

        @Override
        public void accept(String line) {
            if (firstRollout == null && line.startsWith("{\"event\":\"progress\"")) {
                firstRollout = seconds();
            } else if (line.startsWith(CommandProbe.PEAK)) {
                // The kernel's "kB" are 1024 bytes.
                peakMegabytes = Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 1e6;
            }
        }

        StartResult.Run result() {
            if (firstRollout == null) {
                throw new HoldfastException("the command must report its first rollout, but reported none");
            }
            return new StartResult.Run(firstRollout, seconds(), peakMegabytes);
        }

        private double seconds() {
            return (System.nanoTime() - start) / 1e9;
        }
    }
}
