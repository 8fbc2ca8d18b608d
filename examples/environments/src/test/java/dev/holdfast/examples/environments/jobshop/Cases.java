package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What several tests schedule, and how. */
final class Cases {
    static final JobShopInstance FT06 = named("ft06");

    /** One of many orders of dispatching that lead to the optimum of ft06. */
    static final int[] OPTIMAL_ORDER_OF_FT06 = {
        2, 1, 0, 0, 2, 3, 1, 5, 2, 3, 5, 0, 4, 1, 4, 2, 3, 2, 5, 3, 4, 1, 0, 3, 5, 0, 2, 4, 1, 5, 5, 4, 1, 4, 3, 0
    };

    private Cases() {}

    static JobShopInstance named(String name) {
        return Objects.requireNonNull(Instances.all().get(name), name);
    }

    /** Returns an instance without known bounds, from a line a job. */
    static JobShopInstance of(String... jobs) {
        List<String> lines = new ArrayList<>(Arrays.asList(jobs));
        lines.add(0, "instance case " + jobs.length + " " + jobs[0].split(" ", -1).length / 2 + " - -");
        return Objects.requireNonNull(Instances.parse(lines).get("case"));
    }

    static Shop shop(JobShopInstance instance, double delay) {
        return new Shop(instance, Breakdowns.none(instance.machines()), delay);
    }

    static Schedule optimalScheduleOfFt06() {
        Shop shop = shop(FT06, 1);
        for (int job : OPTIMAL_ORDER_OF_FT06) {
            shop.dispatch(job);
        }
        return shop.schedule();
    }

    /** Dispatches any candidates until all is finished. */
    static Schedule randomSchedule(Shop shop, RandomStream random) {
        while (!shop.isFinished()) {
            shop.dispatch(anyCandidate(shop, random));
        }
        return shop.schedule();
    }

    static int anyCandidate(Shop shop, RandomStream random) {
        return shop.candidate(random.nextInt(shop.candidateCount()));
    }

    /** Returns the number of slots that have a job: the first ones. */
    static int count(boolean[] mask) {
        int count = 0;
        while (count < mask.length && mask[count]) {
            count++;
        }
        return count;
    }

    /** Takes any valid action. */
    static Step randomStep(Environment environment, RandomStream random) {
        boolean[] mask = Objects.requireNonNull(environment.actionMask());
        return environment.step(Action.of(random.nextInt(count(mask))));
    }

    /** Plays an episode of any valid actions and returns its return. */
    static double randomEpisode(Environment environment, RandomStream random) {
        environment.reset(random.nextLong());
        double sum = 0;
        Step step;
        do {
            step = randomStep(environment, random);
            sum += step.reward();
        } while (!step.done());
        return sum;
    }
}
