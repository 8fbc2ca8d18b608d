package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.policy.Policy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run ended with.
 *
 * @param model where the model was saved
 * @param timesteps environment steps taken, counted over all runs that led here
 * @param stoppedBy who asked for a stop before the planned end: a signal's name, {@code control_file} …; null if nobody did
 * @param evaluation the evaluation at the end; null if there was none
 * @param policy the trained policy
 * @param workerLosses why worker processes were replaced, in the order of time
 * @param time what the time was spent on
 */
public record TrainingResult(
        Path model,
        long timesteps,
        @Nullable String stoppedBy,
        @Nullable Evaluation evaluation,
        Policy policy,
        List<String> workerLosses,
        Map<Activity, Duration> time) {
    /** Copies. */
    public TrainingResult {
        workerLosses = List.copyOf(workerLosses);
        time = Map.copyOf(time);
    }

    /**
     * Returns whether the run reached its planned end.
     *
     * @return false if it was stopped, and can be resumed
     */
    public boolean isFinished() {
        return stoppedBy == null;
    }
}
