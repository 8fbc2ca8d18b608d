package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import org.junit.jupiter.api.Test;

class CartPoleTest extends DynamicalSystemTest {
    CartPoleTest() {
        super("env_cartpole", 5, new double[] {-0.05, -0.05, -0.05, -0.05}, new double[] {0.05, 0.05, 0.05, 0.05});
    }

    @Override
    DynamicalSystem create(int maxSteps) {
        return new CartPole(maxSteps);
    }

    @Test
    void eachStepPaysTheLastToo() {
        CartPole cartPole = new CartPole(500);
        cartPole.reset(1);
        Step step;
        do {
            step = cartPole.step(Action.of(1));
            assertThat(step.reward()).isEqualTo(1);
        } while (!step.done());
        assertThat(step.terminated()).isTrue();
    }
}
