package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * An environment whose step takes as many microseconds of a processor's time as the action says. Not of the clock's: then it would be
 * done sooner if it had to wait for a processor, and environments would cost nothing where there are more of them than processors.
 */
final class BusyEnvironment implements Environment {
    private static final double MAX_MICROSECONDS = 1e6;
    private static final int OBSERVATIONS = 4;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    @Override
    public Space observationSpace() {
        return Box.unbounded(OBSERVATIONS);
    }

    @Override
    public Space actionSpace() {
        return Box.of(0, (float) MAX_MICROSECONDS, 1);
    }

    @Override
    public float[] reset(long seed) {
        return new float[OBSERVATIONS];
    }

    @Override
    public Step step(Action action) {
        long nanos = (long) (1e3 * action.value(0));
        if (nanos > 0) {
            long end = threads.getCurrentThreadCpuTime() + nanos;
            while (threads.getCurrentThreadCpuTime() < end) {
                // To ask is the work.
            }
        }
        return new Step(new float[OBSERVATIONS], 1, false, false);
    }
}
