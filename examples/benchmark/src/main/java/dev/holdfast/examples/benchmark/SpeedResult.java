package dev.holdfast.examples.benchmark;

import dev.holdfast.examples.benchmark.SpeedProbe.Runs;
import dev.holdfast.training.runtime.Activity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured of one training, in one or more JVMs. */
record SpeedResult(Training training, List<Runs> forks) {
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

    /** Returns each JVM's environment steps per second, of each run. */
    List<List<Double>> samples() {
        return forks.stream()
                .map(fork -> fork.seconds().stream()
                        .map(seconds -> fork.timesteps() / seconds)
                        .toList())
                .toList();
    }

    Summary stepsPerSecond() {
        return Summary.ofForks(samples());
    }

    double ratio() {
        return stepsPerSecond().median() / training.setting().reference();
    }

    /** The share of each activity in the time of all runs. */
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
        // Not a -0.0 that rounding leaves.
        shares.put(REST, Math.max(0, rest));
        return shares;
    }

    /** Returns everything that was measured: each JVM's samples by quantity. */
    Map<String, List<List<Double>>> numbers() {
        Map<String, List<List<Double>>> numbers = new LinkedHashMap<>();
        numbers.put("steps_per_second", samples());
        numbers.put(
                "update_flops",
                forks.stream().map(fork -> List.of(fork.updateFlops())).toList());
        for (Activity activity : Activity.values()) {
            numbers.put(
                    "seconds_" + activity.name().toLowerCase(Locale.ROOT),
                    forks.stream()
                            .map(fork -> List.of(fork.activitySeconds().getOrDefault(activity, 0.0)))
                            .toList());
        }
        return numbers;
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
