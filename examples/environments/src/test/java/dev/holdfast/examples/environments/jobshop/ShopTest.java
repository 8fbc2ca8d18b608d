package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopTest {
    private static int[] candidates(Shop shop) {
        return IntStream.range(0, shop.candidateCount()).map(shop::candidate).toArray();
    }

    @Test
    void reachesTheOptimumOfFt06() {
        Shop shop = Cases.shop(Cases.FT06, 1);
        for (int job : Cases.OPTIMAL_ORDER_OF_FT06) {
            assertThat(candidates(shop)).contains(job);
            shop.dispatch(job);
        }
        assertThat(shop.isFinished()).isTrue();
        assertThat(shop.makespan()).isEqualTo(55);
        assertThat(shop.schedule().makespan()).isEqualTo(55);
        assertThat(ScheduleValidator.faults(Cases.FT06, shop.schedule())).isEmpty();
    }

    /**
     * Two machines, three jobs: <pre>
     *   job 0   machine 0 for 4, machine 1 for 3
     *   job 1   machine 1 for 2, machine 0 for 5
     *   job 2   machine 0 for 6, machine 1 for 1
     * </pre>
     */
    @Test
    void candidatesAreThoseOfGifflerAndThompson() {
        Shop shop = Cases.shop(Cases.of("0 4 1 3", "1 2 0 5", "0 6 1 1"), 1);

        // Job 1 would end first, at 2, and is alone on its machine.
        assertThat(candidates(shop)).containsExactly(1);
        assertThat(shop.machine()).isEqualTo(1);
        shop.dispatch(1);

        // On machine 0, job 0 would end at 4; job 1 could start there at 2, job 2 at 0.
        assertThat(candidates(shop)).containsExactly(0, 1, 2);
        assertThat(shop.machine()).isZero();
        assertThat(shop.firstStart()).isZero();
        assertThat(shop.firstEnd()).isEqualTo(4);
        shop.dispatch(1);

        // The machine waited from 0 to 2, and works until 7.
        assertThat(shop.idleTime()).isEqualTo(2);
        assertThat(shop.machineReady(0)).isEqualTo(7);
        assertThat(candidates(shop)).containsExactly(0, 2);
        shop.dispatch(0);
        assertThat(shop.jobReady(0)).isEqualTo(11);

        // Job 0 would end on machine 1 at 14, job 2 on machine 0 at 17, which starts at 11.
        assertThat(candidates(shop)).containsExactly(0);
        shop.dispatch(0);
        shop.dispatch(2);
        shop.dispatch(2);
        assertThat(shop.isFinished()).isTrue();
        assertThat(shop.candidateCount()).isZero();
        assertThat(shop.makespan()).isEqualTo(18);
        // Machine 1 stood still from 2 to 11 and from 14 to 17.
        assertThat(shop.idleTime()).isEqualTo(2 + 9 + 3);
        assertThat(shop.schedule().tasks())
                .containsExactlyInAnyOrder(
                        new Task(1, 0, 1, 0, 2),
                        new Task(1, 1, 0, 2, 7),
                        new Task(0, 0, 0, 7, 11),
                        new Task(0, 1, 1, 11, 14),
                        new Task(2, 0, 0, 11, 17),
                        new Task(2, 1, 1, 17, 18));
    }

    /** On machine 0, job 0 could start at 0 and would end at 4, job 1 could start at 2, which is half of that. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.49, 0.5, 1})
    void delayLimitsHowLongAMachineWaits(double delay) {
        Shop shop = Cases.shop(Cases.of("0 4 1 3", "1 2 0 5"), delay);
        shop.dispatch(1);
        if (delay < 0.5) {
            assertThat(candidates(shop)).containsExactly(0);
        } else {
            assertThat(candidates(shop)).containsExactly(0, 1);
        }
    }

    @Test
    void operationsThatTakeNoTimeAreDispatched() {
        Shop shop = Cases.shop(Cases.of("0 0 1 3", "0 2 1 0"), 1);
        assertThat(candidates(shop)).containsExactly(0);
        shop.dispatch(0);
        assertThat(candidates(shop)).containsExactly(1);
    }

    /** Without delay, no machine stands still while a job waits for it. */
    @Test
    void withoutDelayNoMachineWaits() {
        RandomStream random = new RandomStream(8);
        for (int round = 0; round < 50; round++) {
            JobShopInstance instance = JobShopInstance.random(2 + random.nextInt(8), 1 + random.nextInt(8), random);
            Schedule schedule = Cases.randomSchedule(Cases.shop(instance, 0), random);
            assertThat(ScheduleValidator.faults(instance, schedule)).isEmpty();
            for (Task task : schedule.tasks()) {
                int arrival = arrival(schedule, task);
                // While it waited, its machine was busy.
                int busy = schedule.tasks().stream()
                        .filter(other -> other.machine() == task.machine())
                        .mapToInt(other ->
                                Math.max(0, Math.min(other.end(), task.start()) - Math.max(other.start(), arrival)))
                        .sum();
                assertThat(busy).as("%s, which arrives at %s", task, arrival).isEqualTo(task.start() - arrival);
            }
        }
    }

    /** In an active schedule no operation fits into an earlier gap of its machine. */
    @Test
    void schedulesAreActive() {
        RandomStream random = new RandomStream(9);
        for (int round = 0; round < 50; round++) {
            JobShopInstance instance = JobShopInstance.random(2 + random.nextInt(8), 1 + random.nextInt(8), random);
            Schedule schedule = Cases.randomSchedule(Cases.shop(instance, 1), random);
            assertThat(ScheduleValidator.faults(instance, schedule)).isEmpty();
            for (Task task : schedule.tasks()) {
                int duration = task.end() - task.start();
                for (int start = arrival(schedule, task); start < task.start(); start++) {
                    int from = start;
                    assertThat(schedule.tasks())
                            .as("%s at %s", task, from)
                            .anyMatch(other -> other.machine() == task.machine()
                                    && !other.equals(task)
                                    && other.start() < from + duration
                                    && other.end() > from);
                }
            }
        }
    }

    /** Returns when a task's job was done with what comes before. */
    private static int arrival(Schedule schedule, Task task) {
        return schedule.tasks().stream()
                .filter(other -> other.job() == task.job() && other.place() < task.place())
                .mapToInt(Task::end)
                .max()
                .orElse(0);
    }
}
