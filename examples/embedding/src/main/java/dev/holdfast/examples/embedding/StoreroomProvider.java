package dev.holdfast.examples.embedding;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import java.util.List;
import java.util.Map;

/** Makes {@link Storeroom} known to the {@code holdfast} command. */
public final class StoreroomProvider implements EnvironmentProvider {
    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public StoreroomProvider() {}

    @Override
    public String name() {
        return "Storeroom-v0";
    }

    @Override
    public String description() {
        return "Reorder one product every evening for four weeks; orders that don't fit are masked";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.number("delivery_cost", 0, 0, 100, "What a delivery costs, however small it is"));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Earns within a tenth of the optimum after 20,000 steps",
                Map.of(
                        "timesteps", "20000",
                        "envs", "8",
                        "rollout_steps", "64",
                        "gamma", "0.9",
                        "learning_rate", "linear(0.003)")));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new Storeroom(options.number("delivery_cost"));
    }
}
