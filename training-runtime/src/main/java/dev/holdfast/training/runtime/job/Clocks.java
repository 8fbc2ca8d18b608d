package dev.holdfast.training.runtime.job;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Tells the time.
 *
 * @param date for what others compare with files and other processes
 * @param nanoTime for how long something takes
 */
record Clocks(Clock date, LongSupplier nanoTime) {
    static final Clocks SYSTEM = new Clocks(Clock.systemUTC(), System::nanoTime);
}
