package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.EnvironmentChecker;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobShopEnvironmentTest {
    private static final int SHOP_FEATURES = 11;
    private static final int SLOT_FEATURES = 12;

    /** Episodes of instances of many sizes. */
    private static JobShopEnvironment environment(boolean balanced) {
        return new JobShopEnvironment(
                seed -> {
                    RandomStream random = new RandomStream(seed);
                    int jobs = 1 + random.nextInt(20);
                    int machines = 1 + random.nextInt(9);
                    return Cases.shop(JobShopInstance.random(jobs, machines, random), 1);
                },
                balanced);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsTheContractOfEnvironments(boolean balanced) {
        assertThat(EnvironmentChecker.check(() -> environment(balanced)).findings())
                .isEmpty();
    }

    /** The initial bound of la03 is 588, below its optimum of 597. */
    @Test
    void returnsMinusTheGapToTheFirstBound() {
        JobShopInstance la03 = Cases.named("la03");
        JobShopEnvironment environment = JobShopEnvironment.of(la03, 1);
        RandomStream random = new RandomStream(2);
        for (int round = 0; round < 20; round++) {
            double sum = Cases.randomEpisode(environment, random);
            Schedule schedule = environment.schedule();
            assertThat(ScheduleValidator.faults(la03, schedule)).isEmpty();
            assertThat(sum).isCloseTo(-100 * (schedule.makespan() - 588) / 588.0, within(1e-9));
        }
    }

    @Test
    void balancedReturnsTheMeanOfMakespanAndIdleTime() {
        JobShopInstance la03 = Cases.named("la03");
        JobShopEnvironment environment = new JobShopEnvironment(seed -> Cases.shop(la03, 1), true);
        RandomStream random = new RandomStream(2);
        for (int round = 0; round < 20; round++) {
            double sum = Cases.randomEpisode(environment, random);
            Schedule schedule = environment.schedule();
            double idleTime = 0;
            for (int machine = 0; machine < 5; machine++) {
                int number = machine;
                int end = schedule.tasks().stream()
                        .filter(task -> task.machine() == number)
                        .mapToInt(Task::end)
                        .max()
                        .orElseThrow();
                int work = schedule.tasks().stream()
                        .filter(task -> task.machine() == number)
                        .mapToInt(task -> task.end() - task.start())
                        .sum();
                idleTime += (end - work) / 5.0;
            }
            assertThat(sum).isCloseTo(-50 * (schedule.makespan() - 588 + idleTime) / 588, within(1e-9));
        }
    }

    /**
     * Without delay there is no choice here: job 0 is on machine 0 until 8, job 1 from 8 to 13, and then on machine 2 until 23. The bound
     * is 20 at first, since job 1 could be on machine 0 from 5 to 10 if it interrupted job 0.
     */
    @Test
    void whatIsDispatchedWithoutAChoiceCountsToo() {
        JobShopInstance instance = Cases.of("0 8 1 1 2 1", "1 5 0 5 2 10");
        JobShopEnvironment environment = JobShopEnvironment.of(instance, 0);
        environment.reset(1);
        assertThat(environment.schedule().tasks()).hasSize(5);

        Step step = environment.step(Action.of(0));

        assertThat(step.terminated()).isTrue();
        assertThat(environment.schedule().makespan()).isEqualTo(23);
        assertThat(step.reward()).isCloseTo(-15, within(1e-9));
    }

    /**
     * Job 0 is on machine 0 for 4 and on machine 1 for 3, job 1 for 2 and for 1: 2.5 in the mean. The bound is 7, by job 0 and by both
     * machines; job 1 has a slack of 4. Both could start at 0, and job 1 would end first, at 2.
     */
    @Test
    void observationByHand() {
        float[] observation =
                JobShopEnvironment.of(Cases.of("0 4 1 3", "0 2 1 1"), 1).reset(1);

        double[] expected = {
            // the shop
            0,
            0,
            0,
            1,
            s(2 / 2.5),
            0.5,
            s(0.2),
            1,
            0.5,
            s(2 / 2.5 / 3),
            s(5 / 2.5 / 10),
            // job 0
            1,
            s(4 / 2.5),
            0,
            s(2 / 2.5),
            0,
            1,
            1,
            s(2 / 2.5),
            1,
            s(-4 / 2.5),
            0,
            0,
            // job 1
            1,
            s(2 / 2.5),
            0,
            0,
            s(4 / 2.5),
            3 / 7.0,
            1,
            s(-2 / 2.5),
            1,
            s(-2 / 2.5),
            0,
            0
        };
        for (int i = 0; i < observation.length; i++) {
            assertThat((double) observation[i])
                    .as("feature %s", i)
                    .isCloseTo(i < expected.length ? expected[i] : 0, within(1e-6));
        }
    }

    private static double s(double x) {
        return x / (1 + Math.abs(x));
    }

    @Test
    void slotsAreInTheOrderOfSlack() {
        JobShopEnvironment environment = environment(false);
        RandomStream random = new RandomStream(3);
        for (int episode = 0; episode < 100; episode++) {
            float[] observation = environment.reset(episode);
            boolean done = false;
            while (!done) {
                float slack = -1;
                for (int slot = 0; slot < JobShopEnvironment.SLOTS; slot++) {
                    int offset = SHOP_FEATURES + slot * SLOT_FEATURES;
                    if (environment.actionMask()[slot]) {
                        assertThat(observation[offset]).isEqualTo(1);
                        assertThat(observation[offset + 4]).isGreaterThanOrEqualTo(slack);
                        slack = observation[offset + 4];
                    } else {
                        assertThat(Arrays.copyOfRange(observation, offset, offset + SLOT_FEATURES))
                                .containsOnly(0);
                    }
                }
                Step step = Cases.randomStep(environment, random);
                observation = step.observation();
                done = step.done();
            }
            assertThat(observation).containsOnly(0);
        }
    }

    /** Twelve jobs that all begin on machine 0 for 20; the first has the most work afterwards and the least slack. */
    @Test
    void jobsWithTheMostSlackWaitForASlot() {
        String[] jobs =
                IntStream.rangeClosed(1, 12).mapToObj(i -> "0 20 1 " + (20 - i)).toArray(String[]::new);
        JobShopEnvironment environment = JobShopEnvironment.of(Cases.of(jobs), 1);
        for (int slot = 0; slot < JobShopEnvironment.SLOTS; slot++) {
            environment.reset(1);
            assertThat(environment.actionMask()).containsOnly(true);
            environment.step(Action.of(slot));
            Task first = environment.schedule().tasks().stream()
                    .filter(task -> task.start() == 0)
                    .findFirst()
                    .orElseThrow();
            assertThat(first.job()).isEqualTo(slot);
        }
    }

    @Test
    void emptySlotsAreRefused() {
        JobShopEnvironment environment = JobShopEnvironment.of(Cases.FT06, 1);
        environment.reset(1);
        assertThat(environment.actionMask()[9]).isFalse();
        assertThatThrownBy(() -> environment.step(Action.of(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("slot 9 must hold a job that can be dispatched, but is empty");
    }

    /** What is seen of an instance, and earned, is the same in seconds as in minutes. */
    @Test
    void unitsOfTimeDoNotMatter() {
        RandomStream random = new RandomStream(12);
        JobShopInstance minutes = JobShopInstance.random(8, 6, random);
        int[] machines = IntStream.range(0, 48).map(minutes::machine).toArray();
        int[] durations =
                IntStream.range(0, 48).map(i -> 60 * minutes.duration(i)).toArray();
        JobShopInstance seconds =
                new JobShopInstance("seconds", 8, 6, machines, durations, OptionalInt.empty(), OptionalInt.empty());
        JobShopEnvironment first = JobShopEnvironment.of(minutes, 1);
        JobShopEnvironment second = JobShopEnvironment.of(seconds, 1);
        assertThat(second.reset(1)).containsExactly(first.reset(1), within(1e-6f));
        Step step;
        do {
            int slot = random.nextInt(Cases.count(first.actionMask()));
            step = first.step(Action.of(slot));
            Step same = second.step(Action.of(slot));
            assertThat(same.observation()).containsExactly(step.observation(), within(1e-6f));
            assertThat(same.reward()).isCloseTo(step.reward(), within(1e-9));
        } while (!step.done());
        assertThat(second.schedule().makespan()).isEqualTo(60 * first.schedule().makespan());
    }

    @Test
    void goesOnFromASavedState() {
        JobShopEnvironment saved = environment(true);
        RandomStream random = new RandomStream(13);
        saved.reset(1);
        saved.reset(77);
        for (int i = 0; i < 30; i++) {
            assertThat(Cases.randomStep(saved, random).done()).isFalse();
        }
        JobShopEnvironment restored = environment(true);
        restored.restoreState(saved.saveState());
        assertThat(restored.schedule()).isEqualTo(saved.schedule());
        Step step;
        do {
            assertThat(restored.actionMask()).isEqualTo(saved.actionMask());
            assertThat(restored.saveState()).isEqualTo(saved.saveState());
            int slot = random.nextInt(Cases.count(saved.actionMask()));
            step = saved.step(Action.of(slot));
            Step same = restored.step(Action.of(slot));
            assertThat(same.observation()).isEqualTo(step.observation());
            assertThat(same.reward()).isEqualTo(step.reward());
            assertThat(same.terminated()).isEqualTo(step.terminated());
        } while (!step.done());
        assertThat(restored.schedule()).isEqualTo(saved.schedule());
    }
}
