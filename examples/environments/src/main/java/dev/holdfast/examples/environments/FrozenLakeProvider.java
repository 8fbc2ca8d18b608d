package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code FrozenLake-v1}. */
public final class FrozenLakeProvider implements EnvironmentProvider {
    static final String NAME = "FrozenLake-v1";

    private static final String MAP = "map_name";
    private static final String SLIPPERY = "is_slippery";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public FrozenLakeProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Cross a frozen lake without falling into a hole: Gymnasium's FrozenLake-v1";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.choice(MAP, FrozenLake.MAPS, "The map"),
                Parameter.flag(SLIPPERY, true, "Whether two of three steps go to the side"),
                MaxSteps.parameter(100));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        // No hidden layers: a table of one row a state. Advantages keep their size, so that at first, when hardly
        // any walk arrives, the entropy bonus is the stronger force, and the policy doesn't settle on what is best
        // for a walker who errs.
        return List.of(new ConfigProfile(
                "tuned",
                "Finds the optimal policy of the slippery 4x4 map",
                Map.ofEntries(
                        Map.entry("timesteps", "1000000"),
                        Map.entry("envs", "64"),
                        Map.entry("rollout_steps", "64"),
                        Map.entry("batch_size", "1024"),
                        Map.entry("n_epochs", "4"),
                        Map.entry("gamma", "0.99"),
                        Map.entry("gae_lambda", "0.9"),
                        Map.entry("learning_rate", "linear(0.02)"),
                        Map.entry("ent_coef", "0.01"),
                        Map.entry("normalize_advantage", "false"),
                        Map.entry("net_arch", "none"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return FrozenLake.create(options.text(MAP), options.flag(SLIPPERY), MaxSteps.of(options));
    }
}
