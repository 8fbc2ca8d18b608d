package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code Pendulum-v1}. */
public final class PendulumProvider implements EnvironmentProvider {
    static final String NAME = "Pendulum-v1";

    private static final String GRAVITY = "g";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public PendulumProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Swing a pendulum up and keep it there: Gymnasium's Pendulum-v1, returns about -1,500 to -150";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                MaxSteps.parameter(200), Parameter.number(GRAVITY, 10, 0, 100, "Acceleration of gravity, in m/s²"));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Settings of RL Baselines3 Zoo for Pendulum, but for its exploration: noise drawn at each step, not gSDE",
                Map.ofEntries(
                        Map.entry("timesteps", "100000"),
                        Map.entry("envs", "4"),
                        Map.entry("rollout_steps", "1024"),
                        Map.entry("batch_size", "64"),
                        Map.entry("n_epochs", "10"),
                        Map.entry("gamma", "0.9"),
                        Map.entry("gae_lambda", "0.95"),
                        Map.entry("learning_rate", "0.001"),
                        Map.entry("clip_range", "0.2"),
                        Map.entry("ent_coef", "0.0"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new Pendulum(options.number(GRAVITY), MaxSteps.of(options));
    }
}
