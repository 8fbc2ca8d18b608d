package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;

/**
 * A pole on a cart that is pushed left (0) or right (1) with 10 N fifty times a second. Each step pays 1; the episode terminates
 * when the cart is more than 2.4 m from the middle or the pole more than 12° from upright, and is truncated after a number of steps.
 *
 * <p>The dynamics are those of {@code CartPole-v1} of Gymnasium: equations of Barto, Sutton and Anderson (<em>Neuronlike adaptive
 * elements that can solve difficult learning control problems</em>, 1983) as corrected by Florian (<em>Correct equations for the
 * dynamics of the cart-pole system</em>, 2005), without friction, by Euler's method in double precision.
 *
 * <p>The observation is cart position (m), cart velocity (m/s), pole angle (rad) and angular velocity (rad/s), each uniform in
 * ±0.05 at the start.
 *
 * <p>A saved state, big-endian:
 * <pre>
 *   byte  0        8        16       24                32      36
 *         | double | double | double | double          | int   |
 *         | x      | x'     | theta  | theta'          | steps |
 * </pre>
 */
final class CartPole implements Environment {
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
    private static final int STATE_BYTES = 4 * Double.BYTES + Integer.BYTES;

    private final int maxSteps;
    private final Box observationSpace;
    private final Discrete actionSpace = new Discrete(2);
    private double position;
    private double velocity;
    private double angle;
    private double angularVelocity;
    private int steps;

    CartPole(int maxSteps) {
        this.maxSteps = maxSteps;
        // Twice the limits, so that the observation that ends an episode is inside too.
        float[] high = {
            (float) (2 * MAX_POSITION), Float.POSITIVE_INFINITY, (float) (2 * MAX_ANGLE), Float.POSITIVE_INFINITY
        };
        float[] low = {-high[0], -high[1], -high[2], -high[3]};
        observationSpace = new Box(new int[] {4}, low, high);
    }

    @Override
    public Space observationSpace() {
        return observationSpace;
    }

    @Override
    public Space actionSpace() {
        return actionSpace;
    }

    @Override
    public float[] reset(long seed) {
        RandomStream random = new RandomStream(seed);
        position = initial(random);
        velocity = initial(random);
        angle = initial(random);
        angularVelocity = initial(random);
        steps = 0;
        return observation();
    }

    private static double initial(RandomStream random) {
        return 0.1 * random.nextDouble() - 0.05;
    }

    @Override
    public Step step(Action action) {
        double force = action.index() == 1 ? FORCE : -FORCE;
        // StrictMath: the same trajectory on every machine.
        double cos = StrictMath.cos(angle);
        double sin = StrictMath.sin(angle);
        double common = (force + POLE_MASS_LENGTH * (angularVelocity * angularVelocity) * sin) / TOTAL_MASS;
        double angularAcceleration =
                (GRAVITY * sin - cos * common) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
        double acceleration = common - POLE_MASS_LENGTH * angularAcceleration * cos / TOTAL_MASS;

        position += SECONDS_PER_STEP * velocity;
        velocity += SECONDS_PER_STEP * acceleration;
        angle += SECONDS_PER_STEP * angularVelocity;
        angularVelocity += SECONDS_PER_STEP * angularAcceleration;
        steps++;

        boolean fallen = Math.abs(position) > MAX_POSITION || Math.abs(angle) > MAX_ANGLE;
        return new Step(observation(), 1, fallen, steps >= maxSteps);
    }

    private float[] observation() {
        return new float[] {(float) position, (float) velocity, (float) angle, (float) angularVelocity};
    }

    @Override
    public byte[] saveState() {
        return ByteBuffer.allocate(STATE_BYTES)
                .putDouble(position)
                .putDouble(velocity)
                .putDouble(angle)
                .putDouble(angularVelocity)
                .putInt(steps)
                .array();
    }

    @Override
    public void restoreState(byte[] state) {
        SavedState.requireLength(state, STATE_BYTES, CartPoleProvider.NAME);
        ByteBuffer buffer = ByteBuffer.wrap(state);
        position = buffer.getDouble();
        velocity = buffer.getDouble();
        angle = buffer.getDouble();
        angularVelocity = buffer.getDouble();
        steps = buffer.getInt();
    }
}
