package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import java.util.function.Consumer;

/** Makes vector environments. */
public final class VectorEnvironments {
    private VectorEnvironments() {}

    /**
     * Makes a vector environment.
     *
     * @param kind {@code sync}, {@code thread} or {@code process}
     * @param count the number of environments
     * @param source where they come from
     * @param options for {@code process}: how its workers are run
     * @param onLoss for {@code process}: is told, in the caller's thread, why a worker was replaced
     * @return a new vector environment, to be closed by the caller
     * @throws InvalidConfigurationException if the kind is unknown, or is {@code process} and the source works in this JVM alone
     * @throws dev.holdfast.rl.api.EnvironmentException if workers don't start, more often than the options allow
     */
    public static VectorEnvironment create(
            String kind, int count, EnvironmentSource source, WorkerOptions options, Consumer<String> onLoss) {
        return switch (kind) {
            case "sync" -> new SyncVectorEnvironment(count, source);
            case "thread" ->
                new ThreadVectorEnvironment(count, source, Runtime.getRuntime().availableProcessors());
            case "process" -> {
                EnvironmentSource.Named named = source.named();
                if (named == null) {
                    throw new InvalidConfigurationException(
                            "vec_env must be sync or thread for an environment that is made by"
                                    + " an application's own code, but was process: a worker process can only make environments of"
                                    + " an EnvironmentProvider on the class path (give env its name)");
                }
                yield new ProcessVectorEnvironment(count, named, options, onLoss);
            }
            default ->
                throw new InvalidConfigurationException("vec_env must be sync, thread or process, but was " + kind);
        };
    }
}
