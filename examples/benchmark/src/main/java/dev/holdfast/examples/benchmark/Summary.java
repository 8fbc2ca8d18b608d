package dev.holdfast.examples.benchmark;

import java.util.Collection;
import java.util.List;

/** The middle and the ends of some numbers. */
record Summary(double median, double min, double max) {
    /** Summarises one or more numbers; of an even count, the median is the mean of the middle two. */
    static Summary of(Collection<Double> numbers) {
        double[] sorted =
                numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int last = sorted.length - 1;
        return new Summary((sorted[last / 2] + sorted[sorted.length / 2]) / 2, sorted[0], sorted[last]);
    }

    /** Summarises the medians of several JVMs, or the numbers of one. */
    static Summary ofForks(List<List<Double>> forks) {
        return forks.size() == 1
                ? of(forks.get(0))
                : of(forks.stream().map(fork -> of(fork).median()).toList());
    }
}
