package dev.holdfast.training.runtime.job;

import org.jspecify.annotations.Nullable;

/** A trainer's process. */
interface TrainerProcess {
    long pid();

    /** When it was started, in milliseconds since 1970; with the number, this tells it from all others. 0 if unknown. */
    long startMillis();

    boolean isAlive();

    /** The exit code of a process that has ended; null for one that another process had started. */
    @Nullable Integer exitCode();

    /** Kills it with all that it has started. Throws nothing: what doesn't live any more needs no killing. */
    void killTree();
}
