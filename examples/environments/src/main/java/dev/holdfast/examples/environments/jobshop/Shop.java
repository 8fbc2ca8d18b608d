package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import java.util.ArrayList;
import java.util.List;

/**
 * A job shop at work, in exact whole numbers. Operations are dispatched one after the other; each starts as early as its job and its
 * machine allow, after what was dispatched before it.
 *
 * <p>Which jobs can be dispatched next follows Giffler and Thompson (<em>Algorithms for solving production-scheduling problems</em>,
 * 1960). Of all operations that are next in their jobs, the one that would end first names the machine. The candidates are the jobs
 * whose next operation is on this machine and can start before that end: dispatching any other job would only leave the machine
 * idle for so long that a candidate fits in before it. Each order of dispatching leads to an active schedule, in which no operation
 * can start earlier without delaying another one, and some order to an optimal one.
 *
 * <p>A second limit leaves out jobs for which the machine would have to wait (Bierwirth and Mattfeld, <em>Production scheduling and
 * rescheduling with genetic algorithms</em>, 1999): an operation may start later than the earliest candidate by at most {@code delay}
 * times what the first limit allows. 1 leaves it at that; with 0 no machine waits while there is a job for it. That is where simple
 * rules are best, but all optimal schedules may lie outside.
 */
final class Shop {
    private final JobShopInstance instance;
    private final Breakdowns breakdowns;
    private final double delay;
    private final int machines;
    private final int[] next;
    private final int[] jobReady;
    private final int[] machineReady;
    private final int[] start;
    private final int[] end;
    private final int[] candidates;
    private int candidateCount;
    private int firstStart;
    private int firstEnd;
    private int left;
    private int makespan;
    private int idleTime;

    /**
     * Opens a shop.
     *
     * @param delay in [0, 1]
     */
    Shop(JobShopInstance instance, Breakdowns breakdowns, double delay) {
        this.instance = instance;
        this.breakdowns = breakdowns;
        this.delay = delay;
        machines = instance.machines();
        int jobs = instance.jobs();
        next = new int[jobs];
        for (int job = 0; job < jobs; job++) {
            next[job] = job * machines;
        }
        jobReady = new int[jobs];
        machineReady = new int[machines];
        start = new int[jobs * machines];
        end = new int[jobs * machines];
        candidates = new int[jobs];
        left = jobs * machines;
        findCandidates();
    }

    JobShopInstance instance() {
        return instance;
    }

    /** Returns the number of operations that haven't been dispatched. */
    int left() {
        return left;
    }

    boolean isFinished() {
        return left == 0;
    }

    /** Returns the operation of a job that is next; the one after its last if none is left. */
    int next(int job) {
        return next[job];
    }

    boolean isLeft(int job) {
        return next[job] < (job + 1) * machines;
    }

    /** Returns when a job's last dispatched operation ends. */
    int jobReady(int job) {
        return jobReady[job];
    }

    /** Returns when a machine's last dispatched operation ends. */
    int machineReady(int machine) {
        return machineReady[machine];
    }

    /** Returns when the next operation of a job can start at the earliest; later, should its machine be down then. */
    int earliestStart(int job) {
        return Math.max(jobReady[job], machineReady[instance.machine(next[job])]);
    }

    /** Returns the number of jobs that can be dispatched: at least 1, until all is finished. */
    int candidateCount() {
        return candidateCount;
    }

    /** Returns one of the jobs that can be dispatched; they are in the order of their numbers. */
    int candidate(int index) {
        return candidates[index];
    }

    /** Returns the machine that the candidates wait for. */
    int machine() {
        return instance.machine(next[candidates[0]]);
    }

    /** Returns when the first candidate can start. */
    int firstStart() {
        return firstStart;
    }

    /** Returns when the first candidate would end. */
    int firstEnd() {
        return firstEnd;
    }

    /** Dispatches the next operation of a candidate. */
    void dispatch(int job) {
        int operation = next[job]++;
        int machine = instance.machine(operation);
        int begin = breakdowns.start(machine, Math.max(jobReady[job], machineReady[machine]));
        int finish = breakdowns.end(machine, begin, instance.duration(operation));
        idleTime += begin - machineReady[machine];
        start[operation] = begin;
        end[operation] = finish;
        jobReady[job] = finish;
        machineReady[machine] = finish;
        makespan = Math.max(makespan, finish);
        left--;
        findCandidates();
    }

    private void findCandidates() {
        candidateCount = 0;
        firstEnd = Integer.MAX_VALUE;
        int machine = -1;
        for (int job = 0; job < next.length; job++) {
            if (isLeft(job)) {
                int earliestEnd = earliestStart(job) + instance.duration(next[job]);
                if (earliestEnd < firstEnd) {
                    firstEnd = earliestEnd;
                    machine = instance.machine(next[job]);
                }
            }
        }
        firstStart = firstEnd;
        for (int job = 0; job < next.length; job++) {
            if (isLeft(job) && instance.machine(next[job]) == machine) {
                firstStart = Math.min(firstStart, earliestStart(job));
            }
        }
        double lastStart = firstStart + delay * (firstEnd - firstStart);
        for (int job = 0; job < next.length; job++) {
            if (isLeft(job) && instance.machine(next[job]) == machine) {
                int earliest = earliestStart(job);
                // An operation that takes no time starts at firstEnd itself.
                boolean inTime = earliest < firstEnd || earliest + instance.duration(next[job]) == firstEnd;
                if (inTime && earliest <= lastStart) {
                    candidates[candidateCount++] = job;
                }
            }
        }
    }

    /** Returns when the operations dispatched so far have ended. */
    int makespan() {
        return makespan;
    }

    /** Returns how long machines stood still before operations dispatched so far, summed over machines. */
    int idleTime() {
        return idleTime;
    }

    /** Returns what has been dispatched. */
    Schedule schedule() {
        List<Task> tasks = new ArrayList<>();
        for (int job = 0; job < next.length; job++) {
            for (int operation = job * machines; operation < next[job]; operation++) {
                tasks.add(new Task(
                        job, operation % machines, instance.machine(operation), start[operation], end[operation]));
            }
        }
        return new Schedule(tasks);
    }
}
