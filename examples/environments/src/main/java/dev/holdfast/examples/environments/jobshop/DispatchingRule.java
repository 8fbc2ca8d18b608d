package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.stream.IntStream;

/** Simple rules to choose the next job, what a learned policy has to be better than. The lowest job number breaks ties. */
public enum DispatchingRule {
    /** The shortest processing time. */
    SPT,
    /** The most work remaining in the job. */
    MWKR,
    /** The most operations remaining in the job. */
    MOPNR,
    /** First in, first out: who has waited for the machine the longest. */
    FIFO,
    /** Any of them, each as likely. */
    RANDOM;

    /**
     * Schedules an instance by this rule.
     *
     * @param instance what to schedule
     * @param delay how long machines may wait, in [0, 1]; see the environment's parameter
     * @param random where the randomness of {@link #RANDOM} comes from; the others use none
     * @return the schedule
     */
    public Schedule schedule(JobShopInstance instance, double delay, RandomStream random) {
        Shop shop = new Shop(instance, Breakdowns.none(instance.machines()), delay);
        while (!shop.isFinished()) {
            shop.dispatch(choose(shop, random));
        }
        return shop.schedule();
    }

    private int choose(Shop shop, RandomStream random) {
        if (this == RANDOM) {
            return shop.candidate(random.nextInt(shop.candidateCount()));
        }
        int best = shop.candidate(0);
        for (int i = 1; i < shop.candidateCount(); i++) {
            int job = shop.candidate(i);
            if (rank(shop, job) < rank(shop, best)) {
                best = job;
            }
        }
        return best;
    }

    /** The smallest is chosen. */
    private int rank(Shop shop, int job) {
        JobShopInstance instance = shop.instance();
        int next = shop.next(job);
        int end = (job + 1) * instance.machines();
        return switch (this) {
            case SPT -> instance.duration(next);
            case MWKR -> -IntStream.range(next, end).map(instance::duration).sum();
            case MOPNR -> next - end;
            case FIFO -> shop.jobReady(job);
            case RANDOM -> 0;
        };
    }
}
