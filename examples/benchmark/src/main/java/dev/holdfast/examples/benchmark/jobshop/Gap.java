package dev.holdfast.examples.benchmark.jobshop;

/** How much longer than need be. */
final class Gap {
    private Gap() {}

    /** Returns by how many percent a makespan is above the best one. */
    static double percent(double makespan, double best) {
        return 100 * (makespan / best - 1);
    }
}
