package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What it costs and brings to step environments in another way than one after the other. */
record AgainstSync(SteppingResult result, SteppingResult sync) {
    private static final int CHEAPEST = Stepping.COSTS.get(0);

    /** Returns a comparison for each number of environments that was measured in both ways. */
    static List<AgainstSync> of(VecEnv kind, List<SteppingResult> results) {
        List<AgainstSync> all = new ArrayList<>();
        for (SteppingResult result : results) {
            if (result.stepping().kind() == kind) {
                Stepping other = new Stepping(VecEnv.SYNC, result.stepping().environments());
                results.stream()
                        .filter(sync -> sync.stepping().equals(other))
                        .forEach(sync -> all.add(new AgainstSync(result, sync)));
            }
        }
        return all;
    }

    int environments() {
        return result.stepping().environments();
    }

    int processors() {
        return result.processors();
    }

    /** Returns by how many microseconds a step of all environments takes longer where they have next to nothing to do. */
    Summary handOver() {
        List<List<Double>> differences = new ArrayList<>();
        for (int fork = 0; fork < result.forks().size(); fork++) {
            differences.add(List.of(median(result, fork) - median(sync, fork)));
        }
        return Summary.ofForks(differences);
    }

    private static double median(SteppingResult result, int fork) {
        return Summary.of(result.microseconds(CHEAPEST).get(fork)).median();
    }

    /** Returns from which cost of a step on this is faster, in microseconds; empty if it isn't at the highest that was measured. */
    OptionalDouble fasterFrom() {
        return Crossover.fasterFrom(Stepping.COSTS, medians(result), medians(sync));
    }

    private static List<Double> medians(SteppingResult result) {
        return result.summaries().stream().map(Summary::median).toList();
    }

    double speedUp(int cost) {
        return result.stepsPerSecond(cost) / sync.stepsPerSecond(cost);
    }

    /** Returns the speed as a share of what all processors that there are environments for reach if they do nothing but steps. */
    double shareOfIdeal(int cost) {
        int used = Math.min(environments(), processors());
        int turns = (environments() + used - 1) / used;
        return turns * cost / result.summary(cost).median();
    }

    /** Returns what a worker computes at a step of its environment beside it, in microseconds: hand-over and waiting. */
    double besideStep(int cost) {
        return result.workersShare(cost) * result.summary(cost).median() / environments() - cost;
    }
}
