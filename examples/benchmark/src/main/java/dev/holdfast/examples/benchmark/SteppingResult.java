package dev.holdfast.examples.benchmark;

import dev.holdfast.examples.benchmark.SteppingProbe.Cost;
import dev.holdfast.examples.benchmark.SteppingProbe.Times;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What steps took, in one or more JVMs. */
record SteppingResult(Stepping stepping, List<Times> forks) {
    SteppingResult {
        forks = List.copyOf(forks);
    }

    private static Cost cost(Times fork, int cost) {
        return Objects.requireNonNull(fork.costs().get(cost));
    }

    private <T> List<T> each(Function<Times, T> number) {
        return forks.stream().map(number).toList();
    }

    /** Returns each JVM's samples at one cost of a step. */
    List<List<Double>> microseconds(int cost) {
        return each(fork -> cost(fork, cost).microseconds());
    }

    Summary summary(int cost) {
        return Summary.ofForks(microseconds(cost));
    }

    /** Returns a summary for each cost of a step. */
    List<Summary> summaries() {
        return Stepping.COSTS.stream().map(this::summary).toList();
    }

    /** Returns environment steps per second. */
    double stepsPerSecond(int cost) {
        return stepping.environments() * 1e6 / summary(cost).median();
    }

    /** Returns how much of a processor the stepping thread used at one cost of a step. */
    double trainerShare(int cost) {
        return median(fork -> cost(fork, cost).trainerShare());
    }

    /** Returns how many processors the workers used at one cost of a step. */
    double workersShare(int cost) {
        return median(fork -> cost(fork, cost).workersShare());
    }

    /** Returns how many processors the workers kept busy while they had nothing to do. */
    double idleShare() {
        return median(Times::idleShare);
    }

    private double median(ToDoubleFunction<Times> number) {
        return Summary.of(each(number::applyAsDouble)).median();
    }

    int processors() {
        return forks.get(0).processors();
    }

    /** Returns everything that was measured at one cost of a step: each JVM's samples by quantity. */
    Map<String, List<List<Double>>> numbers(int cost) {
        Map<String, List<List<Double>>> numbers = new LinkedHashMap<>();
        numbers.put("microseconds", microseconds(cost));
        numbers.put("trainer_processors", each(fork -> List.of(cost(fork, cost).trainerShare())));
        if (stepping.kind() == VecEnv.PROCESS) {
            numbers.put(
                    "worker_processors", each(fork -> List.of(cost(fork, cost).workersShare())));
        }
        return numbers;
    }

    /** Returns what was measured while nobody stepped. */
    Map<String, List<List<Double>>> idleNumbers() {
        return stepping.kind() == VecEnv.PROCESS
                ? Map.of("worker_processors", each(fork -> List.of(fork.idleShare())))
                : Map.of();
    }
}
