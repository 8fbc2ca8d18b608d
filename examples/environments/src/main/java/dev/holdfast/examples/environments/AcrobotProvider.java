package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code Acrobot-v1}. */
public final class AcrobotProvider implements EnvironmentProvider {
    static final String NAME = "Acrobot-v1";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public AcrobotProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Swing two links up by the joint between them: Gymnasium's Acrobot-v1, solved at a mean return of -100";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(MaxSteps.parameter(500));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Settings of RL Baselines3 Zoo for Acrobot",
                Map.ofEntries(
                        Map.entry("timesteps", "1000000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "256"),
                        Map.entry("batch_size", "64"),
                        Map.entry("n_epochs", "4"),
                        Map.entry("gamma", "0.99"),
                        Map.entry("gae_lambda", "0.94"),
                        Map.entry("ent_coef", "0.0"),
                        Map.entry("normalize_observation", "true"),
                        Map.entry("normalize_reward", "true"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new Acrobot(MaxSteps.of(options));
    }
}
