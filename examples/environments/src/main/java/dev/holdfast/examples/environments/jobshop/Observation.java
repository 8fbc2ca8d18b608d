package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.space.Box;
import java.util.Arrays;

/**
 * What a policy sees of a shop. Nothing tells jobs or machines by their numbers, and times are in units of the mean duration of the
 * instance's operations, so that what is learned of one instance is of use for others of any size.
 *
 * <p>All numbers are in [-1, 1]; what has no natural limit is squashed, {@code s(x) = x / (1 + |x|)}. The first {@value #SHOP_FEATURES}
 * are about the shop, with the <em>machine</em> being that which the candidates wait for:
 * <pre>
 *   0  the share of the operations that have been dispatched
 *   1  s(5 · how much the bound of the makespan has risen, relative to the first bound)
 *   2  s(the bound − the machine's own bound): how far it is from being the bottleneck
 *   3  the share of the jobs that still have to visit the machine
 *   4  s(the first end on the machine − the first start)
 *   5  jobs / (jobs + machines)
 *   6  s(jobs / 10)
 *   7  the share of the machines whose bound is within 5 % of the bound
 *   8  the share of the jobs that have less slack than one operation takes
 *   9  s(the mean slack of the jobs / 3)
 *  10  s((the bound − the first end) / 10): the time left
 * </pre>
 *
 * <p>Then {@value #SLOT_FEATURES} for each slot, all 0 if it is empty. The last four are about the machine that the job visits next
 * and are 0 if there is none:
 * <pre>
 *   0  1: the slot has a job
 *   1  s(the duration of its operation)
 *   2  s(its start − the first start): how long the machine would wait
 *   3  s(its end − the first end)
 *   4  s(the job's slack)
 *   5  the work remaining in the job, relative to the largest of all jobs
 *   6  the operations remaining in the job, relative to the number of machines
 *   7  s(the work after the operation − the largest such of the other slots)
 *   8  1: there is a next machine
 *   9  s(when that machine is ready − the operation's end): below 0, it would stand still
 *  10  s(the bound − that machine's own bound)
 *  11  s(the work that waits for that machine now)
 * </pre>
 */
final class Observation {
    private static final int SHOP_FEATURES = 11;
    private static final int SLOT_FEATURES = 12;

    private final Shop shop;
    private final Outlook outlook;
    private final JobShopInstance instance;
    private final double unit;

    Observation(Shop shop, Outlook outlook) {
        this.shop = shop;
        this.outlook = outlook;
        instance = shop.instance();
        unit = (double) instance.work() / instance.operations();
    }

    static Box space(int slots) {
        int size = SHOP_FEATURES + slots * SLOT_FEATURES;
        float[] high = new float[size];
        float[] low = new float[size];
        Arrays.fill(high, 1);
        Arrays.fill(low, -1);
        return new Box(new int[] {size}, low, high);
    }

    /**
     * Observes.
     *
     * @param slots holds the jobs of the slots
     * @param count the number of slots that have one
     * @param features receives the observation; all 0 before
     */
    void write(int[] slots, int count, float[] features) {
        writeShop(features);
        double longestWork = 1;
        for (int job = 0; job < instance.jobs(); job++) {
            if (shop.isLeft(job)) {
                longestWork = Math.max(longestWork, outlook.remainingWork(job));
            }
        }
        for (int slot = 0; slot < count; slot++) {
            int longestTail = 0;
            for (int other = 0; other < count; other++) {
                if (other != slot) {
                    longestTail = Math.max(longestTail, outlook.tail(shop.next(slots[other])));
                }
            }
            writeSlot(slots[slot], longestWork, longestTail, features, SHOP_FEATURES + slot * SLOT_FEATURES);
        }
    }

    private void writeShop(float[] features) {
        int machine = shop.machine();
        int unfinished = 0;
        int toVisit = 0;
        int tight = 0;
        double slacks = 0;
        for (int job = 0; job < instance.jobs(); job++) {
            if (shop.isLeft(job)) {
                int slack = outlook.slack(job);
                unfinished++;
                slacks += slack;
                tight += slack < unit ? 1 : 0;
                toVisit += instance.operation(job, machine) >= shop.next(job) ? 1 : 0;
            }
        }
        int critical = 0;
        for (int other = 0; other < instance.machines(); other++) {
            critical += outlook.machineBound(other) >= 0.95 * outlook.bound() ? 1 : 0;
        }
        double jobs = instance.jobs();
        double firstBound = outlook.firstBound();
        features[0] = 1 - (float) shop.left() / instance.operations();
        features[1] = squashed(5 * (outlook.bound() - firstBound) / firstBound);
        features[2] = squashed((outlook.bound() - outlook.machineBound(machine)) / unit);
        features[3] = (float) (toVisit / jobs);
        features[4] = squashed((shop.firstEnd() - shop.firstStart()) / unit);
        features[5] = (float) (jobs / (jobs + instance.machines()));
        features[6] = squashed(jobs / 10);
        features[7] = (float) critical / instance.machines();
        features[8] = (float) (tight / jobs);
        features[9] = squashed(slacks / unfinished / unit / 3);
        features[10] = squashed((outlook.bound() - shop.firstEnd()) / unit / 10);
    }

    private void writeSlot(int job, double longestWork, int longestTail, float[] features, int offset) {
        int operation = shop.next(job);
        int start = shop.earliestStart(job);
        int end = start + instance.duration(operation);
        int remaining = (job + 1) * instance.machines() - operation;
        features[offset] = 1;
        features[offset + 1] = squashed(instance.duration(operation) / unit);
        features[offset + 2] = squashed((start - shop.firstStart()) / unit);
        features[offset + 3] = squashed((end - shop.firstEnd()) / unit);
        features[offset + 4] = squashed(outlook.slack(job) / unit);
        features[offset + 5] = (float) (outlook.remainingWork(job) / longestWork);
        features[offset + 6] = (float) remaining / instance.machines();
        features[offset + 7] = squashed((outlook.tail(operation) - longestTail) / unit);
        if (remaining > 1) {
            int machine = instance.machine(operation + 1);
            int waiting = 0;
            for (int other = 0; other < instance.jobs(); other++) {
                if (shop.isLeft(other) && instance.machine(shop.next(other)) == machine) {
                    waiting += instance.duration(shop.next(other));
                }
            }
            features[offset + 8] = 1;
            features[offset + 9] = squashed((shop.machineReady(machine) - end) / unit);
            features[offset + 10] = squashed((outlook.bound() - outlook.machineBound(machine)) / unit);
            features[offset + 11] = squashed(waiting / unit);
        }
    }

    private static float squashed(double x) {
        return (float) (x / (1 + Math.abs(x)));
    }
}
