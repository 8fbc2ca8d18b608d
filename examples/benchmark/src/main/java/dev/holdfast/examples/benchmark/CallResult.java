package dev.holdfast.examples.benchmark;

import java.util.List;
import java.util.Objects;

/** What a call took, in one or more JVMs. */
record CallResult(Call call, List<CallProbe.Times> forks) {
    CallResult {
        forks = List.copyOf(forks);
    }

    String kernel() {
        return forks.get(0).kernel();
    }

    /** Returns each JVM's samples with one batch size. */
    List<List<Double>> microseconds(int size) {
        return forks.stream()
                .map(fork -> Objects.requireNonNull(fork.microseconds().get(size)))
                .toList();
    }

    Summary summary(int size) {
        return Summary.ofForks(microseconds(size));
    }

    /** Returns a summary for each batch size. */
    List<Summary> summaries() {
        return call.work().sizes().stream().map(this::summary).toList();
    }
}
