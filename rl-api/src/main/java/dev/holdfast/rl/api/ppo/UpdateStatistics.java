package dev.holdfast.rl.api.ppo;

/** What one gradient step reports; filled again by every step. Plain mutable fields: it is written once and read once a step. */
public final class UpdateStatistics {
    /** {@code policyLoss + entCoef · entropyLoss + vfCoef · valueLoss}. */
    public double loss;

    /** The clipped surrogate objective, negated: mean of {@code -min(ratio · A, clip(ratio) · A)}. */
    public double policyLoss;

    /** The mean squared error of the (clipped) value estimates. */
    public double valueLoss;

    /** The mean entropy, negated. */
    public double entropyLoss;

    /** The approximate KL divergence, mean of {@code (ratio - 1) - log(ratio)} (Schulman 2020). */
    public double approxKl;

    /** The share of samples whose ratio left the clip range. */
    public double clipFraction;

    /** The norm of the gradient before it was clipped; NaN if no step was taken. */
    public double gradientNorm;

    /** False if {@link #approxKl} exceeded {@link UpdateSettings#maxKl}, and nothing was changed. */
    public boolean stepped;
}
