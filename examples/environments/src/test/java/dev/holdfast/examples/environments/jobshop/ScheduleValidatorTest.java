package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleValidatorTest {
    private static final List<Task> OPTIMUM = Cases.optimalScheduleOfFt06().tasks();

    private static IntStream indices() {
        return IntStream.range(0, OPTIMUM.size());
    }

    private static List<String> faults(List<Task> tasks) {
        return ScheduleValidator.faults(Cases.FT06, new Schedule(tasks));
    }

    private static List<Task> with(int index, Task task) {
        List<Task> tasks = new ArrayList<>(OPTIMUM);
        tasks.set(index, task);
        return tasks;
    }

    @Test
    void aValidScheduleHasNoFault() {
        assertThat(faults(OPTIMUM)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("indices")
    void aMissingOperationIsAFault(int index) {
        List<Task> tasks = new ArrayList<>(OPTIMUM);
        tasks.remove(index);
        assertThat(faults(tasks)).containsExactly("1 of 36 operations are missing");
    }

    @ParameterizedTest
    @MethodSource("indices")
    void anOperationTwiceIsAFault(int index) {
        Task task = OPTIMUM.get(index);
        List<Task> tasks = new ArrayList<>(OPTIMUM);
        tasks.add(task);
        assertThat(faults(tasks)).contains(task + " is of an operation that is there already");
    }

    @ParameterizedTest
    @MethodSource("indices")
    void anotherMachineIsAFault(int index) {
        Task task = OPTIMUM.get(index);
        Task moved = new Task(task.job(), task.place(), (task.machine() + 1) % 6, task.start(), task.end());
        assertThat(faults(with(index, moved))).contains(moved + " must be on machine " + task.machine());
    }

    @ParameterizedTest
    @MethodSource("indices")
    void anotherDurationIsAFault(int index) {
        Task task = OPTIMUM.get(index);
        int duration = task.end() - task.start();
        Task shorter = new Task(task.job(), task.place(), task.machine(), task.start(), task.end() - 1);
        assertThat(faults(with(index, shorter)))
                .containsExactly(shorter + " must take " + duration + ", but took " + (duration - 1));
    }

    /** Nothing can start earlier in a schedule in which everything starts as early as it can. */
    @ParameterizedTest
    @MethodSource("indices")
    void startingEarlierIsAFault(int index) {
        Task task = OPTIMUM.get(index);
        Task earlier = new Task(task.job(), task.place(), task.machine(), task.start() - 1, task.end() - 1);
        assertThat(faults(with(index, earlier))).isNotEmpty();
    }

    /** Two operations of different jobs and machines that are otherwise right. */
    @Test
    void whatOverlapsIsNamed() {
        JobShopInstance instance = Cases.of("0 4 1 3", "0 2 1 1");
        Task first = new Task(0, 0, 0, 0, 4);
        Task second = new Task(0, 1, 1, 4, 7);
        Task third = new Task(1, 0, 0, 3, 5);
        Task fourth = new Task(1, 1, 1, 7, 8);
        assertThat(ScheduleValidator.faults(instance, new Schedule(List.of(first, second, third, fourth))))
                .containsExactly(third + " starts before the end of " + first);

        Task tooEarly = new Task(0, 1, 1, 3, 6);
        Task behind = new Task(1, 0, 0, 4, 6);
        assertThat(ScheduleValidator.faults(instance, new Schedule(List.of(fourth, tooEarly, behind, first))))
                .containsExactly(tooEarly + " starts before the end of " + first);
    }

    @Test
    void whatIsNoOperationOfTheInstanceIsAFault() {
        for (Task wrong : List.of(
                new Task(6, 0, 0, 90, 91),
                new Task(-1, 0, 0, 90, 91),
                new Task(0, 6, 0, 90, 91),
                new Task(0, -1, 0, 90, 91))) {
            List<Task> tasks = new ArrayList<>(OPTIMUM);
            tasks.add(wrong);
            assertThat(faults(tasks)).contains(wrong + " is of no operation of ft06");
        }
    }

    @Test
    void theTimeBeforeZeroIsAFault() {
        Task early = new Task(0, 0, 0, -4, 0);
        assertThat(ScheduleValidator.faults(Cases.of("0 4"), new Schedule(List.of(early))))
                .containsExactly(early + " starts before time 0");
    }

    /** A job of 4 on a machine that is down from 3 to 5 and from 9 to 12. */
    @ParameterizedTest
    @CsvSource({
        "0,6,",
        "1,7,",
        "5,9,",
        "12,16,",
        "0,4,must take 4",
        "0,7,must take 4",
        "3,7,starts while its machine is down",
        "4,9,starts while its machine is down",
        "6,12,ends while its machine is down",
        "6,13,",
        "2,8,",
        "9,13,starts while"
    })
    void machinesThatAreDownAreNotUsed(int start, int end, String fault) {
        Breakdowns breakdowns = new Breakdowns(new int[][] {{3, 5, 9, 12}});
        Schedule schedule = new Schedule(List.of(new Task(0, 0, 0, start, end)));
        List<String> faults = ScheduleValidator.faults(Cases.of("0 4"), breakdowns, schedule);
        if (fault == null) {
            assertThat(faults).isEmpty();
        } else {
            assertThat(faults).anySatisfy(line -> assertThat(line).contains(fault));
        }
    }
}
