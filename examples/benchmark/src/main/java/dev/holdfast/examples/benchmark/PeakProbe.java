package dev.holdfast.examples.benchmark;

/**
 * Prints how many floating-point operations a second one core can do, by {@link PeakFlopsBenchmark}'s loop: the best of several
 * short windows. Started in a JVM of its own by {@link BenchmarkRun}.
 */
final class PeakProbe {
    private static final int WINDOWS = 8;
    private static final long WINDOW_NANOS = 100_000_000;

    private PeakProbe() {}

    public static void main(String[] arguments) {
        ChildJvm.endWithParent();
        ChildJvm.print(peak());
    }

    static double peak() {
        PeakFlopsBenchmark loop = new PeakFlopsBenchmark();
        double best = 0;
        // The first windows, in which the loop is compiled, are never the best.
        for (int window = 0; window < WINDOWS; window++) {
            PeakFlopsBenchmark.Count count = new PeakFlopsBenchmark.Count();
            long start = System.nanoTime();
            long spent;
            do {
                loop.peak(count);
                spent = System.nanoTime() - start;
            } while (spent < WINDOW_NANOS);
            best = Math.max(best, count.flops * 1e9 / spent);
        }
        return best;
    }
}
