package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A lander is to come down on a pad, slowly and upright, with little fuel. Rules, rewards, sizes and strengths are those of Gymnasium's
 * {@code LunarLander-v3}, the physics engine is another one: dyn4j instead of Box2D.
 *
 * <p>Observed are: the position from the pad's middle, and the velocity, both across and up; the angle and the angular velocity; and
 * whether the right and the left leg touch the ground, 0 or 1. In the sky the position is in ±1 across and below 1.5 up.
 *
 * <p>The reward of a step is what it adds to a potential: minus 100 times the distance, the speed and the angle, and 10 for each leg
 * that touches; less 0.3 for the main engine and 0.03 for a side engine, at full power. An episode ends with -100 when the lander
 * itself touches the ground or leaves the sky at a side, and with 100 when it has come to rest.
 *
 * <p>A saved state, big-endian; the episode is played again from its seed, since an engine can't be asked for all that it remembers:
 * <pre>
 *   byte  0      8                    8 + 4 · n · steps
 *         | long | float[steps][n]    |
 *         | seed | actions, n numbers each
 * </pre>
 */
final class LunarLander implements Environment {
    private static final double LEG_REWARD = 10;
    private static final double FAR = 100;
    private static final double END = 100;
    private static final double MAIN_ENGINE_COST = 0.3;
    private static final double SIDE_ENGINE_COST = 0.03;
    private static final int INITIAL_STEPS = 128;

    private final String name;
    private final boolean continuous;
    private final double gravity;
    private final int maxSteps;
    private final Box observationSpace;
    private final Space actionSpace;
    private final int numbersAnAction;

    private long seed;
    private RandomStream random = new RandomStream(0);
    private LanderPhysics physics;
    private float[] actions;
    private int steps;
    private double potential;

    /**
     * Creates an environment.
     *
     * @param continuous whether actions are the powers of both kinds of engines, or one of four choices
     * @param gravity in m/s², at most 0
     */
    LunarLander(String name, boolean continuous, double gravity, int maxSteps) {
        this.name = name;
        this.continuous = continuous;
        this.gravity = gravity;
        this.maxSteps = maxSteps;
        float turn = (float) (2 * Math.PI);
        float[] high = {2.5f, 2.5f, 10, 10, turn, 10, 1, 1};
        float[] low = {-2.5f, -2.5f, -10, -10, -turn, -10, 0, 0};
        observationSpace = new Box(new int[] {high.length}, low, high);
        actionSpace = continuous ? Box.of(-1, 1, 2) : new Discrete(4);
        numbersAnAction = continuous ? 2 : 1;
        begin(0);
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
    public float[] reset(long newSeed) {
        begin(newSeed);
        return observation(state());
    }

    private void begin(long newSeed) {
        seed = newSeed;
        random = new RandomStream(seed);
        physics = new LanderPhysics(gravity, random);
        actions = new float[INITIAL_STEPS * numbersAnAction];
        steps = 0;
        physics.step(0, 0, random);
        potential = potential(state());
    }

    @Override
    public Step step(Action action) {
        remember(action);
        double main;
        double side;
        if (continuous) {
            double thrust = DynamicalSystem.clip(action.value(0), -1, 1);
            double turn = DynamicalSystem.clip(action.value(1), -1, 1);
            // The main engine has half of its power at least, those at the sides too.
            main = thrust > 0 ? (thrust + 1) / 2 : 0;
            side = Math.abs(turn) > 0.5 ? turn : 0;
        } else {
            int choice = action.index();
            main = choice == 2 ? 1 : 0;
            side = choice == 1 ? -1 : choice == 3 ? 1 : 0;
        }
        physics.step(main, side, random);

        double[] state = state();
        double before = potential;
        potential = potential(state);
        double reward = potential - before - MAIN_ENGINE_COST * main - SIDE_ENGINE_COST * Math.abs(side);
        boolean lost = physics.isCrashed() || Math.abs(state[0]) >= 1;
        boolean landed = !lost && physics.isAtRest();
        if (lost) {
            reward = -END;
        } else if (landed) {
            reward = END;
        }
        return new Step(observation(state), reward, lost || landed, steps >= maxSteps);
    }

    private void remember(Action action) {
        int at = steps * numbersAnAction;
        if (at == actions.length) {
            actions = Arrays.copyOf(actions, 2 * at);
        }
        for (int i = 0; i < numbersAnAction; i++) {
            actions[at + i] = action.value(i);
        }
        steps++;
    }

    /** Returns what is observed, in double precision and not cut to the space. */
    private double[] state() {
        double half = LanderPhysics.WIDTH / 2;
        double halfHeight = LanderPhysics.HEIGHT / 2;
        return new double[] {
            (physics.x() - half) / half,
            (physics.y() - LanderPhysics.PAD_HEIGHT - LanderPhysics.LEG_DOWN) / halfHeight,
            physics.velocityX() * half / LanderPhysics.STEPS_A_SECOND,
            physics.velocityY() * halfHeight / LanderPhysics.STEPS_A_SECOND,
            physics.angle(),
            20 * physics.angularVelocity() / LanderPhysics.STEPS_A_SECOND,
            physics.rightLegTouches() ? 1 : 0,
            physics.leftLegTouches() ? 1 : 0
        };
    }

    private static double potential(double[] state) {
        double distance = Math.sqrt(state[0] * state[0] + state[1] * state[1]);
        double speed = Math.sqrt(state[2] * state[2] + state[3] * state[3]);
        return -FAR * (distance + speed + Math.abs(state[4])) + LEG_REWARD * (state[6] + state[7]);
    }

    /** Gymnasium doesn't keep to its space; what lies outside is cut here, which only a lander far from landing sees. */
    private float[] observation(double[] state) {
        float[] observation = new float[state.length];
        for (int i = 0; i < state.length; i++) {
            observation[i] = (float) state[i];
        }
        observationSpace.clip(observation, 0);
        return observation;
    }

    @Override
    public byte[] saveState() {
        int numbers = steps * numbersAnAction;
        ByteBuffer buffer =
                ByteBuffer.allocate(Long.BYTES + numbers * Float.BYTES).putLong(seed);
        for (int i = 0; i < numbers; i++) {
            buffer.putFloat(actions[i]);
        }
        return buffer.array();
    }

    @Override
    public void restoreState(byte[] saved) {
        int actionBytes = numbersAnAction * Float.BYTES;
        int played = (saved.length - Long.BYTES) / actionBytes;
        SavedState.requireLength(saved, Long.BYTES + Math.max(0, played) * actionBytes, name);
        ByteBuffer buffer = ByteBuffer.wrap(saved);
        begin(buffer.getLong());
        for (int i = 0; i < played; i++) {
            float[] numbers = new float[numbersAnAction];
            for (int j = 0; j < numbersAnAction; j++) {
                numbers[j] = buffer.getFloat();
            }
            step(Action.wrap(numbers));
        }
    }
}
