package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A point drifts at random on a line and is to be kept near 0 by pushing left, not at all, or right. Ends beyond 1, is cut after 15
 * steps. With masks, pushing further outwards beyond 0.5 is not allowed.
 */
class DriftEnvironment implements Environment {
    private final boolean masked;
    private final boolean restorable;
    private final RandomStream random = new RandomStream(0);
    private double position;
    private int steps;

    DriftEnvironment(boolean masked, boolean restorable) {
        this.masked = masked;
        this.restorable = restorable;
    }

    @Override
    public Space observationSpace() {
        return Box.of(-2, 20, 2);
    }

    @Override
    public Space actionSpace() {
        return new Discrete(3);
    }

    @Override
    public float[] reset(long seed) {
        random.reseed(seed);
        position = random.nextDouble() - 0.5;
        steps = 0;
        return observation();
    }

    @Override
    public Step step(Action action) {
        position += 0.2 * (action.index() - 1) + 0.2 * random.nextGaussian();
        position = Math.min(Math.max(position, -1.9), 1.9);
        steps++;
        boolean out = Math.abs(position) > 1;
        return new Step(observation(), out ? -1 : 1 - Math.abs(position), out, steps == 15);
    }

    private float[] observation() {
        return new float[] {(float) position, steps};
    }

    @Override
    public boolean @Nullable [] actionMask() {
        return masked ? new boolean[] {position >= -0.5, true, position <= 0.5} : null;
    }

    @Override
    public byte @Nullable [] saveState() {
        if (!restorable) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.allocate(44).putDouble(position).putInt(steps);
        for (long word : random.state()) {
            buffer.putLong(word);
        }
        return buffer.array();
    }

    @Override
    public void restoreState(byte[] state) {
        ByteBuffer buffer = ByteBuffer.wrap(state);
        position = buffer.getDouble();
        steps = buffer.getInt();
        random.restore(new long[] {buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong()});
    }
}
