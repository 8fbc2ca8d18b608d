package dev.holdfast.rl.api.ppo;

/**
 * The hyperparameters in force for one gradient step: schedules are already evaluated.
 *
 * @param learningRate Adam's step size
 * @param clipRange the clip range of the probability ratio
 * @param clipRangeVf the clip range of the value function; positive infinity for none
 * @param entCoef the weight of the entropy bonus
 * @param vfCoef the weight of the value loss
 * @param maxGradNorm the largest allowed norm of the gradient
 * @param normalizeAdvantage whether to normalise advantages within the mini-batch
 * @param maxKl the approximate KL divergence above which no step is taken; positive infinity for none
 */
public record UpdateSettings(
        double learningRate,
        double clipRange,
        double clipRangeVf,
        double entCoef,
        double vfCoef,
        double maxGradNorm,
        boolean normalizeAdvantage,
        double maxKl) {
    /** Adam's decay of the mean of gradients. */
    public static final double BETA1 = 0.9;

    /** Adam's decay of the mean of squared gradients. */
    public static final double BETA2 = 0.999;

    /** What Adam adds to the root of the second moment, after its bias correction. */
    public static final double EPSILON = 1e-5;

    /**
     * Evaluates hyperparameters at a point of the run.
     *
     * @param hyperparameters the hyperparameters
     * @param progressRemaining 1 at the start, 0 at the planned end; clamped to [0, 1]
     * @return the settings
     */
    public static UpdateSettings at(PpoHyperparameters hyperparameters, double progressRemaining) {
        double progress = Math.min(1, Math.max(0, progressRemaining));
        Schedule clipRangeVf = hyperparameters.clipRangeVf();
        Double targetKl = hyperparameters.targetKl();
        return new UpdateSettings(
                hyperparameters.learningRate().at(progress),
                hyperparameters.clipRange().at(progress),
                clipRangeVf == null ? Double.POSITIVE_INFINITY : clipRangeVf.at(progress),
                hyperparameters.entCoef(),
                hyperparameters.vfCoef(),
                hyperparameters.maxGradNorm(),
                hyperparameters.normalizeAdvantage(),
                targetKl == null ? Double.POSITIVE_INFINITY : 1.5 * targetKl);
    }
}
