package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.ConfigField.OnResume;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a checkpoint keeps of a run's configuration, and what a resumed run's configuration becomes. */
final class ResumedConfig {
    private static final Logger LOG = LoggerFactory.getLogger(ResumedConfig.class);

    /** Stands for a schedule written in Java, which must be given again. */
    private static final String CUSTOM = "custom";

    private ResumedConfig() {}

    /** The fields that decide what is learned; what may change from one part of a run to the next is left out. */
    static Map<String, String> settings(TrainingConfig config) {
        Map<String, String> settings = new TreeMap<>();
        for (ConfigField<?> field : Fields.ALL) {
            if (isSaved(field)) {
                settings.put(field.key(), config.text(field));
            }
        }
        return settings;
    }

    /**
     * Returns the configuration of a resumed run: what the checkpoint holds, the new values of fields that may change, and the
     * earlier values of those that weren't given anew.
     *
     * @param earlier what {@code config.json} says; may lack anything
     * @throws InvalidConfigurationException if a field that must stay the same was given another value
     */
    static TrainingConfig merge(TrainingConfig given, Map<String, String> earlier, Checkpoint checkpoint) {
        TrainingConfig.Builder merged = TrainingConfig.builder();
        // The plan decides schedules, so the default won't do for it.
        merged.set(Fields.TIMESTEPS, checkpoint.progress().totalTimesteps());
        Map<String, String> saved = checkpoint.settings();
        for (ConfigField<?> field : Fields.ALL) {
            String before = isSaved(field) ? saved.get(field.key()) : earlier.get(field.key());
            if (before != null && isSaved(field) && given.isGiven(field)) {
                compare(field, given.text(field), before);
            }
            if (given.isGiven(field) && (!isSaved(field) || CUSTOM.equals(before))) {
                copy(field, given, merged);
            } else if (before != null && field.onResume() != OnResume.NEVER_KEPT && !isAbsentPath(field, before)) {
                keep(field, before, merged);
            }
        }
        return merged.build();
    }

    private static void keep(ConfigField<?> field, String before, TrainingConfig.Builder merged) {
        try {
            merged.text(field.key(), before);
        } catch (InvalidConfigurationException e) {
            throw new InvalidConfigurationException(
                    (isSaved(field) ? "checkpoint" : "config.json") + " of the resumed run: " + e.getMessage());
        }
    }

    /** Whether a checkpoint holds the field's value. */
    private static boolean isSaved(ConfigField<?> field) {
        return field.onResume() == OnResume.CHECKPOINT_HOLDS || field.onResume() == OnResume.MUST_BE_SAME;
    }

    private static boolean isAbsentPath(ConfigField<?> field, String text) {
        return field.kind() == ConfigField.Kind.PATH && text.isEmpty();
    }

    private static <T> void copy(ConfigField<T> field, TrainingConfig from, TrainingConfig.Builder to) {
        to.set(field, from.get(field));
    }

    private static void compare(ConfigField<?> field, String now, String before) {
        if (now.equals(before) || before.equals(CUSTOM)) {
            return;
        }
        if (field.onResume() == OnResume.MUST_BE_SAME) {
            throw new InvalidConfigurationException(field.key() + " must be the resumed run's '" + before
                    + "', but was '" + now + "'; leave " + field.flag() + " out, or start a new run with --init");
        }
        LOG.warn(
                "{} stays at the resumed run's {}; {} is ignored (start a new run with --init to change it)",
                field.key(),
                before,
                now);
    }
}
