package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code CartPole-v1}. */
public final class CartPoleProvider implements EnvironmentProvider {
    static final String NAME = "CartPole-v1";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public CartPoleProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Balance a pole on a cart: Gymnasium's CartPole-v1, solved at a mean return of 475 of 500";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(MaxSteps.parameter(500));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(
                new ConfigProfile(
                        "tuned",
                        "Settings tuned for CartPole in RL Baselines3 Zoo",
                        Map.ofEntries(
                                Map.entry("timesteps", "100000"),
                                Map.entry("envs", "8"),
                                Map.entry("rollout_steps", "32"),
                                Map.entry("batch_size", "256"),
                                Map.entry("n_epochs", "20"),
                                Map.entry("gamma", "0.98"),
                                Map.entry("gae_lambda", "0.8"),
                                Map.entry("ent_coef", "0.0"),
                                Map.entry("learning_rate", "linear(0.001)"),
                                Map.entry("clip_range", "linear(0.2)"))),
                new ConfigProfile(
                        "reference",
                        "The defaults of PPO in Stable-Baselines3",
                        Map.ofEntries(
                                Map.entry("timesteps", "100000"),
                                Map.entry("envs", "1"),
                                Map.entry("rollout_steps", "2048"),
                                Map.entry("batch_size", "64"),
                                Map.entry("n_epochs", "10"),
                                Map.entry("gamma", "0.99"),
                                Map.entry("gae_lambda", "0.95"),
                                Map.entry("ent_coef", "0.0"),
                                Map.entry("learning_rate", "0.0003"),
                                Map.entry("clip_range", "0.2"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new CartPole(MaxSteps.of(options));
    }
}
