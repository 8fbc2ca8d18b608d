package dev.holdfast.training.runtime;

/** What a run spends its time on. */
public enum Activity {
    /** Stepping the environments. */
    ENVIRONMENT,
    /** Choosing actions, sampling included, and normalising observations. */
    ACTING,
    /** Computing advantages. */
    ADVANTAGE,
    /** Gradient steps. */
    UPDATE,
    /** Evaluating. */
    EVALUATION,
    /** Writing checkpoints. */
    SAVING,
    /** Writing metrics. */
    LOGGING
}
