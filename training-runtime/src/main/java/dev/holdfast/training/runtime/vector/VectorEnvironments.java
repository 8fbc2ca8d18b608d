package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import java.util.function.Supplier;

/** Makes vector environments. */
public final class VectorEnvironments {
    private VectorEnvironments() {}

    /**
     * Makes a vector environment.
     *
     * @param kind {@code sync} or {@code thread}
     * @param count the number of environments
     * @param factory makes one environment at each call
     * @return a new vector environment, to be closed by the caller
     * @throws InvalidConfigurationException if the kind is {@code process}, which isn't built yet, or unknown
     */
    public static VectorEnvironment create(String kind, int count, Supplier<? extends Environment> factory) {
        return switch (kind) {
            case "sync" -> new SyncVectorEnvironment(count, factory);
            case "thread" ->
                new ThreadVectorEnvironment(count, factory, Runtime.getRuntime().availableProcessors());
            case "process" ->
                throw new InvalidConfigurationException("vec_env must be sync or thread, but was process (subproc):"
                        + " environments in processes of their own are not available in this version");
            default -> throw new InvalidConfigurationException("vec_env must be sync or thread, but was " + kind);
        };
    }
}
