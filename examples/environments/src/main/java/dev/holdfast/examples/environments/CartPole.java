package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;

/**
 * A pole on a cart that is pushed left (0) or right (1) with 10 N fifty times a second. Each step pays 1; the episode terminates
 * when the cart is more than 2.4 m from the middle or the pole more than 12° from upright, and is truncated after a number of steps.
 *
 * <p>The dynamics are those of {@code CartPole-v1} of Gymnasium: equations of Barto, Sutton and Anderson (<em>Neuronlike adaptive
 * elements that can solve difficult learning control problems</em>, 1983) as corrected by Florian (<em>Correct equations for the
 * dynamics of the cart-pole system</em>, 2005), without friction, by Euler's method.
 *
 * <p>State and observation are cart position (m), cart velocity (m/s), pole angle (rad) and angular velocity (rad/s), each uniform
 * in ±0.05 at the start.
 */
final class CartPole extends DynamicalSystem {
    private static final double GRAVITY = 9.8;
    private static final double CART_MASS = 1.0;
    private static final double POLE_MASS = 0.1;
    private static final double TOTAL_MASS = CART_MASS + POLE_MASS;
    private static final double HALF_LENGTH = 0.5;
    private static final double POLE_MASS_LENGTH = POLE_MASS * HALF_LENGTH;
    private static final double FORCE = 10.0;
    private static final double SECONDS_PER_STEP = 0.02;
    private static final double MAX_POSITION = 2.4;
    private static final double MAX_ANGLE = 12 * 2 * Math.PI / 360;

    CartPole(int maxSteps) {
        super(CartPoleProvider.NAME, 4, observed(), new Discrete(2), maxSteps);
    }

    private static Box observed() {
        // Twice the limits, so that the observation that ends an episode is inside too.
        float[] high = {
            (float) (2 * MAX_POSITION), Float.POSITIVE_INFINITY, (float) (2 * MAX_ANGLE), Float.POSITIVE_INFINITY
        };
        float[] low = {-high[0], -high[1], -high[2], -high[3]};
        return new Box(new int[] {4}, low, high);
    }

    @Override
    void start(RandomStream random) {
        for (int i = 0; i < 4; i++) {
            state[i] = uniform(random, -0.05, 0.05);
        }
    }

    @Override
    double move(Action action) {
        double force = action.index() == 1 ? FORCE : -FORCE;
        double velocity = state[1];
        double angularVelocity = state[3];
        // StrictMath: the same trajectory on every machine.
        double cos = StrictMath.cos(state[2]);
        double sin = StrictMath.sin(state[2]);
        double common = (force + POLE_MASS_LENGTH * (angularVelocity * angularVelocity) * sin) / TOTAL_MASS;
        double angularAcceleration =
                (GRAVITY * sin - cos * common) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
        double acceleration = common - POLE_MASS_LENGTH * angularAcceleration * cos / TOTAL_MASS;

        state[0] += SECONDS_PER_STEP * velocity;
        state[1] += SECONDS_PER_STEP * acceleration;
        state[2] += SECONDS_PER_STEP * angularVelocity;
        state[3] += SECONDS_PER_STEP * angularAcceleration;
        return 1;
    }

    @Override
    boolean terminal() {
        return Math.abs(state[0]) > MAX_POSITION || Math.abs(state[2]) > MAX_ANGLE;
    }
}
