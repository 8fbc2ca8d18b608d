package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Shows the last observations together. */
final class FrameStack extends EnvironmentWrapper {
    private final Space space;
    /** How many floats one observation has. */
    private final int size;
    /** The last observations in a row, the oldest first. */
    private final float[] stack;

    FrameStack(Environment environment, int frames) {
        super(environment);
        Require.atLeast(frames, 1, "frameStack frames");
        Space one = environment.observationSpace();
        size = one.size();
        space = stacked(one, frames);
        stack = new float[frames * size];
    }

    private static Space stacked(Space one, int frames) {
        if (one instanceof Box box) {
            int[] shape = new int[box.shape().length + 1];
            shape[0] = frames;
            System.arraycopy(box.shape(), 0, shape, 1, shape.length - 1);
            return new Box(shape, repeated(box.low(), frames), repeated(box.high(), frames));
        } else if (one instanceof Discrete discrete) {
            int[] branches = new int[frames];
            Arrays.fill(branches, discrete.n());
            return new MultiDiscrete(branches);
        } else if (one instanceof MultiDiscrete multi) {
            int[] branches = new int[frames * multi.size()];
            for (int i = 0; i < branches.length; i++) {
                branches[i] = multi.branches()[i % multi.size()];
            }
            return new MultiDiscrete(branches);
        } else if (one instanceof MultiBinary bits) {
            return new MultiBinary(frames * bits.n());
        }
        throw new InvalidConfigurationException("frameStack can't stack observations of " + one);
    }

    private static float[] repeated(float[] values, int times) {
        float[] all = new float[times * values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = values[i % values.length];
        }
        return all;
    }

    @Override
    public Space observationSpace() {
        return space;
    }

    @Override
    public float[] reset(long seed) {
        float[] first = super.reset(seed);
        for (int start = 0; start < stack.length; start += size) {
            push(first);
        }
        return stack.clone();
    }

    @Override
    public Step step(Action action) {
        Step step = super.step(action);
        push(step.observation());
        return new Step(stack.clone(), step.reward(), step.terminated(), step.truncated());
    }

    private void push(float[] observation) {
        if (observation.length != size) {
            throw new IllegalStateException(
                    "an observation must have " + size + " elements, but had " + observation.length);
        }
        System.arraycopy(stack, size, stack, 0, stack.length - size);
        System.arraycopy(observation, 0, stack, stack.length - size, size);
    }

    @Override
    protected byte[] saveOwnState() {
        ByteBuffer state = ByteBuffer.allocate(stack.length * Float.BYTES);
        state.asFloatBuffer().put(stack);
        return state.array();
    }

    @Override
    protected void restoreOwnState(byte[] state) {
        requireLength(state, stack.length * Float.BYTES).asFloatBuffer().get(stack);
    }
}
