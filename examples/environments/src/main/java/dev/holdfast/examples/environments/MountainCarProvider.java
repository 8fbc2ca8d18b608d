package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code MountainCar-v0}. */
public final class MountainCarProvider implements EnvironmentProvider {
    static final String NAME = "MountainCar-v0";
    static final String GOAL_VELOCITY = "goal_velocity";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public MountainCarProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Swing an underpowered car up a hill: Gymnasium's MountainCar-v0, solved at a mean return of -110";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                MaxSteps.parameter(200),
                Parameter.number(GOAL_VELOCITY, 0, 0, 0.07, "Velocity that the car must have at the goal"));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Settings of RL Baselines3 Zoo for MountainCar",
                Map.ofEntries(
                        Map.entry("timesteps", "1000000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "16"),
                        Map.entry("batch_size", "64"),
                        Map.entry("n_epochs", "4"),
                        Map.entry("gamma", "0.99"),
                        Map.entry("gae_lambda", "0.98"),
                        Map.entry("ent_coef", "0.0"),
                        Map.entry("normalize_observation", "true"),
                        Map.entry("normalize_reward", "true"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return MountainCar.discrete(options.number(GOAL_VELOCITY), MaxSteps.of(options));
    }
}
