package dev.holdfast.rl.api.ppo;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import org.jspecify.annotations.Nullable;

/**
 * The hyperparameters of PPO (Schulman et al., <em>Proximal Policy Optimization Algorithms</em>, 2017), with the names and
 * defaults of the reference implementation.
 *
 * @param rolloutSteps {@code n_steps}: steps that each environment takes between two updates; more gives better advantages and
 *     rarer updates; typically 32 to 4096
 * @param batchSize samples of one gradient step; at most {@code n_steps · n_envs}; typically 32 to 4096
 * @param epochs {@code n_epochs}: passes over a rollout; more squeezes more out of it and moves further from it; typically 3 to
 *     20
 * @param gamma the discount of future rewards, in [0, 1]; typically 0.9 to 0.999
 * @param gaeLambda the trade between bias (0) and variance (1) of advantages, in [0, 1]; typically 0.8 to 1
 * @param learningRate Adam's step size, at least 0; typically 1e-5 to 1e-2
 * @param clipRange how far the probability ratio may move from 1 before its gradient is cut, above 0; typically 0.1 to 0.4
 * @param clipRangeVf the same for the value function, in units of the return; null leaves it unclipped
 * @param entCoef the weight of the entropy bonus, at least 0; more explores longer; typically 0 to 0.05
 * @param vfCoef the weight of the value loss, at least 0; typically 0.5
 * @param maxGradNorm the largest allowed norm of the gradient, above 0; typically 0.5
 * @param normalizeAdvantage whether advantages are normalised within each mini-batch (unbiased deviation + 1e-8)
 * @param targetKl stops an update once the approximate KL divergence of a mini-batch exceeds 1.5 times this; null never does;
 *     typically 0.01 to 0.05
 */
public record PpoHyperparameters(
        int rolloutSteps,
        int batchSize,
        int epochs,
        double gamma,
        double gaeLambda,
        Schedule learningRate,
        Schedule clipRange,
        @Nullable Schedule clipRangeVf,
        double entCoef,
        double vfCoef,
        double maxGradNorm,
        boolean normalizeAdvantage,
        @Nullable Double targetKl) {
    /** The reference implementation's defaults. */
    public static final PpoHyperparameters DEFAULTS = new PpoHyperparameters(
            2048, 64, 10, 0.99, 0.95, Schedule.constant(3e-4), Schedule.constant(0.2), null, 0.0, 0.5, 0.5, true, null);

    /** Validates each value by itself; {@link #checkWith} checks them together. */
    public PpoHyperparameters {
        Require.atLeast(rolloutSteps, 1, "rollout_steps");
        Require.atLeast(batchSize, 2, "batch_size");
        Require.atLeast(epochs, 1, "n_epochs");
        Require.inRange(gamma, 0, 1, "gamma");
        Require.inRange(gaeLambda, 0, 1, "gae_lambda");
        checkSchedule(learningRate, false, "learning_rate");
        checkSchedule(clipRange, true, "clip_range");
        if (clipRangeVf != null) {
            checkSchedule(clipRangeVf, true, "clip_range_vf");
        }
        Require.inRange(entCoef, 0, Double.POSITIVE_INFINITY, "ent_coef");
        Require.inRange(vfCoef, 0, Double.POSITIVE_INFINITY, "vf_coef");
        Require.inRange(maxGradNorm, 0, Double.POSITIVE_INFINITY, "max_grad_norm");
        Require.that(maxGradNorm > 0, "max_grad_norm", "must be above 0", maxGradNorm);
        if (targetKl != null) {
            Require.inRange(targetKl, 0, Double.POSITIVE_INFINITY, "target_kl");
            Require.that(targetKl > 0, "target_kl", "must be above 0", targetKl);
        }
    }

    private static void checkSchedule(Schedule schedule, boolean startsAboveZero, String name) {
        if (schedule instanceof Schedule.Unavailable) {
            return;
        }
        Require.inRange(schedule.at(1), 0, Double.POSITIVE_INFINITY, name);
        Require.inRange(schedule.at(0), 0, Double.POSITIVE_INFINITY, name);
        Require.that(!startsAboveZero || schedule.at(1) > 0, name, "must start above 0", schedule.text());
    }

    /**
     * Checks what depends on the number of environments.
     *
     * @param environments the number of environments
     * @throws InvalidConfigurationException if a mini-batch is larger than a rollout, or a rollout has more than 2^28 samples
     */
    public void checkWith(int environments) {
        long samples = (long) rolloutSteps * environments;
        Require.that(samples <= 1 << 28, "rollout_steps times envs", "must be at most 2^28", samples);
        if (batchSize > samples) {
            throw new InvalidConfigurationException(
                    "batch_size must be at most rollout_steps times envs = " + rolloutSteps
                            + " * " + environments + " = " + samples + ", but was " + batchSize
                            + ": a mini-batch can't hold more than a rollout collects; lower batch_size or raise rollout_steps or envs");
        }
    }

    /**
     * Returns how many samples the last mini-batch of each epoch holds if it is not a full one.
     *
     * @param environments the number of environments
     * @return 0 if all mini-batches are full
     */
    public int remainder(int environments) {
        return (int) ((long) rolloutSteps * environments % batchSize);
    }
}
