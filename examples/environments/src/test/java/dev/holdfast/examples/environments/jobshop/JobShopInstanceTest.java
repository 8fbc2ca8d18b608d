package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.random.RandomStream;
import org.junit.jupiter.api.Test;

class JobShopInstanceTest {
    /** Each duration has probability 1/99, each machine probability 1/4 at each place; limits are five standard deviations. */
    @Test
    void drawsByTaillardsScheme() {
        RandomStream random = new RandomStream(5);
        int[] durations = new int[101];
        int[][] places = new int[4][4];
        int instances = 1_000;
        for (int i = 0; i < instances; i++) {
            JobShopInstance instance = JobShopInstance.random(10, 4, random);
            for (int operation = 0; operation < 40; operation++) {
                durations[instance.duration(operation)]++;
                places[instance.machine(operation)][operation % 4]++;
            }
        }
        assertThat(durations[0]).isZero();
        assertThat(durations[100]).isZero();
        for (int duration = 1; duration <= 99; duration++) {
            assertThat((double) durations[duration]).isCloseTo(40_000 / 99.0, within(5 * 20.0));
        }
        for (int[] counts : places) {
            for (int count : counts) {
                assertThat((double) count).isCloseTo(2_500, within(5 * 43.3));
            }
        }
    }
}
