package dev.holdfast.rl.api.network;

/** The non-linearity after every hidden layer. */
public enum Activation {
    /** Hyperbolic tangent, the reference implementation's default. */
    TANH,
    /** Rectified linear unit, max(0, x). */
    RELU
}
