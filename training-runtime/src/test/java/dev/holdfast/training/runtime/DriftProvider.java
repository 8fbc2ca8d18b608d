package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import java.util.List;
import java.util.Map;

/** {@code Drift-v0}, with parameters that make it fail. */
public final class DriftProvider implements EnvironmentProvider {
    @Override
    public String name() {
        return "Drift-v0";
    }

    @Override
    public String description() {
        return "Keep a drifting point near 0.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.flag("masked", false, "Mask pushing outwards."),
                Parameter.flag("restorable", true, "Save and restore its state."),
                Parameter.integer("fail_at", 0, 0, 1_000_000, "The step at which an environment fails; 0 for never."),
                Parameter.choice(
                        "failure",
                        List.of("exception", "nan_reward", "nan_observation", "empty_mask"),
                        "How it fails."));
    }

    @Override
    public List<String> problems() {
        return List.of("one", "two", "three", "four");
    }

    @Override
    public List<String> stages() {
        return List.of("first", "second");
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "small",
                "for tests",
                Map.of(
                        "rollout_steps",
                        "32",
                        "batch_size",
                        "32",
                        "n_epochs",
                        "2",
                        "net_arch",
                        "8",
                        "timesteps",
                        "640")));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        int failAt = options.integer("fail_at");
        String failure = options.text("failure");
        return new DriftEnvironment(
                options.flag("masked") || failure.equals("empty_mask"), options.flag("restorable")) {
            private int taken;

            @Override
            public Step step(Action action) {
                Step step = super.step(action);
                if (++taken != failAt) {
                    return step;
                }
                return switch (failure) {
                    case "exception" -> throw new IllegalStateException("the drift has run dry");
                    case "nan_reward" -> new Step(step.observation(), Double.NaN, false, false);
                    case "nan_observation" -> new Step(new float[] {Float.NaN, 0}, 0, false, false);
                    default -> step;
                };
            }

            @Override
            public boolean[] actionMask() {
                return taken == failAt && failure.equals("empty_mask") && failAt > 0
                        ? new boolean[3]
                        : super.actionMask();
            }
        };
    }
}
