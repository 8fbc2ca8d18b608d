package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Checks schedules against the definition of the job shop alone: it shares no code with the simulator. */
public final class ScheduleValidator {
    private ScheduleValidator() {}

    /**
     * Looks for faults.
     *
     * @param instance what was to be scheduled, on machines that never break down
     * @param schedule the schedule
     * @return one line a fault; empty if the schedule is valid
     */
    public static List<String> faults(JobShopInstance instance, Schedule schedule) {
        return faults(instance, Breakdowns.none(instance.machines()), schedule);
    }

    static List<String> faults(JobShopInstance instance, Breakdowns breakdowns, Schedule schedule) {
        List<String> faults = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (Task task : schedule.tasks()) {
            int job = task.job();
            int place = task.place();
            if (job < 0 || job >= instance.jobs() || place < 0 || place >= instance.machines()) {
                faults.add(task + " is of no operation of " + instance);
                continue;
            }
            int operation = job * instance.machines() + place;
            if (!seen.add(operation)) {
                faults.add(task + " is of an operation that is there already");
            }
            if (task.machine() == instance.machine(operation)) {
                checkTimes(task, instance.duration(operation), breakdowns.of(task.machine()), faults);
            } else {
                faults.add(task + " must be on machine " + instance.machine(operation));
            }
        }
        if (seen.size() < instance.operations()) {
            faults.add(
                    instance.operations() - seen.size() + " of " + instance.operations() + " operations are missing");
        }
        checkSuccession(schedule, Task::machine, Task::start, faults);
        checkSuccession(schedule, Task::job, Task::place, faults);
        return faults;
    }

    /** The time from start to end, less that of repairs, is the duration; the machine works at the start and just before the end. */
    private static void checkTimes(Task task, int duration, int[] down, List<String> faults) {
        if (task.start() < 0) {
            faults.add(task + " starts before time 0");
        }
        int worked = task.end() - task.start();
        for (int i = 0; i < down.length; i += 2) {
            int from = down[i];
            int until = down[i + 1];
            if (from <= task.start() && task.start() < until) {
                faults.add(task + " starts while its machine is down, until " + until);
            } else if (from < task.end() && task.end() <= until) {
                faults.add(task + " ends while its machine is down, from " + from);
            }
            worked -= Math.max(0, Math.min(until, task.end()) - Math.max(from, task.start()));
        }
        if (worked != duration) {
            faults.add(task + " must take " + duration + ", but took " + worked);
        }
    }

    /** Of the tasks that share a machine or a job, each ends before the next one starts. */
    private static void checkSuccession(
            Schedule schedule, ToIntFunction<Task> shared, ToIntFunction<Task> order, List<String> faults) {
        List<Task> tasks = schedule.tasks().stream()
                .sorted(Comparator.comparingInt(shared).thenComparingInt(order).thenComparingInt(Task::end))
                .toList();
        for (int i = 1; i < tasks.size(); i++) {
            Task before = tasks.get(i - 1);
            Task after = tasks.get(i);
            if (shared.applyAsInt(before) == shared.applyAsInt(after) && after.start() < before.end()) {
                faults.add(after + " starts before the end of " + before);
            }
        }
    }
}
