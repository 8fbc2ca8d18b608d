package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds the backends on the class path. */
public final class Backends {
    private Backends() {}

    /**
     * Returns all backends, ordered by name.
     *
     * @return possibly empty
     */
    public static List<PpoBackend> all() {
        return ServiceLoader.load(PpoBackend.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(PpoBackend::name))
                .toList();
    }

    /**
     * Returns one backend.
     *
     * @param name its name
     * @return the backend
     * @throws InvalidConfigurationException if there is none of that name; the message lists those that are there
     */
    public static PpoBackend named(String name) {
        List<PpoBackend> all = all();
        return all.stream()
                .filter(backend -> backend.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigurationException("backend must be one of "
                        + all.stream().map(PpoBackend::name).collect(Collectors.joining(", ", "[", "]")) + ", but was '"
                        + name
                        + "'; a backend is there once its module (dev.holdfast:rl-backend-" + name
                        + " for this one, if it exists) is on the class path"));
    }
}
