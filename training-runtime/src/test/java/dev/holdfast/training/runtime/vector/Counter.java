package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import org.jspecify.annotations.Nullable;

/** Counts up from its seed's last digit; ends at 10, is cut after 4 steps. Action 1 counts double. */
class Counter implements Environment {
    int value;
    int steps;
    boolean closed;

    @Override
    public Space observationSpace() {
        return Box.of(0, 20, 1);
    }

    @Override
    public Space actionSpace() {
        return new Discrete(2);
    }

    @Override
    public float[] reset(long seed) {
        value = (int) Math.floorMod(seed, 9L);
        steps = 0;
        return new float[] {value};
    }

    @Override
    public Step step(Action action) {
        value += 1 + action.index();
        steps++;
        return new Step(new float[] {value}, value, value >= 10, steps == 4);
    }

    @Override
    public byte @Nullable [] saveState() {
        return new byte[] {(byte) value, (byte) steps};
    }

    @Override
    public void restoreState(byte[] state) {
        value = state[0];
        steps = state[1];
    }

    @Override
    public void close() {
        closed = true;
    }
}
