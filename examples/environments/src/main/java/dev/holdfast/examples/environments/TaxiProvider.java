package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code Taxi-v3}. */
public final class TaxiProvider implements EnvironmentProvider {
    static final String NAME = "Taxi-v3";

    private static final String MASK = "action_mask";
    private static final String RAINY = "is_rainy";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public TaxiProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Drive a passenger to their destination: Gymnasium's Taxi-v3, solved at a mean return of 8";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.flag(MASK, false, "Whether actions that change nothing are masked"),
                Parameter.flag(RAINY, false, "Whether the taxi may go astray"),
                MaxSteps.parameter(200));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        // No hidden layers: a table of one row a state. Much entropy, since each state's actions must be tried.
        return List.of(new ConfigProfile(
                "tuned",
                "Finds the optimal policy, with and without the mask",
                Map.ofEntries(
                        Map.entry("timesteps", "1000000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "256"),
                        Map.entry("batch_size", "512"),
                        Map.entry("n_epochs", "4"),
                        Map.entry("gamma", "0.99"),
                        Map.entry("gae_lambda", "0.95"),
                        Map.entry("learning_rate", "linear(0.02)"),
                        Map.entry("ent_coef", "0.1"),
                        Map.entry("normalize_reward", "true"),
                        Map.entry("net_arch", "none"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return Taxi.create(options.flag(MASK), options.flag(RAINY), MaxSteps.of(options));
    }
}
