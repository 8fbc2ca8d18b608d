package dev.holdfast.rl.api.backend;

/** What a backend may or may not be able to do. */
public enum Capability {
    /** {@code Discrete} actions. */
    DISCRETE,
    /** {@code MultiDiscrete} actions. */
    MULTI_DISCRETE,
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
    DETERMINISTIC
}
