package dev.holdfast.examples.environments.jobshop;

import java.util.Arrays;

/**
 * What can be foreseen in a shop: when each operation that is left can start at the earliest, and a lower bound of the makespan.
 *
 * <p>The bound is the largest of these. For each job: the earliest start of its next operation and all its remaining work. For each
 * machine: as if it could interrupt operations, and as if every other machine could do any number at once, how soon can all that is
 * left be through, with its way through later machines? Jackson's rule gives this exactly: always work on the operation with the
 * longest way to go (its tail) of those that could have started (its head) (Carlier, <em>The one-machine sequencing problem</em>,
 * 1982). The bound never falls, and in the end it is the makespan.
 *
 * <p>A dispatch changes few heads. Those machines alone are looked at again on which one did.
 */
final class Outlook {
    private final Shop shop;
    private final JobShopInstance instance;
    private final int jobs;
    private final int machines;
    private final int[] head;
    private final int[] tail;
    /** The operations on each machine, {@code [machine][job]}, longest tail first. */
    private final int[] byTail;

    private final int[] machineBound;
    private final boolean[] stale;
    private final int firstBound;
    private int bound;

    /** Times at which a machine works for sure: disjoint intervals, in order. */
    private final int[] busyFrom;

    private final int[] busyUntil;

    Outlook(Shop shop) {
        this.shop = shop;
        instance = shop.instance();
        jobs = instance.jobs();
        machines = instance.machines();
        head = new int[jobs * machines];
        tail = new int[jobs * machines];
        byTail = new int[jobs * machines];
        machineBound = new int[machines];
        stale = new boolean[machines];
        busyFrom = new int[jobs];
        busyUntil = new int[jobs];
        for (int job = 0; job < jobs; job++) {
            int first = job * machines;
            int last = first + machines - 1;
            for (int operation = first; operation < last; operation++) {
                head[operation + 1] = head[operation] + instance.duration(operation);
            }
            for (int operation = last; operation > first; operation--) {
                tail[operation - 1] = tail[operation] + instance.duration(operation);
            }
        }
        for (int machine = 0; machine < machines; machine++) {
            sortByTail(machine);
        }
        Arrays.fill(stale, true);
        renewBound();
        firstBound = bound;
    }

    private void sortByTail(int machine) {
        int from = machine * jobs;
        for (int job = 0; job < jobs; job++) {
            int operation = instance.operation(job, machine);
            int place = from + job;
            for (; place > from && tail[byTail[place - 1]] < tail[operation]; place--) {
                byTail[place] = byTail[place - 1];
            }
            byTail[place] = operation;
        }
    }

    /** Brings all up to date after an operation was dispatched. */
    void dispatched(int operation) {
        int machine = instance.machine(operation);
        stale[machine] = true;
        int job = operation / machines;
        if (shop.isLeft(job)) {
            raiseHead(shop.next(job), shop.jobReady(job));
        }
        for (int other = 0; other < jobs; other++) {
            if (isLeft(instance.operation(other, machine))) {
                raiseHead(instance.operation(other, machine), shop.machineReady(machine));
            }
        }
        renewBound();
    }

    private boolean isLeft(int operation) {
        return operation >= shop.next(operation / machines);
    }

    /** An operation can't start before a time, and what follows in its job has to wait as well. */
    private void raiseHead(int operation, int time) {
        int end = (operation / machines + 1) * machines;
        int earliest = time;
        for (int i = operation; i < end && head[i] < earliest; i++) {
            head[i] = earliest;
            stale[instance.machine(i)] = true;
            earliest += instance.duration(i);
        }
    }

    private void renewBound() {
        bound = Math.max(bound, shop.makespan());
        for (int machine = 0; machine < machines; machine++) {
            if (stale[machine]) {
                machineBound[machine] = preemptiveMakespan(machine);
                stale[machine] = false;
            }
            bound = Math.max(bound, machineBound[machine]);
        }
        for (int job = 0; job < jobs; job++) {
            if (shop.isLeft(job)) {
                bound = Math.max(bound, shop.earliestStart(job) + remainingWork(job));
            }
        }
    }

    /**
     * Jackson's rule, looked at from the other side: as an operation gives way to none with a shorter tail, the operations can be
     * placed one after the other, longest tail first, each into the earliest free time from its head on.
     */
    private int preemptiveMakespan(int machine) {
        int makespan = 0;
        int count = 0;
        for (int i = machine * jobs; i < (machine + 1) * jobs; i++) {
            int operation = byTail[i];
            if (!isLeft(operation)) {
                continue;
            }
            int first = 0;
            while (first < count && busyUntil[first] < head[operation]) {
                first++;
            }
            // From here on the operation fills gaps, until its work is done; intervals that meet become one.
            int last = first;
            int from = head[operation];
            int until = from;
            int work = instance.duration(operation);
            if (first < count && busyFrom[first] <= from) {
                from = busyFrom[first];
                until = busyUntil[last++];
            }
            while (last < count && busyFrom[last] - until < work) {
                work -= busyFrom[last] - until;
                until = busyUntil[last++];
            }
            until += work;
            makespan = Math.max(makespan, until + tail[operation]);
            if (last != first + 1) {
                System.arraycopy(busyFrom, last, busyFrom, first + 1, count - last);
                System.arraycopy(busyUntil, last, busyUntil, first + 1, count - last);
                count += first + 1 - last;
            }
            busyFrom[first] = from;
            busyUntil[first] = until;
        }
        return makespan;
    }

    /** Returns the work in the rest of a job after an operation. */
    int tail(int operation) {
        return tail[operation];
    }

    /** Returns the work in what is left of a job, of which something must be left. */
    int remainingWork(int job) {
        return instance.duration(shop.next(job)) + tail[shop.next(job)];
    }

    /** Returns the bound of the makespan from what is left on a machine; 0 if nothing is. */
    int machineBound(int machine) {
        return machineBound[machine];
    }

    /** Returns the lower bound of the makespan. */
    int bound() {
        return bound;
    }

    /** Returns the lower bound before anything was dispatched. */
    int firstBound() {
        return firstBound;
    }

    /** Returns by how much a job can be late, as far as the bound tells, without making the makespan longer. */
    int slack(int job) {
        return bound - shop.earliestStart(job) - remainingWork(job);
    }
}
