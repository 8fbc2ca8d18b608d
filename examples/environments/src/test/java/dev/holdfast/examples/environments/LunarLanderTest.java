package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are derived from sizes, densities and strengths, in pixels of 1/30 m: no other engine's trajectory can be the measure. */
class LunarLanderTest {
    private static final double GRAVITY = -10;

    /** Density 5 times a rectangle of 34 × 10 below a trapezium of 34 and 28 × 17; density 1 times two rectangles of 4 × 16. */
    private static final double MASS = (5 * (34 * 10 + (34 + 28) / 2.0 * 17) + 2 * 4 * 16) / 900;

    private static LunarLander create(boolean continuous) {
        return new LunarLander("lander", continuous, GRAVITY, 1000);
    }

    private static Action powers(double thrust, double turn) {
        return Action.wrap(new float[] {(float) thrust, (float) turn});
    }

    /** An episode that is played to its end. */
    private record Episode(double result, Step last, int steps) {
        static Episode play(LunarLander lander, long seed, Pilot pilot) {
            float[] observation = lander.reset(seed);
            double result = 0;
            for (int i = 1; ; i++) {
                Step step = lander.step(pilot.action(observation));
                observation = step.observation();
                result += step.reward();
                if (step.terminated() || step.truncated()) {
                    return new Episode(result, step, i);
                }
            }
        }
    }

    private interface Pilot {
        Action action(float[] observation);

        /** Leans against what carries it off the middle, and falls the slower the lower it is. */
        static Action lands(float[] o) {
            double lean = Math.max(-0.4, Math.min(0.4, 0.5 * o[0] + o[2]));
            double turn = 0.5 * (lean - o[4]) - o[5];
            double lift = 0.5 * (0.55 * Math.abs(o[0]) - o[1]) - 0.5 * o[3];
            if (o[6] + o[7] > 0) {
                turn = 0;
                lift = -0.5 * o[3];
            }
            return powers(20 * lift - 1, -20 * turn);
        }

        /** Leans to a side, and climbs. */
        static Pilot leaves(int side) {
            return o -> powers(0.3, (-20 * (0.5 * (-side * 0.4 - o[4]) - o[5])));
        }
    }

    @Test
    void fallsFreelyWithoutEngines() {
        RandomStream random = new RandomStream(1);
        LanderPhysics physics = new LanderPhysics(GRAVITY, random);
        assertThat(physics.x()).isEqualTo(10);
        assertThat(physics.y()).isEqualTo(40 / 3.0);
        physics.step(0, 0, random);
        double across = physics.velocityX();
        double up = physics.velocityY();
        double x = physics.x();
        double y = physics.y();

        for (int i = 1; i <= 20; i++) {
            physics.step(0, 0, random);
            y += (up + i * GRAVITY / 50) / 50;
        }

        // The legs are held with what little swing they have: a thousandth of the lander's way.
        assertThat(physics.velocityX()).isCloseTo(across, within(0.01));
        assertThat(physics.velocityY()).isCloseTo(up + 20 * GRAVITY / 50, within(0.01));
        assertThat(physics.x()).isCloseTo(x + across * 20 / 50, within(0.01));
        assertThat(physics.y()).isCloseTo(y, within(0.01));
    }

    @Test
    void isThrownByAForceOfUpToAThousandNewtons() {
        double greatest = 0;
        double sum = 0;
        for (int seed = 0; seed < 400; seed++) {
            RandomStream random = new RandomStream(seed);
            LanderPhysics physics = new LanderPhysics(0, random);
            physics.step(0, 0, random);
            greatest = Math.max(greatest, Math.abs(physics.velocityX()));
            sum += Math.abs(physics.velocityX());
        }

        double most = 1000 / 50.0 / MASS;
        assertThat(greatest).isCloseTo(most, within(0.02 * most));
        assertThat(sum / 400).isCloseTo(most / 2, within(0.05 * most));
    }

    /** Returns what one step's push of engines adds to the lander's velocity on average: across, up and in turning. */
    private static double[] push(double main, double side) {
        double[] added = new double[3];
        int seeds = 500;
        for (int seed = 0; seed < seeds; seed++) {
            double[][] velocities = new double[2][];
            for (int engines = 0; engines < 2; engines++) {
                RandomStream random = new RandomStream(seed);
                LanderPhysics physics = new LanderPhysics(GRAVITY, random);
                for (int i = 0; i < 3; i++) {
                    physics.step(0, 0, random);
                }
                physics.step(engines * main, engines * side, random);
                velocities[engines] =
                        new double[] {physics.velocityX(), physics.velocityY(), physics.angularVelocity()};
            }
            for (int i = 0; i < added.length; i++) {
                added[i] += (velocities[1][i] - velocities[0][i]) / seeds;
            }
        }
        return added;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1})
    void mainEngineLifts(double power) {
        double[] added = push(power, 0);

        assertThat(added[0]).isCloseTo(0, within(0.02));
        assertThat(added[1]).isCloseTo(power * 13 * 4 / 30 / MASS, within(0.03 * power));
        assertThat(added[2]).isCloseTo(0, within(0.02));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void sideEnginePushesAndTurns(int side) {
        double[] added = push(0, side);

        assertThat(added[0]).isCloseTo(side * 0.6 * 12 / 30 / MASS, within(0.005));
        assertThat(added[1]).isCloseTo(0, within(0.005));
        // The push is above the centre of mass: one to the right turns clockwise.
        assertThat(side * added[2]).isNegative();
    }

    @Test
    void crashesWithoutEngines() {
        LunarLander lander = create(false);
        for (int seed = 0; seed < 20; seed++) {
            Episode episode = Episode.play(lander, seed, o -> Action.of(0));

            assertThat(episode.last().terminated()).isTrue();
            assertThat(episode.last().reward()).isEqualTo(-100);
            // From 10 m above the pad, thrown by up to 4 m/s: gravity alone decides when.
            assertThat(episode.steps()).isBetween(45, 130);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void isLostBeyondASide(int side) {
        LunarLander lander = create(true);
        for (int seed = 0; seed < 5; seed++) {
            Episode episode = Episode.play(lander, seed, Pilot.leaves(side));

            assertThat(episode.last().terminated()).isTrue();
            assertThat(episode.last().reward()).isEqualTo(-100);
            assertThat(side * episode.last().observation()[0]).isBetween(1f, 1.1f);
        }
    }

    @Test
    void landsOnBothLegsAndComesToRest() {
        LunarLander lander = create(true);
        int landed = 0;
        double sum = 0;
        for (int seed = 0; seed < 20; seed++) {
            Episode episode = Episode.play(lander, seed, Pilot::lands);
            sum += episode.result();
            if (episode.last().reward() == 100) {
                landed++;
                float[] observation = episode.last().observation();
                assertThat(episode.last().terminated()).isTrue();
                assertThat(Arrays.copyOfRange(observation, 6, 8)).containsExactly(1, 1);
                assertThat(Math.abs(observation[4])).isLessThan(0.5f);
            }
        }

        assertThat(landed).isGreaterThanOrEqualTo(17);
        assertThat(sum / 20).isGreaterThan(200);
    }

    @Test
    void rewardsAreWhatStepsAddToThePotential() {
        LunarLander lander = create(false);
        RandomStream random = new RandomStream(3);
        for (int seed = 0; seed < 5; seed++) {
            double before = potential(lander.reset(seed));
            Step step;
            do {
                int action = random.nextInt(4);
                step = lander.step(Action.of(action));
                double after = potential(step.observation());
                if (!step.terminated()) {
                    double fuel = action == 0 ? 0 : action == 2 ? 0.3 : 0.03;
                    assertThat(step.reward()).isCloseTo(after - before - fuel, within(1e-3));
                }
                before = after;
            } while (!step.terminated());
        }
    }

    private static double potential(float[] o) {
        return -100 * Math.hypot(o[0], o[1])
                - 100 * Math.hypot(o[2], o[3])
                - 100 * Math.abs(o[4])
                + 10 * o[6]
                + 10 * o[7];
    }

    @Test
    void enginesOfAnyPowerHaveTheirLeast() {
        LunarLander lander = create(true);
        assertThat(fuel(lander, -0.1, 0.5)).isCloseTo(0, within(1e-3));
        assertThat(fuel(lander, 0.2, -0.4)).isCloseTo(0.3 * 0.6, within(1e-3));
        assertThat(fuel(lander, 0, 0.6)).isCloseTo(0.03 * 0.6, within(1e-3));
        assertThat(fuel(lander, 0, -0.6)).isCloseTo(0.03 * 0.6, within(1e-3));
        assertThat(fuel(lander, 5, -5)).isCloseTo(0.33, within(1e-3));
    }

    private static double fuel(LunarLander lander, double thrust, double turn) {
        double before = potential(lander.reset(1));
        Step step = lander.step(powers(thrust, turn));
        return potential(step.observation()) - before - step.reward();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOnFromASavedState(boolean continuous) {
        LunarLander lander = create(continuous);
        LunarLander other = create(continuous);
        RandomStream random = new RandomStream(4);
        for (int seed = 0; seed < 20; seed++) {
            lander.reset(seed);
            for (int i = 0; i < 3 * seed; i++) {
                lander.step(any(continuous, random));
            }
            other.restoreState(lander.saveState());
            Step step;
            do {
                Action action = any(continuous, random);
                step = lander.step(action);
                Step same = other.step(action);
                assertThat(same.observation()).isEqualTo(step.observation());
                assertThat(same.reward()).isEqualTo(step.reward());
                assertThat(same.terminated()).isEqualTo(step.terminated());
            } while (!step.terminated());
        }
    }

    private static Action any(boolean continuous, RandomStream random) {
        return continuous
                ? powers(2 * random.nextDouble() - 1, 2 * random.nextDouble() - 1)
                : Action.of(random.nextInt(4));
    }

    /** However fast it turns and wherever it hits the ground, a step moves it as far as its velocity says, and no hit gives energy. */
    @Test
    void isNeverFlungApart() {
        RandomStream random = new RandomStream(5);
        for (int seed = 0; seed < 500; seed++) {
            LanderPhysics physics = new LanderPhysics(GRAVITY, random);
            physics.step(0, 0, random);
            double main = random.nextInt(2);
            double side = random.nextInt(3) - 1;
            while (!physics.isCrashed() && !physics.isAtRest() && Math.abs(physics.x() - 10) < 10) {
                if (random.nextInt(10) == 0) {
                    main = random.nextInt(2);
                    side = random.nextInt(3) - 1;
                }
                double x = physics.x();
                double y = physics.y();
                double speed = Math.hypot(physics.velocityX(), physics.velocityY());
                physics.step(main, side, random);
                double after = Math.hypot(physics.velocityX(), physics.velocityY());
                double way = Math.hypot(physics.x() - x, physics.y() - y);

                // The origin goes round the centre of mass, half a metre away at most.
                assertThat(way)
                        .isLessThan(
                                (Math.max(speed, after) + 0.5 * Math.abs(physics.angularVelocity()) + 1) / 50 + 0.2);
                assertThat(after).isLessThan(speed + 10);
            }
        }
    }

    @Test
    void turningOverCostsATurn() {
        RandomStream random = new RandomStream(6);
        LanderPhysics physics = new LanderPhysics(0, random);
        double angle = physics.angle();
        for (int i = 0; i < 200; i++) {
            physics.step(0, 1, random);
            assertThat(physics.angle() - angle).isCloseTo(physics.angularVelocity() / 50, within(0.1));
            angle = physics.angle();
        }
        assertThat(angle).isLessThan(-2 * Math.PI);
    }

    @Test
    void observationsStayInTheirSpace() {
        LunarLander lander = create(true);
        lander.reset(1);
        float highest = 0;
        for (int i = 0; i < 300; i++) {
            Step step = lander.step(powers(1, i < 60 ? 0 : 1));
            assertThat(lander.observationSpace().problem(step.observation(), 0)).isNull();
            highest = Math.max(highest, step.observation()[1]);
        }
        assertThat(highest).isEqualTo(2.5f);
    }

    @Test
    void isCutAfterItsMostSteps() {
        LunarLander lander = new LunarLander("lander", false, GRAVITY, 3);
        lander.reset(1);
        assertThat(lander.step(Action.of(0)).truncated()).isFalse();
        assertThat(lander.step(Action.of(0)).truncated()).isFalse();
        assertThat(lander.step(Action.of(0)).truncated()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 10})
    void stateOfAnotherLengthIsRefused(int length) {
        LunarLander lander = create(false);
        assertThatThrownBy(() -> lander.restoreState(new byte[length]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lander");
    }
}
