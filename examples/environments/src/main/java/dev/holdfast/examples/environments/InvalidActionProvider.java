package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@code InvalidAction-v0}. */
public final class InvalidActionProvider implements EnvironmentProvider {
    static final String NAME = "InvalidAction-v0";

    private static final String SIZE = "size";
    private static final String INVALID = "invalid";
    private static final String EPISODE_LENGTH = "episode_length";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public InvalidActionProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Choose the action that equals the observation, while most others are masked: returns 0 to episode_length";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.integer(SIZE, 80, 2, 10_000, "Number of states, and of actions"),
                Parameter.integer(INVALID, 60, 0, 9_999, "Number of actions masked at each step, below size"),
                Parameter.integer(EPISODE_LENGTH, 100, 1, 1_000_000, "Steps after which an episode is truncated"));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        // The action doesn't matter to the next state, so that no later reward does (gamma 0). Each state's right
        // action must be
        // found on its own: one wide layer keeps what is learned about one state from changing another, entropy keeps
        // trying.
        return List.of(new ConfigProfile(
                "tuned",
                "Reaches a mean return of 90 of 100 within 5,000 steps",
                Map.ofEntries(
                        Map.entry("timesteps", "5000"),
                        Map.entry("envs", "1"),
                        Map.entry("rollout_steps", "250"),
                        Map.entry("batch_size", "50"),
                        Map.entry("n_epochs", "10"),
                        Map.entry("gamma", "0.0"),
                        Map.entry("ent_coef", "0.02"),
                        Map.entry("learning_rate", "0.003"),
                        Map.entry("net_arch", "256"))));
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidConfigurationException if {@code invalid} is not below {@code size}
     */
    @Override
    public Environment create(EnvironmentOptions options) {
        int size = options.integer(SIZE);
        int invalid = options.integer(INVALID);
        if (invalid >= size) {
            throw new InvalidConfigurationException("environment parameter " + INVALID + " must be below " + SIZE
                    + " = " + size + ", but was " + invalid + ": the action that pays is never masked; lower " + INVALID
                    + " or raise " + SIZE);
        }
        return new InvalidAction(size, invalid, options.integer(EPISODE_LENGTH));
    }
}
