package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.examples.benchmark.SteppingProbe.Cost;
import dev.holdfast.examples.benchmark.SteppingProbe.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AgainstSyncTest {
    /** On two processors, all of which the workers use half and the trainer a tenth of one. */
    static SteppingResult result(VecEnv kind, int environments, List<List<Double>> forks) {
        List<Times> times = new ArrayList<>();
        for (List<Double> fork : forks) {
            Map<Integer, Cost> costs = new TreeMap<>();
            for (int i = 0; i < fork.size(); i++) {
                costs.put(Stepping.COSTS.get(i), new Cost(List.of(fork.get(i)), 0.1, kind == VecEnv.PROCESS ? 1 : 0));
            }
            times.add(new Times(2, costs, kind == VecEnv.PROCESS ? 0.02 : 0));
        }
        return new SteppingResult(new Stepping(kind, environments), times);
    }

    private static AgainstSync four() {
        List<SteppingResult> results = List.of(
                result(VecEnv.SYNC, 2, List.of(List.of(1.0, 40.0, 400.0, 4000.0))),
                result(VecEnv.SYNC, 4, List.of(List.of(2.0, 82.0, 802.0, 8002.0), List.of(4.0, 82.0, 802.0, 8002.0))),
                result(
                        VecEnv.PROCESS,
                        4,
                        List.of(List.of(32.0, 102.0, 500.0, 4100.0), List.of(44.0, 102.0, 500.0, 4100.0))));
        List<AgainstSync> all = AgainstSync.of(VecEnv.PROCESS, results);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void handOverIsTheDifferenceInEachJvm() {
        assertThat(four().handOver()).isEqualTo(new Summary(35, 30, 40));
    }

    @Test
    void findsTheCostFromWhichItPays() {
        // Slower by 20 at 20, faster by 302 at 200.
        assertThat(four().fasterFrom().orElseThrow()).isEqualTo(20 + 180 * 20.0 / 322, within(1e-9));
        assertThat(four().speedUp(200)).isEqualTo(1.604, within(1e-9));
    }

    @Test
    void idealIsThatEveryProcessorDoesNothingButSteps() {
        assertThat(four().shareOfIdeal(200)).isEqualTo(0.8);
        // An environment has no use for a second processor, and three take as many turns as four.
        List<Double> times = List.of(10.0, 25.0, 250.0, 2500.0);
        assertThat(alone(1, times).shareOfIdeal(20)).isEqualTo(0.8);
        assertThat(alone(3, times).shareOfIdeal(20)).isEqualTo(1.6);
    }

    @Test
    void whatAWorkerDoesBesideItsStepIsWhatItUsesMore() {
        // Of 500 microseconds, two workers use one processor: 250 each.
        assertThat(alone(2, List.of(10.0, 50.0, 500.0, 4200.0)).besideStep(200)).isEqualTo(50);
    }

    private static AgainstSync alone(int environments, List<Double> times) {
        return new AgainstSync(
                result(VecEnv.PROCESS, environments, List.of(times)),
                result(VecEnv.SYNC, environments, List.of(times)));
    }

    @Test
    void theHandOverIsJudgedWithAWorkerForEachProcessor() {
        List<SteppingResult> results = new ArrayList<>();
        for (int environments : List.of(1, 2, 4)) {
            results.add(result(VecEnv.SYNC, environments, List.of(List.of(1.0, 20.0, 200.0, 2000.0))));
            results.add(result(
                    VecEnv.PROCESS, environments, List.of(List.of(1.0 + 10 * environments, 20.0, 200.0, 2000.0))));
        }

        assertThat(Goal.of(List.of(), results, List.of(), List.of()))
                .containsExactly(new Goal("hand-over, 2 workers on 2 processors: microseconds", false, 15, 20));
    }
}
