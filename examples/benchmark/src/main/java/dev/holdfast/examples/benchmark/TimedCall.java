package dev.holdfast.examples.benchmark;

import java.util.Collection;

/** A call that is repeated, first to warm up and then to be timed. */
final class TimedCall {
    private static final int WARMUP_ROUNDS = 4;
    private static final int MAX_WARMUP_ROUNDS = 12;

    private final Runnable call;
    private final double sampleSeconds;
    /** How many calls make a sample. */
    private long calls = 1;

    private double callSeconds = Double.POSITIVE_INFINITY;

    /**
     * Does nothing yet.
     *
     * @param sampleSeconds how long a sample takes at least
     */
    TimedCall(Runnable call, double sampleSeconds) {
        this.call = call;
        this.sampleSeconds = sampleSeconds;
    }

    /** All take turns until none becomes faster: then none finds code that is still to be compiled. */
    static void warmUp(Collection<TimedCall> all, double seconds) {
        double turn = seconds / WARMUP_ROUNDS / all.size();
        boolean stable = false;
        for (int round = 0; round < WARMUP_ROUNDS || (!stable && round < MAX_WARMUP_ROUNDS); round++) {
            stable = true;
            for (TimedCall each : all) {
                stable &= !each.becameFaster(turn);
            }
        }
    }

    /** Calls for some time; tells whether that was faster than before. */
    private boolean becameFaster(double turnSeconds) {
        double before = callSeconds;
        double spent = 0;
        do {
            double seconds = seconds();
            spent += seconds;
            callSeconds = seconds / calls;
            if (seconds < sampleSeconds) {
                calls *= 2;
            }
        } while (spent < turnSeconds);
        return callSeconds < 0.9 * before;
    }

    /** Takes a sample: the mean time of a call, in microseconds. */
    double microseconds() {
        return seconds() * 1e6 / calls;
    }

    private double seconds() {
        long start = System.nanoTime();
        for (long i = 0; i < calls; i++) {
            call.run();
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
