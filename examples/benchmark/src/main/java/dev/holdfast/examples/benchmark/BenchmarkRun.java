package dev.holdfast.examples.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.examples.benchmark.SpeedProbe.Repetitions;
import dev.holdfast.rl.api.HoldfastException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures each variant in JVMs of its own: what the JIT compiler learned from one must not help or hurt the
 * next. The forks of one measurement are spread over the whole time, so that a slow minute of the machine doesn't meet one alone.
 */
final class BenchmarkRun {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long COMMAND_TIMESTEPS = 100_000;

    /**
     * How much is measured.
     *
     * @param forks JVMs of each measurement
     * @param warmups runs before the measured ones, in each JVM
     * @param repetitions measured runs, in each JVM
     * @param divisor divides the steps of each run
     */
    record Effort(int forks, int warmups, int repetitions, int divisor) {}

    private final List<Variant> variants;
    private final boolean command;
    private final Effort effort;
    private final ChildJvm jvm = new ChildJvm(LIMIT);
    private final Map<Variant, List<Repetitions>> speed = new LinkedHashMap<>();
    private final List<Double> peaks = new ArrayList<>();
    private final List<CommandResult.Run> runs = new ArrayList<>();

    /**
     * Creates a benchmark.
     *
     * @param variants whose speed is measured
     * @param command whether start and memory of the command are measured, too
     * @param effort how much is measured
     */
    BenchmarkRun(List<Variant> variants, boolean command, Effort effort) {
        this.variants = variants;
        this.command = command;
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
            for (Variant variant : variants) {
                Repetitions repetitions = measure(variant);
                speed.computeIfAbsent(variant, key -> new ArrayList<>()).add(repetitions);
                double median = new SpeedResult(variant, List.of(repetitions))
                        .stepsPerSecond()
                        .median();
                told.accept(prefix + variant + String.format(Locale.ROOT, ": %,.0f steps/s", median));
            }
            if (!variants.isEmpty()) {
                double peak = measurePeak();
                peaks.add(peak);
                told.accept(prefix + String.format(Locale.ROOT, "peak of a core: %.1f GFLOP/s", peak / 1e9));
            }
            if (command) {
                CommandResult.Run run = runCommand();
                runs.add(run);
                told.accept(prefix + "command: first rollout after "
                        + String.format(Locale.ROOT, "%.2f s", run.firstRolloutSeconds()));
            }
            results.accept(report(machine));
        }
        return report(machine);
    }

    /** Takes results. */
    interface Results {
        void accept(BenchmarkReport report) throws IOException;
    }

    private BenchmarkReport report(Map<String, String> machine) {
        List<SpeedResult> speeds = speed.entrySet().stream()
                .map(entry -> new SpeedResult(entry.getKey(), entry.getValue()))
                .toList();
        CommandResult commandResult = runs.isEmpty() ? null : new CommandResult(commandTimesteps(), runs);
        return new BenchmarkReport(machine, effort, speeds, peaks.isEmpty() ? null : Summary.of(peaks), commandResult);
    }

    private Repetitions measure(Variant variant) throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.add(Integer.toString(effort.warmups()));
        arguments.add(Integer.toString(effort.repetitions()));
        variant.config(effort.divisor()).forEach((key, value) -> arguments.add(key + "=" + value));
        List<String> lines = new ArrayList<>();
        jvm.run(variant.simd(), SpeedProbe.class, arguments, lines::add);
        return new ObjectMapper().readValue(String.join("\n", lines), Repetitions.class);
    }

    private double measurePeak() throws IOException {
        List<String> lines = new ArrayList<>();
        jvm.run(false, PeakProbe.class, List.of(), lines::add);
        return Double.parseDouble(lines.get(0));
    }

    private long commandTimesteps() {
        return COMMAND_TIMESTEPS / effort.divisor();
    }

    private CommandResult.Run runCommand() throws IOException {
        try (TemporaryFolder folder = new TemporaryFolder()) {
            CommandOutput output = new CommandOutput();
            List<String> arguments = List.of(
                    "train",
                    "--env",
                    "CartPole-v1",
                    "--timesteps",
                    Long.toString(commandTimesteps()),
                    "--model",
                    folder.path().resolve("run/model.zip").toString(),
                    "--verbose",
                    "0",
                    "--progress-json");
            jvm.run(ChildJvm.simdAvailable(), CommandProbe.class, arguments, output);
            return output.result();
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

        CommandResult.Run result() {
            if (firstRollout == null) {
                throw new HoldfastException("the command must report its first rollout, but reported none");
            }
            return new CommandResult.Run(firstRollout, seconds(), peakMegabytes);
        }

        private double seconds() {
            return (System.nanoTime() - start) / 1e9;
        }
    }
}
