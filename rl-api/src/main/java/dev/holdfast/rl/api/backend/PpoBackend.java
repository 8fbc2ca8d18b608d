package dev.holdfast.rl.api.backend;

import java.util.List;
import java.util.Set;

/**
 * A numerical engine that can do PPO's gradient steps. Found by {@link java.util.ServiceLoader}; {@link Backends} looks one up.
 *
 * <p><em>Threads.</em> The trainer calls every method from its own thread. Creating a backend must be cheap: natives are loaded by
 * {@link #devices} or {@link #createLearner} at the earliest.
 */
public interface PpoBackend {
    /**
     * Returns the name by which users choose this backend.
     *
     * @return for example {@code java}
     */
    String name();

    /**
     * Returns one line about this backend.
     *
     * @return for people
     */
    String description();

    /**
     * Returns what this backend can do. The trainer refuses by name what is missing, before it creates a learner ({@link
     * Capability#require}).
     *
     * @return immutable
     */
    Set<Capability> capabilities();

    /**
     * Returns the devices that this backend knows, usable or not. Called by {@code holdfast backends} and when a learner is
     * wanted.
     *
     * @return at least one, the one to be preferred first: {@code auto} takes the first usable one ({@link Device#choose})
     */
    List<Device> devices();

    /**
     * Creates a learner with initial weights that depend on network and seed alone ({@link
     * dev.holdfast.rl.api.network.Initializer}), so that every backend starts from the same ones. Called once a run.
     *
     * @param request what to create
     * @return a new learner, to be closed by the caller
     * @throws dev.holdfast.rl.api.InvalidConfigurationException if the device doesn't exist or isn't usable, or something in the
     *     network is not among the capabilities; the message names it and what there is instead
     */
    PpoLearner createLearner(LearnerRequest request);
}
