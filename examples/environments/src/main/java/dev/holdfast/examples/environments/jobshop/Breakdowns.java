package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.stream.IntStream;

/** When machines are down. No operation begins on a machine that is down; one that is under way goes on after the repair. */
final class Breakdowns {
    private final int[][] times;

    /**
     * Creates a calendar.
     *
     * @param times for each machine, when it breaks down, when it works again, when it breaks down once more …; ascending
     */
    Breakdowns(int[][] times) {
        this.times = times;
    }

    static Breakdowns none(int machines) {
        return new Breakdowns(new int[machines][0]);
    }

    /**
     * Draws a calendar. Times until a breakdown, and of repairs, are uniform from 1 to twice their mean. No machine breaks down later
     * than all operations would take one after the other.
     */
    static Breakdowns random(JobShopInstance instance, int meanUptime, int meanRepair, RandomStream random) {
        int[][] times = new int[instance.machines()][];
        for (int machine = 0; machine < times.length; machine++) {
            IntStream.Builder calendar = IntStream.builder();
            int time = 1 + random.nextInt(2 * meanUptime);
            while (time <= instance.work()) {
                calendar.add(time);
                time += 1 + random.nextInt(2 * meanRepair);
                calendar.add(time);
                time += 1 + random.nextInt(2 * meanUptime);
            }
            times[machine] = calendar.build().toArray();
        }
        return new Breakdowns(times);
    }

    /** Returns when a machine breaks down, works again, breaks down once more …. */
    int[] of(int machine) {
        return times[machine];
    }

    /** Returns the first time, from {@code earliest} on, at which a machine works. */
    int start(int machine, int earliest) {
        int[] calendar = times[machine];
        for (int i = 0; i < calendar.length && calendar[i] <= earliest; i += 2) {
            if (earliest < calendar[i + 1]) {
                return calendar[i + 1];
            }
        }
        return earliest;
    }

    /** Returns when an operation ends that starts at a time at which its machine works. */
    int end(int machine, int start, int duration) {
        int[] calendar = times[machine];
        int end = start + duration;
        for (int i = 0; i < calendar.length && calendar[i] < end; i += 2) {
            if (calendar[i] >= start) {
                end += calendar[i + 1] - calendar[i];
            }
        }
        return end;
    }
}
