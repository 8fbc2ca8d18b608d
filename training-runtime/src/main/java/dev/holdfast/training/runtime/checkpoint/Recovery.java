package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From where a run can go on.
 *
 * @param model the archive, which was read and is whole; null if there is none
 * @param checkpoint what it holds; null if there is none
 * @param source {@code resume.json} if the hint named it, {@code scan} if it was found by looking, {@code none} if there is none
 * @param reason why it was written, for example {@code checkpoint}; {@code none} if there is none
 * @param problems one line for each newer file that was there but couldn't be used. If there is no model, a run must not start from
 *     scratch over them unasked
 */
public record Recovery(
        @Nullable Path model, @Nullable Checkpoint checkpoint, String source, String reason, List<String> problems) {
    /** What stands for "nothing" as source and reason. */
    static final String NONE = "none";

    /** Copies. */
    public Recovery {
        problems = List.copyOf(problems);
    }

    /**
     * Returns whether there is a checkpoint to go on from.
     *
     * @return whether {@link #model} is not null
     */
    public boolean canResume() {
        return model != null;
    }

    /**
     * Returns how far the run had come.
     *
     * @return environment steps; 0 if there is no checkpoint
     */
    public long timesteps() {
        return checkpoint == null ? 0 : checkpoint.progress().timesteps();
    }

    /**
     * Returns what other tools read.
     *
     * @return the keys {@code can_resume, model, timesteps, source, reason}
     */
    public Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("can_resume", canResume());
        map.put("model", model == null ? null : model.toString());
        map.put("timesteps", timesteps());
        map.put("source", source);
        map.put("reason", reason);
        return Collections.unmodifiableMap(map);
    }
}
