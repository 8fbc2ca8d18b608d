package dev.holdfast.examples.environments.assignment;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Makes {@code BerthAllocation-v0}. */
public final class BerthAllocationProvider implements EnvironmentProvider {
    static final String NAME = "BerthAllocation-v0";

    private static final String SHIPS = "ships";
    private static final String BERTHS = "berths";
    private static final String CRANES = "cranes";
    private static final String DAY = "day";
    private static final String ACTIONS = "actions";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public BerthAllocationProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Moor ships at berths that they fit into, with cranes to unload them: returns are days in port, negated";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.integer(SHIPS, 6, 1, 50, "Number of ships that come in a day"),
                Parameter.integer(BERTHS, 3, 1, 20, "Number of berths"),
                Parameter.integer(CRANES, 4, 1, 20, "Number of cranes"),
                Parameter.integer(DAY, 1, 0, 1_000_000, "Which day problem 1 repeats"),
                Parameter.choice(
                        ACTIONS,
                        ActionForm.names(),
                        "What a decision consists of: choices that depend on the ship's, choices that don't, or one choice"));
    }

    @Override
    public List<String> problems() {
        return List.of("the same day again and again", "another day in each episode");
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Settings to begin with",
                Map.ofEntries(
                        Map.entry("timesteps", "200000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "64"),
                        Map.entry("batch_size", "256"),
                        Map.entry("n_epochs", "10"),
                        Map.entry("gamma", "1.0"),
                        Map.entry("gae_lambda", "0.95"),
                        Map.entry("ent_coef", "0.01"),
                        Map.entry("learning_rate", "linear(0.001)"),
                        Map.entry("net_arch", "128,128"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new BerthAllocation(ports(options), ActionForm.named(options.text(ACTIONS)));
    }

    /** The port of an episode's seed. */
    static LongFunction<Port> ports(EnvironmentOptions options) {
        int ships = options.integer(SHIPS);
        int berths = options.integer(BERTHS);
        int cranes = options.integer(CRANES);
        LongFunction<Port> ports = seed -> Port.draw(new RandomStream(seed, "port"), ships, berths, cranes);
        Port day = ports.apply(options.integer(DAY));
        return options.problem() == 1 ? seed -> day : ports;
    }
}
