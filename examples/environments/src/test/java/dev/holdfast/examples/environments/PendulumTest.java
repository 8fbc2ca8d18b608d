package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.environment.Action;
import org.junit.jupiter.api.Test;

class PendulumTest extends DynamicalSystemTest {
    PendulumTest() {
        super("env_pendulum", 3, new double[] {-Math.PI, -1}, new double[] {Math.PI, 1});
    }

    @Override
    DynamicalSystem create(int maxSteps) {
        return new Pendulum(10, maxSteps);
    }

    /** Level and at rest, gravity g turns a rod of length 1 at 3g/2: within one step of 1/20 s, to a velocity of 3g/40. */
    @Test
    void gravityIsAParameter() {
        for (double gravity : new double[] {0, 4, 10}) {
            Pendulum pendulum = new Pendulum(gravity, 200);
            pendulum.state[0] = Math.PI / 2;
            pendulum.step(Action.wrap(new float[] {0}));
            assertThat(pendulum.state[1]).isCloseTo(3 * gravity / 40, within(1e-15));
            assertThat(pendulum.state[0]).isCloseTo(Math.PI / 2 + 3 * gravity / 800, within(1e-15));
        }
    }
}
