package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A job-shop problem: every job visits every machine once, in an order of its own; a machine works on one job at a time and doesn't
 * interrupt it. The time until all jobs are done, the makespan, is to be short. Immutable.
 *
 * <p>Operations are numbered {@code job * machines + place}, the place being that in the job's order. Times are whole numbers.
 */
public final class JobShopInstance {
    private final String name;
    private final int jobs;
    private final int machines;
    private final int[] machine;
    private final int[] duration;
    private final int work;
    private final int[] operation;
    private final OptionalInt lowerBound;
    private final OptionalInt upperBound;

    /**
     * Creates an instance.
     *
     * @param name for people
     * @param jobs the number of jobs
     * @param machines the number of machines
     * @param machine the machine of each operation, from 0; copied
     * @param duration the duration of each operation, at least 0; copied
     * @param lowerBound a makespan below which there is no schedule, if one is known
     * @param upperBound the shortest makespan known, if one is known
     * @throws IllegalArgumentException if a job doesn't visit every machine once, a duration is negative or all are 0, or the bounds
     *     contradict each other
     */
    public JobShopInstance(
            String name,
            int jobs,
            int machines,
            int[] machine,
            int[] duration,
            OptionalInt lowerBound,
            OptionalInt upperBound) {
        this.name = name;
        this.jobs = Require.atLeast(jobs, 1, "jobs");
        this.machines = Require.atLeast(machines, 1, "machines");
        this.machine = machine.clone();
        this.duration = duration.clone();
        this.lowerBound = lowerBound;
        this.upperBound = upperBound;
        work = IntStream.of(duration).sum();
        if (work < 1) {
            throw new IllegalArgumentException(name + ": some operation must take time");
        }
        operation = new int[jobs * machines];
        Arrays.fill(operation, -1);
        for (int i = 0; i < operation.length; i++) {
            int job = i / machines;
            if (machine[i] < 0 || machine[i] >= machines || operation[job * machines + machine[i]] >= 0) {
                throw new IllegalArgumentException(
                        name + ": job " + job + " must visit each of the machines 0 to " + (machines - 1) + " once");
            }
            if (duration[i] < 0) {
                throw new IllegalArgumentException(name + ": the duration of operation " + i % machines + " of job "
                        + job + " must be at least 0, but was " + duration[i]);
            }
            operation[job * machines + machine[i]] = i;
        }
        if (lowerBound.orElse(0) > upperBound.orElse(Integer.MAX_VALUE)) {
            throw new IllegalArgumentException(name + ": the lower bound " + lowerBound.getAsInt()
                    + " must be at most the upper bound " + upperBound.getAsInt());
        }
    }

    /**
     * Draws an instance by Taillard's scheme (<em>Benchmarks for basic scheduling problems</em>, 1993): durations are uniform in 1 to
     * 99, and every order of the machines is as likely.
     *
     * @param jobs the number of jobs
     * @param machines the number of machines
     * @param random where randomness comes from
     * @return an instance of which no bounds are known
     */
    public static JobShopInstance random(int jobs, int machines, RandomStream random) {
        int[] machine = new int[jobs * machines];
        int[] duration = new int[jobs * machines];
        int[] order = new int[machines];
        Arrays.setAll(order, i -> i);
        for (int job = 0; job < jobs; job++) {
            random.shuffle(order);
            System.arraycopy(order, 0, machine, job * machines, machines);
        }
        Arrays.setAll(duration, i -> 1 + random.nextInt(99));
        return new JobShopInstance(
                "random " + jobs + "x" + machines,
                jobs,
                machines,
                machine,
                duration,
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    /**
     * Returns the name.
     *
     * @return for example {@code ft06}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the number of jobs.
     *
     * @return at least 1
     */
    public int jobs() {
        return jobs;
    }

    /**
     * Returns the number of machines, and of operations of each job.
     *
     * @return at least 1
     */
    public int machines() {
        return machines;
    }

    /**
     * Returns the number of operations of all jobs.
     *
     * @return jobs times machines
     */
    public int operations() {
        return machine.length;
    }

    /**
     * Returns where an operation takes place.
     *
     * @param operation its number
     * @return the machine, from 0
     */
    public int machine(int operation) {
        return machine[operation];
    }

    /**
     * Returns how long an operation takes.
     *
     * @param operation its number
     * @return at least 0
     */
    public int duration(int operation) {
        return duration[operation];
    }

    /** Returns how long all operations take together, at least 1. */
    int work() {
        return work;
    }

    /** Returns a job's operation on a machine. */
    int operation(int job, int machine) {
        return operation[job * machines + machine];
    }

    /**
     * Returns a makespan below which there is no schedule.
     *
     * @return empty if none is known
     */
    public OptionalInt lowerBound() {
        return lowerBound;
    }

    /**
     * Returns the shortest makespan known: the optimum, if it equals the lower bound.
     *
     * @return empty if none is known
     */
    public OptionalInt upperBound() {
        return upperBound;
    }

    @Override
    public String toString() {
        return name;
    }
}
