package dev.holdfast.examples.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the command {@code holdfast train --env CartPole-v1} took, in one or more JVMs.
 *
 * @param variant the backend
 * @param first whether native libraries were still to be unpacked
 * @param timesteps environment steps of each run
 * @param runs at least one
 */
record StartResult(Variant variant, boolean first, long timesteps, List<Run> runs) {
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

    StartResult {
        runs = List.copyOf(runs);
    }

    String configuration() {
        return first ? "first start" : "later start";
    }

    /** Returns everything that was measured: each JVM's sample by quantity. */
    Map<String, List<List<Double>>> numbers() {
        Map<String, List<List<Double>>> numbers = new LinkedHashMap<>();
        numbers.put("first_rollout_seconds", each(Run::firstRolloutSeconds));
        numbers.put("total_seconds", each(Run::totalSeconds));
        numbers.put("peak_megabytes", each(Run::peakMegabytes));
        numbers.values().removeIf(List::isEmpty);
        return numbers;
    }

    /** Returns each JVM's number, or nothing where it isn't known. */
    private List<List<Double>> each(Function<Run, @Nullable Double> number) {
        return runs.stream().map(number).filter(Objects::nonNull).map(List::of).toList();
    }

    Summary firstRolloutSeconds() {
        return Summary.ofForks(each(Run::firstRolloutSeconds));
    }

    Summary totalSeconds() {
        return Summary.ofForks(each(Run::totalSeconds));
    }

    @Nullable Summary peakMegabytes() {
        List<List<Double>> peaks = each(Run::peakMegabytes);
        return peaks.isEmpty() ? null : Summary.ofForks(peaks);
    }
}
