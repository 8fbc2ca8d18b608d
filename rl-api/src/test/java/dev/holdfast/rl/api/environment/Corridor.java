package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;

/**
 * A well-behaved masked environment: walk up and down a corridor in the wind; its walls mask actions. Observes {@code [position / 7,
 * steps / 20]}; actions go back, stay and go ahead; an episode ends at position 7 and is cut after 20 steps.
 */
public class Corridor implements Environment {
    protected final RandomStream random = new RandomStream(0);
    protected int position;
    protected int steps;

    @Override
    public Space observationSpace() {
        return Box.of(0, 1, 2);
    }

    @Override
    public Space actionSpace() {
        return new Discrete(3);
    }

    @Override
    public float[] reset(long seed) {
        random.reseed(seed);
        position = 2 + random.nextInt(3);
        steps = 0;
        return observation();
    }

    protected float[] observation() {
        return new float[] {position / 7f, steps / 20f};
    }

    @Override
    public Step step(Action action) {
        position += action.index() - 1;
        steps++;
        if (random.nextInt(4) == 0) {
            position = Math.max(0, position - 1);
        }
        return new Step(observation(), position - 3, position == 7, steps == 20);
    }

    @Override
    public boolean[] actionMask() {
        return new boolean[] {position > 0, true, true};
    }

    @Override
    public byte[] saveState() {
        ByteBuffer buffer = ByteBuffer.allocate(40);
        for (long part : random.state()) {
            buffer.putLong(part);
        }
        return buffer.putInt(position).putInt(steps).array();
    }

    @Override
    public void restoreState(byte[] state) {
        ByteBuffer buffer = ByteBuffer.wrap(state);
        random.restore(new long[] {buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong()});
        position = buffer.getInt();
        steps = buffer.getInt();
    }
}
