package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code MountainCarContinuous-v0}. */
public final class MountainCarContinuousProvider implements EnvironmentProvider {
    static final String NAME = "MountainCarContinuous-v0";
    private static final String GOAL_VELOCITY = MountainCarProvider.GOAL_VELOCITY;

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public MountainCarContinuousProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Swing an underpowered car up a hill, sparing fuel: Gymnasium's MountainCarContinuous-v0, solved at a mean return of 90";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                MaxSteps.parameter(999),
                Parameter.number(GOAL_VELOCITY, 0, 0, 0.07, "Velocity that the car must have at the goal"));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        // Noise that is drawn anew at each step takes the car to the goal only if it is so wide that most forces
        // are clipped: then in one episode of eleven, with a deviation of e.
        return List.of(new ConfigProfile(
                "tuned",
                "Reaches 90; the settings of RL Baselines3 Zoo need gSDE to explore, which these do by wide noise",
                Map.ofEntries(
                        Map.entry("timesteps", "100000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "256"),
                        Map.entry("batch_size", "256"),
                        Map.entry("n_epochs", "10"),
                        Map.entry("gamma", "0.999"),
                        Map.entry("gae_lambda", "0.98"),
                        Map.entry("log_std_init", "1"),
                        Map.entry("normalize_observation", "true"),
                        Map.entry("normalize_reward", "true"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return MountainCar.continuous(options.number(GOAL_VELOCITY), MaxSteps.of(options));
    }
}
