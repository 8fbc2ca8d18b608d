package dev.holdfast.training.runtime.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a run, for whoever watches it from outside.
 *
 * @param event its name: {@code paused}, {@code resumed}, {@code stop_requested}, {@code worker_replaced}, {@code saved_after_stop}
 *     or {@code metadata}
 * @param details more about it, in this order: texts, numbers, booleans, null, and lists and maps of these; no {@code event}
 */
public record RunEvent(String event, Map<String, ? extends @Nullable Object> details) {
    /**
     * Copies the details.
     *
     * @throws IllegalArgumentException if one of them is called {@code event}, as the name of the event is
     */
    public RunEvent {
        if (details.containsKey("event")) {
            throw new IllegalArgumentException("the details of " + event + " must not have the key event");
        }
        details = Collections.unmodifiableMap(new LinkedHashMap<String, @Nullable Object>(details));
    }

    /**
     * The run stands still until it is told to go on.
     *
     * @param timesteps the timesteps taken so far
     * @return the event
     */
    public static RunEvent paused(long timesteps) {
        return new RunEvent("paused", Map.of("timesteps", timesteps));
    }

    /**
     * The run goes on after a pause.
     *
     * @param timesteps the timesteps taken so far
     * @return the event
     */
    public static RunEvent resumed(long timesteps) {
        return new RunEvent("resumed", Map.of("timesteps", timesteps));
    }

    /**
     * The run was asked to save and return.
     *
     * @param signal the signal's name, or {@code control_file}
     * @return the event
     */
    public static RunEvent stopRequested(String signal) {
        return new RunEvent("stop_requested", Map.of("signal", signal));
    }

    /**
     * A worker process was lost, and replaced.
     *
     * @param reason which one, and how it was lost
     * @param timesteps the timesteps taken so far
     * @return the event
     */
    public static RunEvent workerReplaced(String reason, long timesteps) {
        return new RunEvent("worker_replaced", Map.of("reason", reason, "timesteps", timesteps));
    }

    /**
     * The run was saved because it was asked to stop.
     *
     * @param details what was saved, and where
     * @return the event
     */
    public static RunEvent savedAfterStop(Map<String, ? extends @Nullable Object> details) {
        return new RunEvent("saved_after_stop", details);
    }

    /**
     * The closing account of a run: what is also written beside the model.
     *
     * @param details the account
     * @return the event
     */
    public static RunEvent metadata(Map<String, ? extends @Nullable Object> details) {
        return new RunEvent("metadata", details);
    }
}
