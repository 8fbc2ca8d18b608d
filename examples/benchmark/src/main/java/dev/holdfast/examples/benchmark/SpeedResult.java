package dev.holdfast.examples.benchmark;

import dev.holdfast.examples.benchmark.SpeedProbe.Repetitions;
import dev.holdfast.training.runtime.Activity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured of one setting run in one way, in one or more JVMs. */
record SpeedResult(Variant variant, List<Repetitions> forks) {
    /** What is not an activity of the training loop: opening environments and files, making the networks. */
    private static final String REST = "rest";

    SpeedResult {
        forks = List.copyOf(forks);
    }

    String kernel() {
        return forks.get(0).kernel();
    }

    long timesteps() {
        return forks.get(0).timesteps();
    }

    /** Environment steps per second of each repetition. */
    List<Double> samples() {
        return forks.stream()
                .flatMap(fork -> fork.seconds().stream().map(seconds -> fork.timesteps() / seconds))
                .toList();
    }

    Summary stepsPerSecond() {
        return Summary.of(samples());
    }

    double ratio() {
        return stepsPerSecond().median() / variant.setting().reference();
    }

    boolean reached() {
        return ratio() >= variant.goal();
    }

    /** The share of each activity in the time of all repetitions. */
    Map<String, Double> shares() {
        double total = forks.stream()
                .flatMap(fork -> fork.seconds().stream())
                .mapToDouble(Double::doubleValue)
                .sum();
        Map<String, Double> shares = new LinkedHashMap<>();
        double rest = 1;
        for (Activity activity : Activity.values()) {
            double share = seconds(activity) / total;
            shares.put(activity.name().toLowerCase(Locale.ROOT), share);
            rest -= share;
        }
        shares.put(REST, rest);
        return shares;
    }

    /** Floating-point operations per second while gradient steps were made. */
    double updateFlops() {
        double operations = forks.stream()
                .mapToDouble(fork -> fork.updateFlops() * fork.seconds().size())
                .sum();
        return operations / seconds(Activity.UPDATE);
    }

    private double seconds(Activity activity) {
        return forks.stream()
                .mapToDouble(fork -> fork.activitySeconds().getOrDefault(activity, 0.0))
                .sum();
    }
}
