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
    private static final int WARMUP_ROUNDS = 4;
    private static final int MAX_WARMUP_ROUNDS = 12;

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
        List<Subject> subjects = new ArrayList<>();
        try {
            for (int size : work.sizes()) {
                subjects.add(new Subject(size, Workload.of(work, backend, net, size, threads)));
            }
            warmUp(subjects, warmupSeconds, sampleSeconds);
            for (int sample = 0; sample < samples; sample++) {
                subjects.forEach(Subject::sample);
            }
            Map<Integer, List<Double>> microseconds = new TreeMap<>();
            subjects.forEach(subject -> microseconds.put(subject.size, subject.microseconds));
            return new Times(subjects.get(0).workload.kernel(), microseconds);
        } finally {
            subjects.forEach(subject -> subject.workload.close());
        }
    }

    /** All sizes take turns until none becomes faster: then none finds code that is still to be compiled. */
    private static void warmUp(List<Subject> subjects, double warmupSeconds, double sampleSeconds) {
        double turn = warmupSeconds / WARMUP_ROUNDS / subjects.size();
        boolean stable = false;
        for (int round = 0; round < WARMUP_ROUNDS || (!stable && round < MAX_WARMUP_ROUNDS); round++) {
            stable = true;
            for (Subject subject : subjects) {
                stable &= !subject.becameFaster(turn, sampleSeconds);
            }
        }
    }

    /** A batch size that is measured. */
    private static final class Subject {
        private final int size;
        private final Workload workload;
        private final List<Double> microseconds = new ArrayList<>();
        /** How many calls make a sample. */
        private long calls = 1;

        private double callSeconds = Double.POSITIVE_INFINITY;

        Subject(int size, Workload workload) {
            this.size = size;
            this.workload = workload;
        }

        /** Calls for some time; tells whether that was faster than before. */
        boolean becameFaster(double turnSeconds, double sampleSeconds) {
            double before = callSeconds;
            double spent = 0;
            do {
                double seconds = seconds();
                spent += seconds;
                callSeconds = seconds / calls;
                if (seconds < sampleSeconds) {
                    calls *= 2;
                }
            } while (spent < turnSeconds);
            return callSeconds < 0.9 * before;
        }

        void sample() {
            microseconds.add(seconds() * 1e6 / calls);
        }

        private double seconds() {
            long start = System.nanoTime();
            for (long i = 0; i < calls; i++) {
                workload.call();
            }
            return (System.nanoTime() - start) / 1e9;
        }
    }
}
