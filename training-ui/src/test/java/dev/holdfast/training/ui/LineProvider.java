package dev.holdfast.training.ui;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
import java.util.Map;

/** {@code Line-v0}: 1 for each step to the right, out of 20; so easy that its curve rises at once. Breaks down at a step if told so. */
public final class LineProvider implements EnvironmentProvider {
    private static final int LENGTH = 20;

    @Override
    public String name() {
        return "Line-v0";
    }

    @Override
    public String description() {
        return "Go to the right.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.integer("breaks_at", 0, 0, 1_000_000, "The step at which it breaks down; 0 for never."));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "a curve that rises",
                Map.of("rollout_steps", "64", "batch_size", "64", "timesteps", "2000000", "learning_rate", "0.001")));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        long breaksAt = options.integer("breaks_at");
        return new Environment() {
            private long total;
            private int steps;

            @Override
            public Space observationSpace() {
                return Box.of(-1, 1, 1);
            }

            @Override
            public Space actionSpace() {
                return new Discrete(2);
            }

            @Override
            public float[] reset(long seed) {
                steps = 0;
                return new float[] {0};
            }

            @Override
            public Step step(Action action) {
                if (++total == breaksAt) {
                    throw new IllegalStateException("the line is broken");
                }
                return new Step(new float[] {0}, action.index(), ++steps == LENGTH, false);
            }
        };
    }
}
