package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Calls one kind of work with one network at each of its batch sizes, and prints how long a call took, as JSON. Started in a JVM of its
 * own by {@link BenchmarkRun}, with the work, the backend, the network, the number of threads, the seconds of warm-up, the number of
 * samples, and the seconds of each.
 */
final class CallProbe {
    private CallProbe() {}

    /**
     * What is printed.
     *
     * @param kernel the backend's kernel
     * @param microseconds by batch size: each sample's mean time of a call
     */
    record Times(String kernel, Map<Integer, List<Double>> microseconds) {}

    public static void main(String[] arguments) {
        ChildJvm.endWithParent();
        ChildJvm.print(measure(
                Work.valueOf(arguments[0]),
                arguments[1],
                Net.named(arguments[2]),
                Integer.parseInt(arguments[3]),
                Double.parseDouble(arguments[4]),
                Integer.parseInt(arguments[5]),
                Double.parseDouble(arguments[6])));
    }

    static Times measure(
            Work work, String backend, Net net, int threads, double warmupSeconds, int samples, double sampleSeconds) {
        List<Workload> workloads = new ArrayList<>();
        try {
            Map<Integer, TimedCall> calls = new TreeMap<>();
            for (int size : work.sizes()) {
                Workload workload = Workload.of(work, backend, net, size, threads);
                workloads.add(workload);
                calls.put(size, new TimedCall(workload::call, sampleSeconds));
            }
            TimedCall.warmUp(calls.values(), warmupSeconds);
            Map<Integer, List<Double>> microseconds = new TreeMap<>();
            for (int sample = 0; sample < samples; sample++) {
                calls.forEach((size, call) -> microseconds
                        .computeIfAbsent(size, each -> new ArrayList<>())
                        .add(call.microseconds()));
            }
            return new Times(workloads.get(0).kernel(), microseconds);
        } finally {
            workloads.forEach(Workload::close);
        }
    }
}
