package dev.holdfast.examples.environments.jobshop;

import java.util.List;

/**
 * When each operation takes place.
 *
 * @param tasks in any order
 */
public record Schedule(List<Task> tasks) {
    /** Copies. */
    public Schedule {
        tasks = List.copyOf(tasks);
    }

    /**
     * An operation in its place.
     *
     * @param job its job, from 0
     * @param place its place in the job's order, from 0
     * @param machine its machine, from 0
     * @param start when it starts
     * @param end when it has ended
     */
    public record Task(int job, int place, int machine, int start, int end) {}

    /**
     * Returns when all is done.
     *
     * @return the latest end
     */
    public int makespan() {
        return tasks.stream().mapToInt(Task::end).max().orElse(0);
    }
}
