package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OutlookTest {
    /**
     * Heads, durations and tails on machine 0, each job being there in its second operation: <pre>
     *   job   head   duration   tail
     *    0     0        4        6     (machine 2 for 6 afterwards)
     *    1     1        3        9
     *    2     3        2        1
     * </pre>
     * Job 1 has the longest tail: 0 until 1, then 1 until 4, 0 until 7, 2 until 9. With the tails 13, 13 and 10.
     */
    @Test
    void machineBoundByHand() {
        Shop shop = Cases.shop(Cases.of("1 0 0 4 2 6", "1 1 0 3 2 9", "1 3 0 2 2 1"), 1);
        Outlook outlook = new Outlook(shop);

        assertThat(outlook.machineBound(0)).isEqualTo(13);
        // Machine 2 for 6, 9 and 1, from 4, 4 and 5 on: until 20.
        assertThat(outlook.machineBound(2)).isEqualTo(20);
        assertThat(outlook.bound()).isEqualTo(20);
        assertThat(outlook.firstBound()).isEqualTo(20);
        assertThat(outlook.remainingWork(1)).isEqualTo(13);
        assertThat(outlook.slack(1)).isEqualTo(7);
        assertThat(outlook.tail(shop.next(1))).isEqualTo(12);
    }

    /** Against the definition: heads from scratch, and each machine simulated unit by unit. */
    @Test
    void boundsAreThoseOfJacksonsRuleAtEveryDispatch() {
        RandomStream random = new RandomStream(4);
        for (int round = 0; round < 30; round++) {
            JobShopInstance instance = JobShopInstance.random(1 + random.nextInt(9), 1 + random.nextInt(7), random);
            Shop shop = Cases.shop(instance, 1);
            Outlook outlook = new Outlook(shop);
            int bound = 0;
            while (true) {
                int expected = Math.max(bound, shop.makespan());
                int[] heads = heads(shop);
                for (int machine = 0; machine < instance.machines(); machine++) {
                    int machineBound = preemptive(shop, heads, machine);
                    assertThat(outlook.machineBound(machine))
                            .as("machine %s", machine)
                            .isEqualTo(machineBound);
                    expected = Math.max(expected, machineBound);
                }
                assertThat(outlook.bound())
                        .as("%s operations left", shop.left())
                        .isEqualTo(expected);
                bound = expected;
                if (shop.isFinished()) {
                    break;
                }
                int job = Cases.anyCandidate(shop, random);
                int operation = shop.next(job);
                shop.dispatch(job);
                outlook.dispatched(operation);
            }
            assertThat(bound).isEqualTo(shop.makespan());
        }
    }

    private static int[] heads(Shop shop) {
        JobShopInstance instance = shop.instance();
        int[] heads = new int[instance.operations()];
        for (int job = 0; job < instance.jobs(); job++) {
            int time = shop.jobReady(job);
            for (int i = shop.next(job); i < (job + 1) * instance.machines(); i++) {
                heads[i] = Math.max(time, shop.machineReady(instance.machine(i)));
                time = heads[i] + instance.duration(i);
            }
        }
        return heads;
    }

    private static int preemptive(Shop shop, int[] heads, int machine) {
        JobShopInstance instance = shop.instance();
        int[] work = new int[instance.operations()];
        int[] tails = new int[instance.operations()];
        for (int job = 0; job < instance.jobs(); job++) {
            int operation = instance.operation(job, machine);
            if (operation >= shop.next(job)) {
                work[operation] = instance.duration(operation);
                for (int i = operation + 1; i < (job + 1) * instance.machines(); i++) {
                    tails[operation] += instance.duration(i);
                }
            }
        }
        int makespan = 0;
        for (int time = 0; Arrays.stream(work).anyMatch(rest -> rest > 0); time++) {
            int chosen = -1;
            for (int i = 0; i < work.length; i++) {
                if (work[i] > 0 && heads[i] <= time && (chosen < 0 || tails[i] > tails[chosen])) {
                    chosen = i;
                }
            }
            if (chosen >= 0 && --work[chosen] == 0) {
                makespan = Math.max(makespan, time + 1 + tails[chosen]);
            }
        }
        return makespan;
    }

    @Test
    void firstBoundsAreBelowThosePublished() {
        for (JobShopInstance instance : Instances.all().values()) {
            int bound = new Outlook(Cases.shop(instance, 1)).bound();
            assertThat(bound)
                    .as(instance.name())
                    .isLessThanOrEqualTo(instance.lowerBound().orElse(Integer.MAX_VALUE));
        }
        // For these the bound is known to be the optimum.
        assertThat(new Outlook(Cases.shop(Cases.named("la01"), 1)).bound()).isEqualTo(666);
        assertThat(new Outlook(Cases.shop(Cases.named("la31"), 1)).bound()).isEqualTo(1784);
    }
}
