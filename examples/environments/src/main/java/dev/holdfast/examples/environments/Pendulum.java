package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;

/**
 * A rod that turns about one of its ends, with a motor too weak to lift it at once: a torque in ±2 N m, twenty times a second. Each
 * step costs the square of the angle from upright, a tenth of that of the velocity, and a thousandth of that of the torque. An
 * episode is only ever truncated.
 *
 * <p>The dynamics are those of {@code Pendulum-v1} of Gymnasium: a rod of 1 m and 1 kg, by the semi-implicit Euler method.
 *
 * <p>The state is the angle (rad, unbounded) and the angular velocity (rad/s, limited to ±8), uniform in ±π and ±1 at the start.
 * Observed are the angle's cosine and sine, and the velocity.
 */
final class Pendulum extends DynamicalSystem {
    private static final double MASS = 1.0;
    private static final double LENGTH = 1.0;
    private static final double SECONDS_PER_STEP = 0.05;
    private static final float MAX_VELOCITY = 8;
    private static final float MAX_TORQUE = 2;

    private final double gravity;

    Pendulum(double gravity, int maxSteps) {
        super(
                PendulumProvider.NAME,
                2,
                new Box(new int[] {3}, new float[] {-1, -1, -MAX_VELOCITY}, new float[] {1, 1, MAX_VELOCITY}),
                Box.of(-MAX_TORQUE, MAX_TORQUE, 1),
                maxSteps);
        this.gravity = gravity;
    }

    @Override
    void start(RandomStream random) {
        state[0] = uniform(random, -Math.PI, Math.PI);
        state[1] = uniform(random, -1, 1);
    }

    @Override
    double move(Action action) {
        double torque = clip(action.value(0), -MAX_TORQUE, MAX_TORQUE);
        double fromUpright = wrap(state[0]);
        double cost = fromUpright * fromUpright + 0.1 * (state[1] * state[1]) + 0.001 * (torque * torque);
        double acceleration =
                3 * gravity / (2 * LENGTH) * StrictMath.sin(state[0]) + 3.0 / (MASS * LENGTH * LENGTH) * torque;
        state[1] = clip(state[1] + acceleration * SECONDS_PER_STEP, -MAX_VELOCITY, MAX_VELOCITY);
        state[0] += state[1] * SECONDS_PER_STEP;
        return -cost;
    }

    private static double wrap(double angle) {
        double shifted = angle + Math.PI;
        return shifted - 2 * Math.PI * Math.floor(shifted / (2 * Math.PI)) - Math.PI;
    }

    @Override
    boolean terminal() {
        return false;
    }

    @Override
    float[] observation() {
        return new float[] {(float) StrictMath.cos(state[0]), (float) StrictMath.sin(state[0]), (float) state[1]};
    }
}
