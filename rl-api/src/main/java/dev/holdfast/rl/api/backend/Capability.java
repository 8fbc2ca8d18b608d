package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.EnumSet;
import java.util.Set;

/** What a backend may or may not be able to do. */
public enum Capability {
    /** {@code Discrete} actions. */
    DISCRETE,
    /** {@code MultiDiscrete} actions. */
    MULTI_DISCRETE,
    /** {@code ConditionalDiscrete} actions. */
    CONDITIONAL_DISCRETE,
    /** {@code MultiBinary} actions. */
    MULTI_BINARY,
    /** {@code Box} actions. */
    BOX,
    /** Action masks. */
    MASKS,
    /** Hidden layers that policy and value function share. */
    SHARED_LAYERS,
    /** The tanh activation. */
    TANH,
    /** The ReLU activation. */
    RELU,
    /** More than one thread for one learner. */
    THREADS,
    /** The same bits for the same seed, device and thread count. */
    DETERMINISTIC;

    /**
     * Refuses a request that asks for more than a backend can do.
     *
     * @param backend the backend
     * @param request what it is asked for
     * @throws InvalidConfigurationException naming what is missing
     */
    public static void require(PpoBackend backend, LearnerRequest request) {
        Set<Capability> missing = neededFor(request);
        missing.removeAll(backend.capabilities());
        if (!missing.isEmpty()) {
            throw new InvalidConfigurationException(
                    "backend " + backend.name() + " must be able to do what the run needs, but lacks " + missing
                            + "; it has " + backend.capabilities());
        }
    }

    /**
     * Returns what a learner must be able to do.
     *
     * @param request what it is created for
     * @return a new set
     */
    public static Set<Capability> neededFor(LearnerRequest request) {
        NetworkSpec network = request.network();
        Set<Capability> needed = EnumSet.of(network.activation() == Activation.TANH ? TANH : RELU);
        if (network.actionSpace() instanceof Discrete) {
            needed.add(DISCRETE);
        } else if (network.actionSpace() instanceof MultiDiscrete) {
            needed.add(MULTI_DISCRETE);
        } else if (network.actionSpace() instanceof ConditionalDiscrete) {
            needed.add(CONDITIONAL_DISCRETE);
        } else if (network.actionSpace() instanceof Box) {
            needed.add(BOX);
        } else {
            needed.add(MULTI_BINARY);
        }
        if (network.masked()) {
            needed.add(MASKS);
        }
        if (!network.sharedLayers().isEmpty()) {
            needed.add(SHARED_LAYERS);
        }
        if (request.threads() > 1) {
            needed.add(THREADS);
        }
        return needed;
    }
}
