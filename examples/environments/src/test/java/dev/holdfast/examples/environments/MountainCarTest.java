package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.Action;
import org.junit.jupiter.api.Test;

class MountainCarTest extends DynamicalSystemTest {
    MountainCarTest() {
        super("env_mountaincar", 4, new double[] {-0.6, 0}, new double[] {-0.4, 0});
    }

    @Override
    DynamicalSystem create(int maxSteps) {
        return MountainCar.discrete(0, maxSteps);
    }

    @Test
    void mustReachTheGoalWithTheVelocityAskedFor() {
        assertThat(reaches(MountainCar.discrete(0.02, 200), 0.03)).isTrue();
        assertThat(reaches(MountainCar.discrete(0.04, 200), 0.03)).isFalse();
    }

    private static boolean reaches(MountainCar car, double velocity) {
        car.state[0] = 0.49;
        car.state[1] = velocity;
        return car.step(Action.of(1)).terminated();
    }
}
