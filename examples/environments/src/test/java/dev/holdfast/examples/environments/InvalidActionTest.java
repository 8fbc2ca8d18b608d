package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Discrete;
import org.junit.jupiter.api.Test;

class InvalidActionTest {
    /** Whatever is chosen, each state is as likely, and so is each subset of the wrong actions: each is masked 60 times in 79. */
    @Test
    void masksTheDeclaredNumberAndNeverTheRightOne() {
        InvalidAction environment = new InvalidAction(80, 60, 100);
        RandomStream actions = new RandomStream(2);
        int steps = 100_000;
        int[] visits = new int[80];
        int[] masked = new int[80];
        float[] observation = environment.reset(1);
        for (int i = 0; i < steps; i++) {
            assertThat(environment.observationSpace().problem(observation, 0)).isNull();
            int state = (int) observation[0];
            visits[state]++;
            boolean[] mask = environment.actionMask();
            assertThat(mask).hasSize(80);
            assertThat(mask[state]).isTrue();
            int invalid = 0;
            for (int action = 0; action < 80; action++) {
                if (!mask[action]) {
                    invalid++;
                    masked[action]++;
                }
            }
            assertThat(invalid).isEqualTo(60);
            int action = actions.nextInt(80);
            Step step = environment.step(Action.of(action));
            assertThat(step.reward()).isEqualTo(action == state ? 1 : 0);
            assertThat(step.terminated()).isFalse();
            assertThat(step.truncated()).isEqualTo(i % 100 == 99);
            observation = step.done() ? environment.reset(i) : step.observation();
        }
        for (int i = 0; i < 80; i++) {
            // Five standard deviations: sqrt(100,000 / 80) for the visits, sqrt(100,000 p (1 - p)) with p = 60 / 80 for
            // the masks.
            assertThat((double) visits[i]).isCloseTo(steps / 80.0, within(5 * 35.4));
            assertThat((double) masked[i]).isCloseTo(steps * 60 / 80.0, within(5 * 137.0));
        }
    }

    /** With 3 states and 1 invalid action there are two masks for each state. */
    @Test
    void drawsEveryMaskEquallyOften() {
        InvalidAction environment = new InvalidAction(3, 1, 1);
        int[][] counts = new int[3][3];
        for (int seed = 0; seed < 30_000; seed++) {
            int state = (int) environment.reset(seed)[0];
            boolean[] mask = environment.actionMask();
            for (int action = 0; action < 3; action++) {
                counts[state][action] += mask[action] ? 0 : 1;
            }
        }
        for (int state = 0; state < 3; state++) {
            for (int action = 0; action < 3; action++) {
                // Five standard deviations of a count with p = 1/6 in 30,000.
                assertThat((double) counts[state][action]).isCloseTo(state == action ? 0 : 5_000, within(323.0));
            }
        }
    }

    @Test
    void allOrNothingMasked() {
        InvalidAction free = new InvalidAction(5, 0, 10);
        free.reset(1);
        assertThat(free.actionMask()).containsOnly(true);

        InvalidAction forced = new InvalidAction(5, 4, 10);
        int state = (int) forced.reset(1)[0];
        boolean[] only = new boolean[5];
        only[state] = true;
        assertThat(forced.actionMask()).isEqualTo(only);
    }

    @Test
    void observesAndActsInTheSameSpace() {
        InvalidAction environment = new InvalidAction(80, 60, 100);
        assertThat(environment.observationSpace()).isEqualTo(new Discrete(80));
        assertThat(environment.actionSpace()).isEqualTo(new Discrete(80));
    }

    @Test
    void sameSeedSameEpisode() {
        InvalidAction first = new InvalidAction(80, 60, 100);
        InvalidAction second = new InvalidAction(80, 60, 100);
        second.reset(4);
        assertThat(first.reset(9)).isEqualTo(second.reset(9));
        for (int i = 0; i < 100; i++) {
            assertThat(first.actionMask()).isEqualTo(second.actionMask());
            assertThat(first.step(Action.of(i % 80)).observation())
                    .isEqualTo(second.step(Action.of(i % 80)).observation());
        }
        second.reset(10);
        assertThat(first.actionMask()).isNotEqualTo(second.actionMask());
    }

    @Test
    void goesOnFromASavedStateBitForBit() {
        InvalidAction saved = new InvalidAction(80, 60, 100);
        saved.reset(3);
        for (int i = 0; i < 40; i++) {
            saved.step(Action.of(0));
        }
        InvalidAction restored = new InvalidAction(80, 60, 100);
        restored.restoreState(saved.saveState());
        for (int i = 40; i < 100; i++) {
            assertThat(restored.actionMask()).isEqualTo(saved.actionMask());
            Step expected = saved.step(Action.of(i % 80));
            Step step = restored.step(Action.of(i % 80));
            assertThat(step.observation()).isEqualTo(expected.observation());
            assertThat(step.reward()).isEqualTo(expected.reward());
            assertThat(step.truncated()).isEqualTo(expected.truncated()).isEqualTo(i == 99);
            assertThat(restored.saveState()).isEqualTo(saved.saveState());
        }
    }

    @Test
    void refusesAStateOfAnotherSize() {
        InvalidAction small = new InvalidAction(10, 6, 100);
        small.reset(1);
        assertThatThrownBy(() -> new InvalidAction(80, 60, 100).restoreState(small.saveState()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a saved state of this InvalidAction-v0 must have 120 bytes, but had 50");
    }
}
