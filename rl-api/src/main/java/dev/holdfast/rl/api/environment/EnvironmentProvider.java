package dev.holdfast.rl.api.environment;

import java.util.List;
import java.util.Map;

/**
 * Makes environments of one name and says what can be chosen about them. Found by {@link java.util.ServiceLoader}.
 *
 * <p><em>Threads.</em> {@link #create} may be called from several threads at once.
 */
public interface EnvironmentProvider {
    /**
     * Returns the name by which users choose the environment.
     *
     * @return for example {@code CartPole-v1}
     */
    String name();

    /**
     * Returns one line about the environment.
     *
     * @return for people
     */
    String description();

    /**
     * Returns the environment's typed parameters.
     *
     * @return possibly empty
     */
    default List<Parameter> parameters() {
        return List.of();
    }

    /**
     * Returns what the environment's numbered problems are, the first being number 1.
     *
     * @return one line a problem
     */
    default List<String> problems() {
        return List.of("the only problem");
    }

    /**
     * Returns what the stages of the environment's curriculum are, the first being number 1.
     *
     * @return one line a stage
     */
    default List<String> stages() {
        return List.of("the only stage");
    }

    /**
     * Returns the names of the ways to reward, the default first.
     *
     * @return at least one
     */
    default List<String> rewardProfiles() {
        return List.of("default");
    }

    /**
     * Returns named sets of training settings that suit the environment, the default first.
     *
     * @return possibly empty
     */
    default List<ConfigProfile> configProfiles() {
        return List.of();
    }

    /**
     * Makes an environment.
     *
     * @param options checked and complete
     * @return a new environment, to be closed by the caller
     */
    Environment create(EnvironmentOptions options);

    /**
     * A named set of training settings.
     *
     * @param name its name, as in {@code --config-profile name}
     * @param description one line for people
     * @param settings configuration keys with their values as text, for example {@code n_epochs=20}
     */
    record ConfigProfile(String name, String description, Map<String, String> settings) {
        /** Copies. */
        public ConfigProfile {
            settings = Map.copyOf(settings);
        }
    }
}
