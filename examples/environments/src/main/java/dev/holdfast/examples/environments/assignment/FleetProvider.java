package dev.holdfast.examples.environments.assignment;

import dev.holdfast.examples.environments.assignment.Fleet.Town;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.List;
import java.util.Map;

/** Makes {@code Fleet-v0}. */
public final class FleetProvider implements EnvironmentProvider {
    static final String NAME = "Fleet-v0";

    private static final String CABS = "cabs";
    private static final String ZONES = "zones";
    private static final String BATTERY = "battery";
    private static final String PERIODS = "periods";
    private static final String TIMETABLE = "timetable";
    private static final String MASKED = "masked";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public FleetProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Send electric cabs to passengers on a ring road, all cabs at once: returns are passengers carried";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.integer(CABS, 3, 1, 20, "Number of cabs"),
                Parameter.integer(ZONES, 6, 2, 50, "Number of zones"),
                Parameter.integer(BATTERY, 4, 1, 20, "Zones that a full charge lasts for"),
                Parameter.integer(PERIODS, 12, 1, 100, "Periods in an episode"),
                Parameter.integer(TIMETABLE, 1, 0, 1_000_000, "Which timetable passengers come by"),
                Parameter.flag(
                        MASKED, true, "Mask zones out of reach; otherwise whoever is sent there stays, and is fined"));
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(new ConfigProfile(
                "tuned",
                "Settings to begin with",
                Map.ofEntries(
                        Map.entry("timesteps", "200000"),
                        Map.entry("envs", "16"),
                        Map.entry("rollout_steps", "48"),
                        Map.entry("batch_size", "192"),
                        Map.entry("n_epochs", "10"),
                        Map.entry("gamma", "1.0"),
                        Map.entry("gae_lambda", "0.9"),
                        Map.entry("ent_coef", "0.01"),
                        Map.entry("learning_rate", "linear(0.002)"),
                        Map.entry("net_arch", "128,128"))));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new Fleet(town(options), options.flag(MASKED));
    }

    static Town town(EnvironmentOptions options) {
        return Town.draw(
                new RandomStream(options.integer(TIMETABLE), "timetable"),
                options.integer(PERIODS),
                options.integer(ZONES),
                options.integer(CABS),
                options.integer(BATTERY));
    }
}
