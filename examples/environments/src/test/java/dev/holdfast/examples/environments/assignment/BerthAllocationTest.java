package dev.holdfast.examples.environments.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BerthAllocationTest {
    /** A short ship and a long one are there from the beginning, a deep one comes at 5; the second berth is short and shallow. */
    private static final Port PORT = new Port(
            List.of(new Ship(0, 1, 1, 6), new Ship(0, 3, 1, 9), new Ship(5, 1, 3, 4)),
            List.of(new Berth(3, 3), new Berth(1, 1)),
            3);

    private static BerthAllocation started(ActionForm form) {
        BerthAllocation environment = new BerthAllocation(seed -> PORT, form);
        environment.reset(1);
        return environment;
    }

    private static Action moor(int ship, int berth, int cranes) {
        return Action.wrap(new float[] {ship, berth, cranes - 1});
    }

    private static final Action WAIT = moor(3, 0, 1);

    @Test
    void masksBerthsAndCranesForEachShip() {
        BerthAllocation environment = started(ActionForm.CONDITIONAL);
        assertThat(environment.actionSpace()).isEqualTo(new ConditionalDiscrete(new MultiDiscrete(4, 2, 3), -1, 0, 0));
        assertThat(environment.actionMask())
                .containsExactly(
                        true, true, false, true, // ships 0 and 1, or wait
                        true, true, /**/ true, false, /**/ false, false, /**/ true,
                        false, // the long ship not at berth 1
                        true, false, false, /**/ true, true, true, /**/ true, false, false, /**/ true, false, false);

        environment.step(moor(1, 0, 2));
        assertThat(environment.actionMask())
                .containsExactly(
                        true, false, false, true, // one crane and berth 1 are left
                        false, true, /**/ false, false, /**/ false, false, /**/ true, false, //
                        true, false, false, /**/ true, false, false, /**/ true, false, false, /**/ true, false, false);
    }

    @Test
    void independentMasksAllowWhatIsValidForSomeShip() {
        BerthAllocation environment = started(ActionForm.INDEPENDENT);
        assertThat(environment.actionSpace()).isEqualTo(new MultiDiscrete(4, 2, 3));
        assertThat(environment.actionMask())
                .containsExactly(true, true, false, true, /**/ true, true, /**/ true, true, true);
    }

    @Test
    void rewardsAreDaysInPort() {
        BerthAllocation environment = started(ActionForm.CONDITIONAL);
        assertThat(environment.step(moor(1, 0, 2)).reward()).isZero();
        // With berth 1 taken, time goes by: ship 1 leaves at 5, when ship 2 arrives and can moor.
        assertThat(environment.step(moor(0, 1, 1)).reward()).isCloseTo((5 + 5) / -24.0, within(1e-7));
        // Ship 0 leaves at 6, ship 2 at 9.
        Step last = environment.step(moor(2, 0, 1));
        assertThat(last.reward()).isCloseTo((1 + 4) / -24.0, within(1e-7));
        assertThat(last.terminated()).isTrue();
    }

    @Test
    void whoeverWaitsWaitsForAShipToArriveOrToLeave() {
        BerthAllocation environment = started(ActionForm.CONDITIONAL);
        assertThat(environment.step(WAIT).reward()).isCloseTo(2 * 5 / -24.0, within(1e-7));
        // All have arrived and none is moored: there is nothing to wait for.
        assertThat(environment.actionMask()[3]).isFalse();
        environment.step(moor(2, 0, 1));
        assertThat(environment.actionMask()[3]).isTrue();
        assertThat(environment.step(WAIT).reward()).isCloseTo(3 * 4 / -24.0, within(1e-7));
    }

    @Test
    void choicesThatDoNotFitTogetherCostAnHour() {
        BerthAllocation environment = started(ActionForm.INDEPENDENT);
        byte[] before = environment.saveState();
        for (Action impossible : List.of(moor(1, 1, 1), moor(0, 0, 2))) {
            assertThat(environment.step(impossible).reward()).isCloseTo(2 / -24.0, within(1e-7));
            environment.restoreState(before);
        }
        for (int step = 1; step <= 60; step++) {
            Step hour = environment.step(moor(1, 1, 1));
            assertThat(hour.terminated()).isFalse();
            assertThat(hour.truncated()).isEqualTo(step == 3 * BerthAllocation.STEPS_A_SHIP);
        }
    }

    @Test
    void showsShipsBerthsAndCranes() {
        BerthAllocation environment = started(ActionForm.CONDITIONAL);
        float[] observation = environment.step(moor(1, 0, 2)).observation();
        assertThat(observation)
                .containsExactly(
                        new float[] {
                            0, 1, 0, 0, 0, 0, 1 / 3f, 1 / 3f, 6 / 18f, 1, 1, // waiting for no time
                            0, 0, 1, 0, 0, 5 / 24f, 1, 1 / 3f, 9 / 18f, 1, 0, // moored until 5
                            1, 0, 0, 5 / 24f, 0, 0, 1 / 3f, 1, 4 / 18f, 1, 0, // expected at 5
                            5 / 24f, 0, 1 / 3f
                        },
                        within(1e-6f));
    }

    /** Each form can express the same decisions and no more; independent choices, more than can be carried out. */
    @Test
    void allFormsAllowTheSameDecisions() {
        for (long seed = 0; seed < 50; seed++) {
            BerthAllocation conditional = started(ActionForm.CONDITIONAL, seed);
            BerthAllocation independent = started(ActionForm.INDEPENDENT, seed);
            BerthAllocation flat = started(ActionForm.FLAT, seed);
            RandomStream random = new RandomStream(seed, "choices");
            boolean done = false;
            while (!done) {
                List<Action> actions = ValidActions.now(conditional);
                Set<Decision> decisions = decisions(ActionForm.CONDITIONAL, actions);
                List<Action> flatActions = ValidActions.now(flat);
                assertThat(decisions(ActionForm.FLAT, flatActions))
                        .isEqualTo(decisions)
                        .hasSameSizeAs(flatActions);
                assertThat(decisions(ActionForm.INDEPENDENT, ValidActions.now(independent)))
                        .containsAll(decisions);

                Action action = actions.get(random.nextInt(actions.size()));
                done = conditional.step(action).done();
                independent.step(action);
                flat.step(flat(ActionForm.CONDITIONAL.decision(action, port(0))));
                assertThat(independent.saveState()).isEqualTo(conditional.saveState());
                assertThat(flat.saveState()).isEqualTo(conditional.saveState());
            }
        }
    }

    private static BerthAllocation started(ActionForm form, long seed) {
        BerthAllocation environment = new BerthAllocation(BerthAllocationTest::port, form);
        environment.reset(seed);
        return environment;
    }

    private static Port port(long seed) {
        return Port.draw(new RandomStream(seed), 4, 2, 3);
    }

    private static Set<Decision> decisions(ActionForm form, List<Action> actions) {
        return actions.stream()
                .map(action -> form.decision(action, port(0)))
                // Whoever waits needs no berth.
                .map(decision -> decision.ship() == 4 ? new Decision(4, 0, 1) : decision)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static Action flat(Decision decision) {
        return Action.of((decision.ship() * 2 + decision.berth()) * 3 + decision.cranes() - 1);
    }

    /** Every action in small ports, against branch and bound. */
    @Test
    void theOptimumIsTheBestOfAllEpisodes() {
        BerthAllocation environment =
                new BerthAllocation(seed -> Port.draw(new RandomStream(seed), 3, 2, 2), ActionForm.CONDITIONAL);
        for (long seed = 0; seed < 20; seed++) {
            environment.reset(seed);
            assertThat(ValidActions.bestReturn(environment))
                    .isCloseTo(
                            BerthOptimum.shipHours(Port.draw(new RandomStream(seed), 3, 2, 2)) / -24.0, within(1e-6));
        }
    }

    @ParameterizedTest
    @EnumSource
    void goesOnFromASavedStateBitForBit(ActionForm form) {
        BerthAllocation saved = new BerthAllocation(BerthAllocationTest::port, form);
        BerthAllocation restored = new BerthAllocation(BerthAllocationTest::port, form);
        saved.reset(3);
        boolean done = false;
        while (!done) {
            restored.restoreState(saved.saveState());
            assertThat(restored.saveState()).isEqualTo(saved.saveState());
            assertThat(restored.actionMask()).isEqualTo(saved.actionMask());
            Action action = ValidActions.now(saved).get(0);
            Step expected = saved.step(action);
            assertThat(restored.step(action)).usingRecursiveComparison().isEqualTo(expected);
            done = expected.done();
        }
    }

    @Test
    void refusesAStateOfAnotherSize() {
        assertThatThrownBy(() -> started(ActionForm.FLAT).restoreState(new byte[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a saved state of this BerthAllocation-v0 must have 56 bytes, but had 4");
    }

    @Test
    void hasOneChoiceForEachCombinationWhereChoicesAreFlat() {
        assertThat(started(ActionForm.FLAT).actionSpace()).isEqualTo(new Discrete(3 * 2 * 3 + 1));
    }
}
