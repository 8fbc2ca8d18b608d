package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.examples.environments.TabularEnvironment.Outcome;
import dev.holdfast.examples.environments.TabularEnvironment.Prospect;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class TabularEnvironmentTest {
    /** Starts in 0, or three times as often in 1. There, action 0 earns 1 and ends; 1 earns nothing and leads to 2 every fourth time. */
    private static final class Fork implements TabularEnvironment.Rules {
        @Override
        public double startWeight(int state) {
            return new double[] {1, 3, 0, 0}[state];
        }

        @Override
        public List<Outcome> outcomes(int state, int action) {
            return state == 2
                    ? List.of(new Outcome(1, 3, 3, true))
                    : action == 0
                            ? List.of(new Outcome(1, 3, 1, true))
                            : List.of(new Outcome(0.25, 2, 0, false), new Outcome(0.75, state, 0, false));
        }
    }

    private static TabularEnvironment fork(int maxSteps) {
        return new TabularEnvironment("Fork-v0", 4, 2, new Fork(), maxSteps);
    }

    @Test
    void drawsAsOftenAsTheTableSays() {
        TabularEnvironment fork = fork(10);
        int episodes = 40_000;
        int startedIn1 = 0;
        int in2 = 0;
        for (int seed = 0; seed < episodes; seed++) {
            startedIn1 += (int) fork.reset(seed)[0];
            in2 += fork.step(Action.of(1)).observation()[0] == 2 ? 1 : 0;
        }
        // Five standard deviations of a count with p = 1/4 or 3/4.
        assertThat((double) startedIn1).isCloseTo(0.75 * episodes, within(433.0));
        assertThat((double) in2).isCloseTo(0.25 * episodes, within(433.0));
    }

    /** Always waiting, 2 is reached with 1 - (3/4)^k within k steps, and one more step earns 3 there. */
    @Test
    void knowsWhatAPolicyEarns() {
        Prospect wait = fork(4).follow(state -> 1);
        assertThat(wait.expectedReturn()).isCloseTo(3 * (1 - 0.75 * 0.75 * 0.75), within(1e-15));
        assertThat(wait.states().stream()).containsExactly(0, 1, 2);

        Prospect end = fork(4).follow(state -> 0);
        assertThat(end.expectedReturn()).isCloseTo(1, within(1e-15));
        assertThat(end.states().stream()).containsExactly(0, 1);
    }

    /** Waiting is worth w = gamma (3/4 w + 1/4 · 3) where it is the best, and as good as ending where that is 1: at gamma 2/3. */
    @Test
    void knowsTheOptimum() {
        TabularOptimum patient = TabularOptimum.of(fork(4), 0.8);
        double waiting = 0.8 * 0.75 / (1 - 0.8 * 0.75);
        assertThat(patient.value(0, 1)).isCloseTo(waiting, within(1e-9));
        assertThat(patient.value(0, 0)).isEqualTo(1);
        assertThat(patient.best(0)).isEqualTo(1);
        assertThat(patient.isBest(0, 0)).isFalse();

        TabularOptimum hasty = TabularOptimum.of(fork(4), 0.5);
        assertThat(hasty.value(1, 1)).isCloseTo(0.5 * (0.75 * 1 + 0.25 * 3), within(1e-9));
        assertThat(hasty.best(1)).isEqualTo(0);
        assertThat(hasty.isBest(1, 1)).isFalse();

        TabularOptimum torn = TabularOptimum.of(fork(4), 2 / 3.0);
        assertThat(torn.isBest(0, 0)).isTrue();
        assertThat(torn.isBest(0, 1)).isTrue();
    }

    @Test
    void truncatesAtTheLimitAndCountsFromReset() {
        TabularEnvironment lake = FrozenLake.create("4x4", false, 3);
        for (int episode = 0; episode < 2; episode++) {
            assertThat(lake.reset(episode)).containsExactly(0);
            assertThat(lake.step(Action.of(0)).done()).isFalse();
            assertThat(lake.step(Action.of(0)).done()).isFalse();
            Step last = lake.step(Action.of(0));
            assertThat(last.truncated()).isTrue();
            assertThat(last.terminated()).isFalse();
        }
    }

    @Test
    void goesOnFromASavedStateBitForBit() {
        TabularEnvironment saved = Taxi.create(true, true, 60);
        RandomStream actions = new RandomStream(4);
        saved.reset(3);
        for (int i = 0; i < 20; i++) {
            saved.step(Action.of(actions.nextInt(4)));
        }
        TabularEnvironment restored = Taxi.create(true, true, 60);
        restored.restoreState(saved.saveState());
        for (int i = 20; i < 60; i++) {
            assertThat(restored.actionMask()).isEqualTo(saved.actionMask());
            Action action = Action.of(actions.nextInt(4));
            assertThat(restored.step(action)).usingRecursiveComparison().isEqualTo(saved.step(action));
            assertThat(restored.saveState()).isEqualTo(saved.saveState());
        }
        assertThat(restored.reset(5)).isEqualTo(saved.reset(5));
    }

    @Test
    void refusesAStateOfAnotherLength() {
        assertThatThrownBy(() -> fork(4).restoreState(new byte[12]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a saved state of this Fork-v0 must have 40 bytes, but had 12");
    }
}
