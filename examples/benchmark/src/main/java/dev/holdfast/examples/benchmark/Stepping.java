package dev.holdfast.examples.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Environments that are stepped together, at every cost of a step.
 *
 * @param kind how
 * @param environments how many; as many processes if they have some of their own
 */
record Stepping(VecEnv kind, int environments) {
    /** What a step of an environment costs, in microseconds of computing; in ascending order. */
    static final List<Integer> COSTS = List.of(0, 20, 200, 2000);

    static final List<Stepping> ALL = Stream.of(1, 2, 4, 8)
            .flatMap(number -> Arrays.stream(VecEnv.values()).map(kind -> new Stepping(kind, number)))
            .toList();

    /** Returns the arguments of {@link SteppingProbe}; samples are longer than those of a call, since other processes take part. */
    List<String> arguments(Effort effort) {
        return List.of(
                kind.name(),
                Integer.toString(environments),
                Double.toString(effort.warmupSeconds()),
                Integer.toString(effort.samples()),
                Double.toString(2 * effort.sampleSeconds()));
    }

    String subject() {
        return Text.count(environments, "environment");
    }

    @Override
    public String toString() {
        return subject() + ", " + kind;
    }
}
