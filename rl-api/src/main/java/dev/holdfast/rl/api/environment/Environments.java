package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Finds the environment providers on the class path. */
public final class Environments {
    private Environments() {}

    /**
     * Returns all providers, ordered by name.
     *
     * @return possibly empty
     * @throws HoldfastException naming a class in {@code META-INF/services} of which no provider can be made
     */
    public static List<EnvironmentProvider> all() {
        try {
            return ServiceLoader.load(EnvironmentProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .sorted(Comparator.comparing(EnvironmentProvider::name))
                    .toList();
        } catch (ServiceConfigurationError e) {
            throw new HoldfastException(
                    "META-INF/services must name public classes with a public constructor without parameters, but "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns one provider.
     *
     * @param name the environment's name
     * @return its provider
     * @throws InvalidConfigurationException if there is none of that name; the message lists those that are there
     */
    public static EnvironmentProvider named(String name) {
        List<EnvironmentProvider> all = all();
        return all.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigurationException("env must be one of "
                        + all.stream().map(EnvironmentProvider::name).toList() + ", but was '" + name
                        + "'; put the module that provides it on the class path (META-INF/services/"
                        + EnvironmentProvider.class.getName() + ")"));
    }
}
