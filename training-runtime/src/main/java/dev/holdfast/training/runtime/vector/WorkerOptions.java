package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.Require;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How environments in processes of their own are run.
 *
 * @param environments environments in each process, at least 1
 * @param timeout how long a worker may take for one step of its environments before it is ended and replaced; see {@link #startTimeout}
 * @param restarts how often a worker may be replaced within {@link #WINDOW}; 0 for never
 * @param jvmOptions options for the workers' JVMs, such as {@code -Xmx512m}
 * @param nanoTime the clock of the timeout and the window
 */
public record WorkerOptions(
        int environments, Duration timeout, int restarts, List<String> jvmOptions, LongSupplier nanoTime) {
    /** The time in which restarts are counted. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Duration START = Duration.ofSeconds(60);

    /** Validates and copies. */
    public WorkerOptions {
        Require.atLeast(environments, 1, "worker_envs");
        Require.that(timeout.toMillis() >= 1, "worker_timeout", "must be at least 0.001 s", timeout);
        Require.atLeast(restarts, 0, "worker_restarts");
        jvmOptions = List.copyOf(jvmOptions);
    }

    /**
     * Returns how long a worker may take to start: the timeout, but never less than 60 seconds. A JVM on a busy machine starts slowly,
     * however fast a step is.
     *
     * @return a duration
     */
    public Duration startTimeout() {
        return timeout.compareTo(START) > 0 ? timeout : START;
    }

    /**
     * Returns the defaults: an environment a process, 60 seconds, 3 restarts.
     *
     * @return options
     */
    public static WorkerOptions defaults() {
        return new WorkerOptions(1, Duration.ofSeconds(60), 3, List.of(), System::nanoTime);
    }
}
