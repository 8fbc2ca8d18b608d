package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;

/**
 * A task whose state is a few real numbers, in double precision. An episode is truncated after a number of steps.
 *
 * <p>A saved state, big-endian:
 * <pre>
 *   byte  0                  8n      8n + 4
 *         | double[n]        | int   |
 *         | the system state | steps |
 * </pre>
 */
abstract class DynamicalSystem implements Environment {
    /** The state, which a subclass changes. */
    final double[] state;

    private final String name;
    private final Box observationSpace;
    private final Space actionSpace;
    private final int maxSteps;
    private int steps;

    DynamicalSystem(String name, int variables, Box observationSpace, Space actionSpace, int maxSteps) {
        this.name = name;
        this.observationSpace = observationSpace;
        this.actionSpace = actionSpace;
        this.maxSteps = maxSteps;
        state = new double[variables];
    }

    /** Draws the first state of an episode. */
    abstract void start(RandomStream random);

    /** Moves the state on by one step and returns the reward. */
    abstract double move(Action action);

    /** Returns whether the state ends an episode. */
    abstract boolean terminal();

    /** Returns what is observed of the state: all of it. */
    float[] observation() {
        float[] observation = new float[state.length];
        for (int i = 0; i < observation.length; i++) {
            observation[i] = (float) state[i];
        }
        return observation;
    }

    static double uniform(RandomStream random, double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    static double clip(double value, double low, double high) {
        return Math.min(Math.max(value, low), high);
    }

    @Override
    public final Space observationSpace() {
        return observationSpace;
    }

    @Override
    public final Space actionSpace() {
        return actionSpace;
    }

    @Override
    public final float[] reset(long seed) {
        start(new RandomStream(seed));
        steps = 0;
        return observation();
    }

    @Override
    public final Step step(Action action) {
        double reward = move(action);
        steps++;
        return new Step(observation(), reward, terminal(), steps >= maxSteps);
    }

    @Override
    public final byte[] saveState() {
        ByteBuffer buffer = ByteBuffer.allocate(stateBytes());
        for (double variable : state) {
            buffer.putDouble(variable);
        }
        return buffer.putInt(steps).array();
    }

    @Override
    public final void restoreState(byte[] saved) {
        SavedState.requireLength(saved, stateBytes(), name);
        ByteBuffer buffer = ByteBuffer.wrap(saved);
        for (int i = 0; i < state.length; i++) {
            state[i] = buffer.getDouble();
        }
        steps = buffer.getInt();
    }

    private int stateBytes() {
        return state.length * Double.BYTES + Integer.BYTES;
    }
}
