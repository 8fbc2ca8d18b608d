package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where environments come from: an application's own code, or a provider on the class path, which other JVMs have, too. */
public final class EnvironmentSource {
    /**
     * What another JVM needs to make the same environment.
     *
     * @param provider the provider's name
     * @param options what it is asked for
     */
    record Named(String provider, EnvironmentOptions options) {}

    private final Supplier<? extends Environment> factory;
    private final @Nullable Named named;

    private EnvironmentSource(Supplier<? extends Environment> factory, @Nullable Named named) {
        this.factory = factory;
        this.named = named;
    }

    /**
     * Returns a source of environments for this JVM alone.
     *
     * @param factory makes one environment at each call
     * @return the source
     */
    public static EnvironmentSource of(Supplier<? extends Environment> factory) {
        return new EnvironmentSource(factory, null);
    }

    /**
     * Returns a source of environments for this JVM and its workers.
     *
     * @param provider a provider that is found on the class path by its name
     * @param options what it is asked for
     * @return the source
     */
    public static EnvironmentSource of(EnvironmentProvider provider, EnvironmentOptions options) {
        return new EnvironmentSource(() -> provider.create(options), new Named(provider.name(), options));
    }

    /**
     * Makes an environment in this JVM.
     *
     * @return a new one, to be closed by the caller
     */
    public Environment create() {
        return factory.get();
    }

    @Nullable Named named() {
        return named;
    }
}
