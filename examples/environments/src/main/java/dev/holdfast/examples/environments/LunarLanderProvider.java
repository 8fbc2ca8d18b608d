package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code LunarLander-v3}. */
public class LunarLanderProvider implements EnvironmentProvider {
    static final String NAME = "LunarLander-v3";

    private static final String GRAVITY = "gravity";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public LunarLanderProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Land on a pad by switching engines on and off: like Gymnasium's LunarLander-v3, returns about -600 to 320";
    }

    /** Returns whether actions are the engines' powers. */
    boolean continuous() {
        return false;
    }

    @Override
    public final List<Parameter> parameters() {
        return List.of(
                MaxSteps.parameter(1000),
                Parameter.number(GRAVITY, -10, -12, 0, "Acceleration of gravity upwards, in m/s²"));
    }

    @Override
    public final List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Settings of RL Baselines3 Zoo",
                Map.ofEntries(
                        Map.entry("timesteps", "1000000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "1024"),
                        Map.entry("batch_size", "64"),
                        Map.entry("n_epochs", "4"),
                        Map.entry("gamma", "0.999"),
                        Map.entry("gae_lambda", "0.98"),
                        Map.entry("ent_coef", "0.01"))));
    }

    @Override
    public final Environment create(EnvironmentOptions options) {
        return new LunarLander(name(), continuous(), options.number(GRAVITY), MaxSteps.of(options));
    }
}
