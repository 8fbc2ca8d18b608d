package dev.holdfast.examples.benchmark;

/**
 * How much is measured.
 *
 * @param forks JVMs of each measurement
 * @param warmupSeconds how long each JVM warms up at least
 * @param runs measured training runs of each JVM
 * @param divisor divides the steps of each training run
 * @param samples times of each batch size that each JVM takes
 * @param sampleSeconds how long the calls take together whose mean is such a time, at least
 */
record Effort(int forks, double warmupSeconds, int runs, int divisor, int samples, double sampleSeconds) {
    static Effort full(int forks) {
        return new Effort(forks, 2, 2, 1, 5, 0.04);
    }

    static Effort quick(int forks) {
        return new Effort(forks, 0.8, 1, 5, 3, 0.03);
    }
}
