package dev.holdfast.examples.environments.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.examples.environments.assignment.Fleet.Town;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FleetTest {
    /** Six zones, of which zone 2 has one passenger in every period and zone 5 two. */
    private static final Town TOWN =
            new Town(new int[][] {{0, 0, 1, 0, 0, 2}, {0, 0, 1, 0, 0, 2}, {0, 0, 1, 0, 0, 2}}, 2, 3);

    private static Fleet fleet(Town town, int... zonesAndCharges) {
        Fleet fleet = new Fleet(town, true);
        ByteBuffer state = ByteBuffer.allocate(4 + 4 * zonesAndCharges.length).putInt(0);
        for (int number : zonesAndCharges) {
            state.putInt(number);
        }
        fleet.restoreState(state.array());
        return fleet;
    }

    private static Action to(float... zones) {
        return Action.wrap(zones);
    }

    @Test
    void masksWhatIsTooFarForACabOrItsCharge() {
        assertThat(fleet(TOWN, 0, 3, 0, 1).actionMask())
                .containsExactly(
                        true, true, true, false, true, true, //
                        true, true, false, false, false, true);
        assertThat(fleet(TOWN, 4, 2, 3, 0).actionMask())
                .containsExactly(
                        true, false, true, true, true, true, //
                        false, false, false, true, false, false);
    }

    @Test
    void aDriveTakesChargeAndTheDepotGivesIt() {
        Fleet fleet = fleet(TOWN, 0, 0, 0, 2);
        fleet.step(to(0, 5));
        assertThat(fleet.saveState()).isEqualTo(state(1, 0, 2, 5, 1));
        fleet.step(to(4, 5));
        assertThat(fleet.saveState()).isEqualTo(state(2, 4, 0, 5, 1));
        // A cab that comes to the depot is not charged before the next period, and never beyond its battery.
        fleet.step(to(4, 0));
        assertThat(fleet.saveState()).isEqualTo(state(3, 4, 0, 0, 0));
        Fleet full = fleet(TOWN, 0, 2, 0, 3);
        full.step(to(0, 0));
        assertThat(full.saveState()).isEqualTo(state(1, 0, 3, 0, 3));
    }

    private static byte[] state(int... numbers) {
        ByteBuffer state = ByteBuffer.allocate(4 * numbers.length);
        for (int number : numbers) {
            state.putInt(number);
        }
        return state.array();
    }

    @Test
    void aPassengerPaysOneIfThereIsACabForHim() {
        assertThat(fleet(TOWN, 2, 3, 2, 3).step(to(2, 2)).reward()).isEqualTo(1);
        assertThat(fleet(TOWN, 4, 3, 0, 3).step(to(5, 5)).reward()).isEqualTo(2);
        assertThat(fleet(TOWN, 4, 3, 0, 3).step(to(5, 2)).reward()).isEqualTo(2);
        assertThat(fleet(TOWN, 4, 3, 0, 3).step(to(4, 0)).reward()).isZero();
    }

    @Test
    void endsWithTheTimetable() {
        Fleet fleet = fleet(TOWN, 2, 3, 5, 3);
        assertThat(fleet.step(to(2, 5)).done()).isFalse();
        assertThat(fleet.step(to(2, 5)).done()).isFalse();
        Step last = fleet.step(to(2, 5));
        assertThat(last.terminated()).isTrue();
        assertThat(last.truncated()).isFalse();
    }

    @Test
    void showsCabsPeriodAndComingPassengers() {
        Fleet fleet = fleet(TOWN, 2, 3, 5, 0);
        float[] observation = fleet.step(to(1, 5)).observation();
        assertThat(observation)
                .containsExactly(
                        new float[] {
                            0,
                            1,
                            0,
                            0,
                            0,
                            0,
                            2 / 3f, // a cab in zone 1
                            0,
                            0,
                            0,
                            0,
                            0,
                            1,
                            0, // a cab without charge in zone 5
                            0,
                            1,
                            0, // period 1
                            0,
                            0,
                            0.5f,
                            0,
                            0,
                            1, // passengers of this period
                            0,
                            0,
                            0.5f,
                            0,
                            0,
                            1, // and the next
                            0,
                            0,
                            0,
                            0,
                            0,
                            0 // after which the episode ends
                        },
                        within(1e-7f));
    }

    @Test
    void withoutAMaskACabThatCannotGoStaysAndIsFined() {
        Fleet free = new Fleet(TOWN, false);
        free.restoreState(state(0, 2, 3, 0, 1));
        assertThat(free.actionMask()).isNull();
        assertThat(free.step(to(5, 1)).reward()).isEqualTo(1 - Fleet.FINE);
        assertThat(free.saveState()).isEqualTo(state(1, 2, 3, 1, 0));
    }

    @Test
    void startsAnywhereBySeed() {
        Town town = Town.draw(new RandomStream(3), 12, 6, 3, 4);
        Fleet one = new Fleet(town, true);
        Fleet other = new Fleet(town, true);
        assertThat(one.reset(5)).isEqualTo(other.reset(5));
        assertThat(one.saveState()).isEqualTo(other.saveState());
        assertThat(one.reset(6)).isNotEqualTo(other.reset(5));
    }

    @Test
    void refusesAStateOfAnotherSize() {
        assertThatThrownBy(() -> new Fleet(TOWN, true).restoreState(new byte[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a saved state of this Fleet-v0 must have 20 bytes, but had 3");
    }

    /** Every action from some starts of small towns, against backward induction. */
    @Test
    void theOptimumIsTheBestOfAllEpisodes() {
        for (int seed = 0; seed < 5; seed++) {
            Town town = Town.draw(new RandomStream(seed), 3, 3 + seed, 2, 2);
            FleetOptimum optimum = new FleetOptimum(town);
            Fleet fleet = new Fleet(town, true);
            for (int episode = 0; episode < 3; episode++) {
                fleet.reset(episode);
                assertThat(ValidActions.bestReturn(fleet)).isEqualTo(optimum.value(fleet));
            }
        }
    }
}
