package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DispatchingRuleTest {
    private static Schedule schedule(DispatchingRule rule, JobShopInstance instance, double delay) {
        return rule.schedule(instance, delay, new RandomStream(1));
    }

    /**
     * Three jobs that all visit machine 0 first, then machine 1; each rule by hand, with no waiting: <pre>
     *   job 0   4 on machine 0, 3 on machine 1
     *   job 1   2 on machine 0, 1 on machine 1
     *   job 2   3 on machine 0, 6 on machine 1
     * </pre>
     * SPT takes 1, 2, 0 on machine 0 (until 2, 5, 9) and on machine 1: 1 from 2 to 3, 2 from 5 to 11, 0 from 11 to 14. MWKR takes 2
     * (9 left), 0 (7), 1 (3): until 3, 7, 9; on machine 1: 2 from 3 to 9, then 0 to 12, then 1 to 13. MOPNR and FIFO see equals and
     * take 0, 1, 2: until 4, 6, 9; on machine 1: 0 from 4 to 7, 1 to 8, 2 from 9 to 15.
     */
    @ParameterizedTest
    @CsvSource({"SPT,14", "MWKR,13", "MOPNR,15", "FIFO,15"})
    void ruleByHand(DispatchingRule rule, int makespan) {
        JobShopInstance instance = Cases.of("0 4 1 3", "0 2 1 1", "0 3 1 6");

        assertThat(schedule(rule, instance, 0).makespan()).isEqualTo(makespan);
    }

    /** Found by a program of a few lines in another language, which shares nothing with this one. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            ft06, 0, 88, 61, 59, 65
            ft06, 0.5, 85, 62, 60, 65
            ft06, 1, 94, 67, 60, 65
            ft10, 0, 1074, 1108, 1163, 1184
            ft10, 0.5, 1070, 1109, 1153, 1184
            ft10, 1, 1429, 1178, 1215, 1184
            ft20, 0, 1267, 1501, 1601, 1645
            ft20, 0.5, 1553, 1516, 1611, 1645
            ft20, 1, 1675, 1556, 1611, 1645
            la01, 0, 751, 735, 763, 772
            la01, 0.5, 776, 739, 846, 772
            la01, 1, 1185, 735, 846, 772
            la21, 0, 1324, 1264, 1251, 1265
            la21, 0.5, 1443, 1193, 1256, 1265
            la21, 1, 1657, 1267, 1336, 1265
            la40, 0, 1476, 1440, 1358, 1531
            la40, 0.5, 1441, 1483, 1440, 1531
            la40, 1, 1804, 1549, 1516, 1531
            orb07, 0, 504, 483, 500, 475
            orb07, 0.5, 542, 494, 513, 475
            orb07, 1, 579, 535, 508, 475
            abz7, 0, 849, 769, 775, 803
            abz7, 0.5, 949, 783, 796, 803
            abz7, 1, 1151, 822, 808, 803
            swv01, 0, 1737, 1988, 1971, 2154
            swv01, 0.5, 1702, 1967, 2036, 2154
            swv01, 1, 2256, 2101, 2111, 2154
            ta21, 0, 2175, 2044, 1964, 2089
            ta21, 0.5, 2222, 2010, 1914, 2089
            ta21, 1, 2598, 2145, 2059, 2089
            """)
    void makespansAreThoseOfAnotherProgram(String name, double delay, int spt, int mwkr, int mopnr, int fifo) {
        JobShopInstance instance = Cases.named(name);

        assertThat(List.of(DispatchingRule.SPT, DispatchingRule.MWKR, DispatchingRule.MOPNR, DispatchingRule.FIFO))
                .extracting(rule -> schedule(rule, instance, delay).makespan())
                .containsExactly(spt, mwkr, mopnr, fifo);
    }

    @ParameterizedTest
    @EnumSource
    void schedulesOfAllInstancesAreValid(DispatchingRule rule) {
        for (JobShopInstance instance : Instances.all().values()) {
            for (double delay : new double[] {0, 0.5, 1}) {
                Schedule schedule = schedule(rule, instance, delay);
                assertThat(ScheduleValidator.faults(instance, schedule)).isEmpty();
                assertThat(schedule.makespan())
                        .isGreaterThanOrEqualTo(instance.lowerBound().orElse(0));
            }
        }
    }

    @Test
    void randomChoicesComeFromTheStream() {
        List<Integer> makespans = new ArrayList<>();
        IntStream.range(0, 20)
                .forEach(seed -> makespans.add(DispatchingRule.RANDOM
                        .schedule(Cases.FT06, 1, new RandomStream(seed % 10))
                        .makespan()));
        assertThat(makespans.subList(0, 10)).isEqualTo(makespans.subList(10, 20));
        assertThat(makespans.stream().distinct().count()).isGreaterThan(1);
    }
}
