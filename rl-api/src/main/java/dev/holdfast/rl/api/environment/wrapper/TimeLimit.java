package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import java.nio.ByteBuffer;

/** Truncates episodes after a number of steps. */
final class TimeLimit extends EnvironmentWrapper {
    private final int limit;
    private int steps;

    TimeLimit(Environment environment, int limit) {
        super(environment);
        this.limit = Require.atLeast(limit, 1, "timeLimit steps");
    }

    @Override
    public float[] reset(long seed) {
        steps = 0;
        return super.reset(seed);
    }

    @Override
    public Step step(Action action) {
        Step step = super.step(action);
        steps++;
        return steps < limit || step.done() ? step : new Step(step.observation(), step.reward(), false, true);
    }

    @Override
    protected byte[] saveOwnState() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(steps).array();
    }

    @Override
    protected void restoreOwnState(byte[] state) {
        steps = requireLength(state, Integer.BYTES).getInt();
    }
}
