package dev.holdfast.training.runtime.control;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stops and pauses a run from outside.
 *
 * <p>A request only sets a flag. The training thread looks at it at every step of the environments, between mini-batches and in
 * evaluation; a run that is asked to stop saves everything and returns normally.
 *
 * <p><em>Threads.</em> Safe for use by any thread, signal handlers too.
 */
public final class RunControl {
    private final AtomicReference<@Nullable String> stop = new AtomicReference<>();
    private volatile boolean paused;

    /**
     * Asks the run to save and return. Only the first request counts.
     *
     * @param source who asks: a signal's name, {@code control_file}, {@code application} …
     * @return false if a stop was requested before
     */
    public boolean requestStop(String source) {
        return stop.compareAndSet(null, source);
    }

    /** Asks the run to stand still, after the environment step or mini-batch in progress. */
    public void pause() {
        paused = true;
    }

    /** Lets a paused run go on. */
    public void resume() {
        paused = false;
    }

    /**
     * Returns who asked for the stop.
     *
     * @return null if nobody did
     */
    public @Nullable String stopSource() {
        return stop.get();
    }

    /**
     * Returns whether a stop was requested.
     *
     * @return whether the run is to save and return
     */
    public boolean isStopRequested() {
        return stop.get() != null;
    }

    /**
     * Returns whether the run is to stand still. A stop ends a pause.
     *
     * @return whether it is paused
     */
    public boolean isPaused() {
        return paused && !isStopRequested();
    }
}
