package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.environments.jobshop.Instances;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import java.util.List;

/**
 * How much the table takes trouble over.
 *
 * @param seeds the number of general policies, whose seeds begin with 0
 * @param stageSteps the timesteps of each stage of a general policy's curriculum
 * @param evalEvery the timesteps between its evaluations
 * @param evalEpisodes the random instances of an evaluation
 * @param tuned the instances that get a policy of their own
 * @param tuningSteps the timesteps of each of these
 * @param samples the number of schedules of which the best one counts, where schedules are sampled
 * @param randomInstances the random instances of each size
 */
record Effort(
        int seeds,
        List<Long> stageSteps,
        long evalEvery,
        int evalEpisodes,
        List<JobShopInstance> tuned,
        long tuningSteps,
        int samples,
        int randomInstances) {
    static Effort full(int seeds) {
        return new Effort(
                seeds, List.of(8 * 65_536L, 16 * 65_536L, 48 * 65_536L), 65_536, 50, compared(), 200_000, 64, 100);
    }

    /** The instances of which a goal is set: la01 to la40, ft06, ft10 and ft20. */
    static List<JobShopInstance> compared() {
        return Instances.all().values().stream()
                .filter(instance -> instance.name().matches("(ft|la).*"))
                .toList();
    }
}
