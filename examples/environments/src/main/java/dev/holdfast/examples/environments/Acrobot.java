package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;

/**
 * Two links hang from a fixed point, and only the joint between them has a motor: torque -1 (0), 0 (1) or 1 N m (2), five times a
 * second. The free end is to swing above one link's length over the fixed point, which terminates the episode; each step before
 * that one pays -1, and that one 0.
 *
 * <p>The dynamics are those of {@code Acrobot-v1} of Gymnasium: the equations of Sutton and Barto's <em>Reinforcement Learning: An
 * Introduction</em> (first edition, section 11.3), one Runge-Kutta step of fourth order each.
 *
 * <p>The state is the angle of the first link from hanging, that of the second from the first (rad, both in ±π), and their
 * velocities (rad/s, limited to ±4π and ±9π), each uniform in ±0.1 at the start. Observed are the cosine and the sine of either
 * angle, and the velocities.
 */
final class Acrobot extends DynamicalSystem {
    /** Of either link; its centre of mass is in the middle. */
    private static final double LENGTH = 1.0;

    private static final double MASS = 1.0;
    private static final double CENTER = 0.5;
    private static final double INERTIA = 1.0;
    private static final double GRAVITY = 9.8;
    private static final double SECONDS_PER_STEP = 0.2;
    private static final double MAX_VELOCITY_1 = 4 * Math.PI;
    private static final double MAX_VELOCITY_2 = 9 * Math.PI;

    Acrobot(int maxSteps) {
        super(AcrobotProvider.NAME, 4, observed(), new Discrete(3), maxSteps);
    }

    private static Box observed() {
        float[] high = {1, 1, 1, 1, (float) MAX_VELOCITY_1, (float) MAX_VELOCITY_2};
        float[] low = {-1, -1, -1, -1, -high[4], -high[5]};
        return new Box(new int[] {6}, low, high);
    }

    @Override
    void start(RandomStream random) {
        for (int i = 0; i < 4; i++) {
            state[i] = uniform(random, -0.1, 0.1);
        }
    }

    @Override
    double move(Action action) {
        double torque = action.index() - 1.0;
        double[] k1 = derivative(state, torque);
        double[] k2 = derivative(ahead(k1, SECONDS_PER_STEP / 2), torque);
        double[] k3 = derivative(ahead(k2, SECONDS_PER_STEP / 2), torque);
        double[] k4 = derivative(ahead(k3, SECONDS_PER_STEP), torque);
        for (int i = 0; i < 4; i++) {
            state[i] += SECONDS_PER_STEP / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
        state[0] = wrap(state[0]);
        state[1] = wrap(state[1]);
        state[2] = clip(state[2], -MAX_VELOCITY_1, MAX_VELOCITY_1);
        state[3] = clip(state[3], -MAX_VELOCITY_2, MAX_VELOCITY_2);
        return terminal() ? 0 : -1;
    }

    private double[] ahead(double[] derivative, double seconds) {
        double[] ahead = new double[4];
        for (int i = 0; i < 4; i++) {
            ahead[i] = state[i] + seconds * derivative[i];
        }
        return ahead;
    }

    /** Returns the velocities and accelerations of a state. */
    private static double[] derivative(double[] state, double torque) {
        double velocity1 = state[2];
        double velocity2 = state[3];
        double cos = StrictMath.cos(state[1]);
        double sin = StrictMath.sin(state[1]);
        double d1 = MASS * CENTER * CENTER
                + MASS * (LENGTH * LENGTH + CENTER * CENTER + 2 * LENGTH * CENTER * cos)
                + INERTIA
                + INERTIA;
        double d2 = MASS * (CENTER * CENTER + LENGTH * CENTER * cos) + INERTIA;
        double phi2 = MASS * CENTER * GRAVITY * StrictMath.cos(state[0] + state[1] - Math.PI / 2);
        double phi1 = -MASS * LENGTH * CENTER * (velocity2 * velocity2) * sin
                - 2 * MASS * LENGTH * CENTER * velocity2 * velocity1 * sin
                + (MASS * CENTER + MASS * LENGTH) * GRAVITY * StrictMath.cos(state[0] - Math.PI / 2)
                + phi2;
        double acceleration2 = (torque + d2 / d1 * phi1 - MASS * LENGTH * CENTER * (velocity1 * velocity1) * sin - phi2)
                / (MASS * CENTER * CENTER + INERTIA - d2 * d2 / d1);
        double acceleration1 = -(d2 * acceleration2 + phi1) / d1;
        return new double[] {velocity1, velocity2, acceleration1, acceleration2};
    }

    private static double wrap(double angle) {
        double wrapped = angle;
        while (wrapped > Math.PI) {
            wrapped -= 2 * Math.PI;
        }
        while (wrapped < -Math.PI) {
            wrapped += 2 * Math.PI;
        }
        return wrapped;
    }

    @Override
    boolean terminal() {
        return -StrictMath.cos(state[0]) - StrictMath.cos(state[1] + state[0]) > 1;
    }

    @Override
    float[] observation() {
        return new float[] {
            (float) StrictMath.cos(state[0]),
            (float) StrictMath.sin(state[0]),
            (float) StrictMath.cos(state[1]),
            (float) StrictMath.sin(state[1]),
            (float) state[2],
            (float) state[3]
        };
    }
}
