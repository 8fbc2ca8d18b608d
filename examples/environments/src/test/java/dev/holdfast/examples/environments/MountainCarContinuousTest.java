package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import org.junit.jupiter.api.Test;

class MountainCarContinuousTest extends DynamicalSystemTest {
    MountainCarContinuousTest() {
        super("env_mountaincarcontinuous", 4, new double[] {-0.6, 0}, new double[] {-0.4, 0});
    }

    @Override
    DynamicalSystem create(int maxSteps) {
        return MountainCar.continuous(0, maxSteps);
    }

    /** Gymnasium rounds the state to single precision at each step. */
    @Override
    double tolerance() {
        return 1e-6;
    }

    /** At -π/6, the valley's lowest point, the slope is 0, so that the engine alone moves the car. */
    @Test
    void movesAsItsEquationsSay() {
        MountainCar car = MountainCar.continuous(0, 999);
        car.state[0] = -Math.PI / 6;
        car.state[1] = 0;
        Step step = car.step(Action.wrap(new float[] {-0.5f}));
        assertThat(car.state[1]).isCloseTo(-0.5 * 0.0015, within(1e-15));
        assertThat(car.state[0]).isCloseTo(-Math.PI / 6 - 0.00075, within(1e-15));
        assertThat(step.reward()).isCloseTo(-0.1 * 0.25, within(1e-15));

        // At 0 it is as steep as anywhere: -0.0025.
        car.state[0] = 0;
        car.state[1] = 0.01;
        car.step(Action.wrap(new float[] {1}));
        assertThat(car.state[1]).isCloseTo(0.01 + 0.0015 - 0.0025, within(1e-15));

        car.state[0] = 0.44;
        car.state[1] = 0.02;
        step = car.step(Action.wrap(new float[] {1}));
        assertThat(step.terminated()).isTrue();
        assertThat(step.reward()).isCloseTo(100 - 0.1, within(1e-15));
    }
}
