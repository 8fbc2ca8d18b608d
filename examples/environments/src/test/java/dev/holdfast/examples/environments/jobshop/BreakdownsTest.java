package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.random.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BreakdownsTest {
    private final Breakdowns breakdowns = new Breakdowns(new int[][] {{}, {3, 5, 9, 12}});

    @ParameterizedTest
    @CsvSource({"0,0", "2,2", "3,5", "4,5", "5,5", "9,12", "11,12", "12,12", "99,99"})
    void startsWhereTheMachineWorks(int earliest, int start) {
        assertThat(breakdowns.start(1, earliest)).isEqualTo(start);
        assertThat(breakdowns.start(0, earliest)).isEqualTo(earliest);
    }

    @ParameterizedTest
    @CsvSource({"0,3,3", "0,4,6", "0,7,9", "0,8,13", "1,2,3", "5,4,9", "5,5,13", "12,5,17", "2,0,2"})
    void goesOnAfterTheRepair(int start, int duration, int end) {
        assertThat(breakdowns.end(1, start, duration)).isEqualTo(end);
        assertThat(breakdowns.end(0, start, duration)).isEqualTo(start + duration);
    }

    @Test
    void randomTimesHaveTheMeansAskedFor() {
        RandomStream random = new RandomStream(6);
        JobShopInstance instance = JobShopInstance.random(50, 20, random);
        double up = 0;
        double repair = 0;
        int count = 0;
        Breakdowns drawn = Breakdowns.random(instance, 100, 20, random);
        for (int machine = 0; machine < 20; machine++) {
            int[] times = drawn.of(machine);
            int before = 0;
            for (int i = 0; i < times.length; i += 2) {
                assertThat(times[i] - before).isBetween(1, 200);
                assertThat(times[i + 1] - times[i]).isBetween(1, 40);
                assertThat(times[i]).isLessThanOrEqualTo(instance.work());
                up += times[i] - before;
                repair += times[i + 1] - times[i];
                before = times[i + 1];
                count++;
            }
        }
        // About 8,000 of each; their deviations are 200 / sqrt 12 and 40 / sqrt 12.
        assertThat(count).isBetween(7_000, 9_500);
        assertThat(up / count).isBetween(100.5 - 5 * 0.65, 100.5 + 5 * 0.65);
        assertThat(repair / count).isBetween(20.5 - 5 * 0.13, 20.5 + 5 * 0.13);
    }

    @Test
    void schedulesKeepToTheCalendar() {
        RandomStream random = new RandomStream(7);
        int hit = 0;
        for (int round = 0; round < 200; round++) {
            JobShopInstance instance = JobShopInstance.random(6, 5, random);
            Breakdowns calendar = Breakdowns.random(instance, 100, 30, random);
            Schedule schedule = Cases.randomSchedule(new Shop(instance, calendar, 1), random);
            assertThat(ScheduleValidator.faults(instance, calendar, schedule)).isEmpty();
            hit += ScheduleValidator.faults(instance, schedule).isEmpty() ? 0 : 1;
        }
        // Nearly all have an operation that was interrupted.
        assertThat(hit).isGreaterThan(190);
    }
}
