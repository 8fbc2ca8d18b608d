package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.training.runtime.vector.EnvironmentSource;
import dev.holdfast.training.runtime.vector.VectorEnvironments;
import dev.holdfast.training.runtime.vector.WorkerOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Steps environments at each cost, and prints how long that took, as JSON. Started in a JVM of its own by {@link BenchmarkRun}, with the
 * kind of vector environment, the number of environments, the seconds of warm-up, the number of samples, and the seconds of each.
 */
final class SteppingProbe {
    /** Workers are watched for as long as this many samples take while they have nothing to do. */
    private static final int IDLE_SAMPLES = 10;

    private SteppingProbe() {}

    /**
     * What is printed.
     *
     * @param processors how many there are
     * @param costs by what a step costs
     * @param idleShare how many processors all worker processes together keep busy while they have nothing to do
     */
    record Times(int processors, Map<Integer, Cost> costs, double idleShare) {}

    /**
     * What was measured at one cost.
     *
     * @param microseconds each sample's mean time of a step of all environments
     * @param trainerShare how much of a processor the stepping thread used
     * @param workersShare how many processors all worker processes together used
     */
    record Cost(List<Double> microseconds, double trainerShare, double workersShare) {}

    public static void main(String[] arguments) throws InterruptedException {
        ChildJvm.endWithParent();
        ChildJvm.print(measure(
                VecEnv.valueOf(arguments[0]),
                Integer.parseInt(arguments[1]),
                Double.parseDouble(arguments[2]),
                Integer.parseInt(arguments[3]),
                Double.parseDouble(arguments[4])));
    }

    static Times measure(VecEnv kind, int count, double warmupSeconds, int samples, double sampleSeconds)
            throws InterruptedException {
        EnvironmentProvider provider = new BusyProvider();
        EnvironmentSource source = EnvironmentSource.of(provider, EnvironmentOptions.of(provider, Map.of(), 1, 1, ""));
        try (VectorEnvironment environments = VectorEnvironments.create(
                kind.toString(), count, source, WorkerOptions.defaults(), SteppingProbe::fail)) {
            environments.reset(1);
            Map<Integer, TimedCall> calls = new TreeMap<>();
            for (int cost : Stepping.COSTS) {
                float[] actions = new float[count];
                Arrays.fill(actions, cost);
                calls.put(cost, new TimedCall(() -> environments.step(actions), sampleSeconds));
            }
            TimedCall.warmUp(calls.values(), warmupSeconds);
            Map<Integer, Cost> costs = new TreeMap<>();
            calls.forEach((cost, call) -> costs.put(cost, sample(call, samples)));
            Used before = Used.untilNow();
            Thread.sleep(Duration.ofNanos((long) (IDLE_SAMPLES * sampleSeconds * 1e9))
                    .toMillis());
            Used idle = Used.untilNow().since(before);
            return new Times(Runtime.getRuntime().availableProcessors(), costs, idle.workersShare());
        }
    }

    private static void fail(String loss) {
        throw new HoldfastException("no worker may be lost while it is measured, but " + loss);
    }

    private static Cost sample(TimedCall call, int samples) {
        List<Double> microseconds = new ArrayList<>();
        Used before = Used.untilNow();
        for (int sample = 0; sample < samples; sample++) {
            microseconds.add(call.microseconds());
        }
        Used used = Used.untilNow().since(before);
        return new Cost(microseconds, used.trainerShare(), used.workersShare());
    }

    /**
     * Nanoseconds that were used.
     *
     * @param time of the clock
     * @param trainer of processors, by this thread
     * @param workers of processors, by all worker processes
     */
    private record Used(long time, long trainer, long workers) {
        static Used untilNow() {
            long workers = ProcessHandle.current()
                    .children()
                    .mapToLong(child -> child.info()
                            .totalCpuDuration()
                            .orElse(Duration.ZERO)
                            .toNanos())
                    .sum();
            return new Used(
                    System.nanoTime(), ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(), workers);
        }

        Used since(Used before) {
            return new Used(time - before.time, trainer - before.trainer, workers - before.workers);
        }

        double trainerShare() {
            return (double) trainer / time;
        }

        double workersShare() {
            return (double) workers / time;
        }
    }
}
