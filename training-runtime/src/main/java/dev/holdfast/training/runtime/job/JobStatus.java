package dev.holdfast.training.runtime.job;

import java.util.Locale;

/** Where a job stands. */
enum JobStatus {
    CREATED,
    RUNNING,
    PAUSED,
    STOPPING,
    /** Ended because it was asked to, or was killed since it didn't. */
    STOPPED,
    /** Ended by itself, as planned. */
    EXITED,
    FAILED;

    boolean isTerminal() {
        return this == STOPPED || this == EXITED || this == FAILED;
    }

    /** The name in snapshots. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
