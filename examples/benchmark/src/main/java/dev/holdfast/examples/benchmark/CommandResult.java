package dev.holdfast.examples.benchmark;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the command {@code holdfast train --env CartPole-v1} took, in one or more JVMs.
 *
 * @param timesteps environment steps of each run
 * @param runs at least one
 */
record CommandResult(long timesteps, List<Run> runs) {
    static final double GOAL_FIRST_ROLLOUT_SECONDS = 1.5;
    static final double GOAL_PEAK_MEGABYTES = 200;

    /**
     * One run.
     *
     * @param firstRolloutSeconds from the start of the JVM until the first rollout was reported: collected and learned from
     * @param totalSeconds from the start of the JVM to its end
     * @param peakMegabytes the peak of the resident set, in 10^6 bytes; null where the system doesn't tell
     */
    record Run(
            double firstRolloutSeconds,
            double totalSeconds,
            @Nullable Double peakMegabytes) {}

    CommandResult {
        runs = List.copyOf(runs);
    }

    Summary firstRolloutSeconds() {
        return Summary.of(runs.stream().map(Run::firstRolloutSeconds).toList());
    }

    Summary totalSeconds() {
        return Summary.of(runs.stream().map(Run::totalSeconds).toList());
    }

    @Nullable Summary peakMegabytes() {
        Stream<Double> known = runs.stream().map(Run::peakMegabytes).filter(Objects::nonNull);
        Collection<Double> peaks = known.toList();
        return peaks.isEmpty() ? null : Summary.of(peaks);
    }
}
