package dev.holdfast.rl.api.ppo;

import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.network.NetworkSpec;

/**
 * PPO's loss head: from the network's outputs to the loss and its gradient with respect to these outputs. Shared by all
 * backends, which only do what is heavy.
 *
 * <p>With ratio {@code r = exp(log π(a|s) - log π_old(a|s))}, advantage {@code A}, entropy {@code H}, value estimate {@code v}
 * and return {@code R}, the loss of a mini-batch is
 *
 * <pre>
 *   mean(-min(r·A, clip(r, 1-ε, 1+ε)·A)) - entCoef · mean(H) + vfCoef · mean((R - v)²)
 * </pre>
 *
 * (Schulman et al. 2017, equations 7 and 9); with a clip range of the value function, {@code v} is first clipped to lie within it
 * around the old estimate.
 *
 * <p>The rows of a mini-batch may be shared out: {@link #normalize} once for the whole batch, then {@link #evaluate} on disjoint
 * ranges, each by an instance of its own, then {@link #summarize} over the instances in a fixed order.
 *
 * <p><em>Threads.</em> An instance belongs to one thread at a time. Nothing is allocated after construction.
 */
public final class PpoLoss {
    private final ActionDistribution distribution;
    private final int parameters;
    private final int actionSize;
    private final int maskSize;
    private final float[] work;
    private final float[] result = new float[2];
    private double policyLossSum;
    private double valueLossSum;
    private double entropySum;
    private double klSum;
    private int clipped;

    /**
     * Creates a loss head.
     *
     * @param spec the network whose outputs it takes
     */
    public PpoLoss(NetworkSpec spec) {
        distribution = spec.distribution();
        parameters = distribution.parameterCount();
        actionSize = distribution.actionSize();
        maskSize = distribution.maskSize();
        work = new float[distribution.workSize()];
    }

    /**
     * Normalises a mini-batch's advantages in place if the settings ask for it: less their mean, divided by their unbiased
     * standard deviation + 1e-8. A mini-batch of one sample has no deviation and is left as it is.
     *
     * @param batch the samples
     * @param settings the hyperparameters in force
     */
    public static void normalize(MiniBatch batch, UpdateSettings settings) {
        int n = batch.size();
        if (!settings.normalizeAdvantage() || n < 2) {
            return;
        }
        float[] advantages = batch.advantages();
        double mean = 0;
        for (int i = 0; i < n; i++) {
            mean += advantages[i];
        }
        mean /= n;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double difference = advantages[i] - mean;
            squares += difference * difference;
        }
        double scale = 1 / (Math.sqrt(squares / (n - 1)) + 1e-8);
        for (int i = 0; i < n; i++) {
            advantages[i] = (float) ((advantages[i] - mean) * scale);
        }
    }

    /**
     * Computes the gradient of the batch's loss with respect to the outputs of the rows {@code from} to {@code to - 1}, and keeps
     * these rows' share of the loss for {@link #summarize}.
     *
     * @param batch the samples, advantages already normalised
     * @param from the first row
     * @param to the row after the last
     * @param settings the hyperparameters in force
     * @param outputs the action head's outputs, {@code [size, parameterCount]}, of the whole batch
     * @param values the value head's outputs, {@code [size]}
     * @param logStd the logarithms of the standard deviations; empty unless actions are a {@code Box}
     * @param outputGradient receives the gradient of {@code outputs} in the rows of the range
     * @param valueGradient receives the gradient of {@code values} in the rows of the range
     * @param logStdGradient receives the rows' share of the gradient of {@code logStd}
     */
    public void evaluate(
            MiniBatch batch,
            int from,
            int to,
            UpdateSettings settings,
            float[] outputs,
            float[] values,
            float[] logStd,
            float[] outputGradient,
            float[] valueGradient,
            double[] logStdGradient) {
        double clipLow = 1 - settings.clipRange();
        double clipHigh = 1 + settings.clipRange();
        double clipVf = settings.clipRangeVf();
        double scale = 1.0 / batch.size();
        float entropyWeight = (float) (-settings.entCoef() * scale);
        policyLossSum = 0;
        valueLossSum = 0;
        entropySum = 0;
        klSum = 0;
        clipped = 0;
        java.util.Arrays.fill(logStdGradient, 0);
        for (int row = from; row < to; row++) {
            int offset = row * parameters;
            distribution.evaluate(
                    outputs,
                    offset,
                    logStd,
                    batch.masks(),
                    row * maskSize,
                    batch.actions(),
                    row * actionSize,
                    work,
                    result);
            double logRatio = (double) result[0] - batch.logProbabilities()[row];
            double ratio = Math.exp(logRatio);
            double advantage = batch.advantages()[row];
            double surrogate = ratio * advantage;
            double bounded = Math.min(Math.max(ratio, clipLow), clipHigh) * advantage;
            policyLossSum -= Math.min(surrogate, bounded);
            entropySum += result[1];
            klSum += (ratio - 1) - logRatio;
            if (Math.abs(ratio - 1) > settings.clipRange()) {
                clipped++;
            }
            // The gradient of min(r·A, clip(r)·A) is r·A's where that is the smaller one, and 0 where clipping has made
            // the other
            // one smaller: there, clip(r) is constant.
            float probabilityWeight = surrogate <= bounded ? (float) (-surrogate * scale) : 0f;
            distribution.gradient(
                    outputs,
                    offset,
                    logStd,
                    batch.masks(),
                    row * maskSize,
                    batch.actions(),
                    row * actionSize,
                    work,
                    probabilityWeight,
                    entropyWeight,
                    outputGradient,
                    logStdGradient);

            double value = values[row];
            double moved = value - batch.values()[row];
            boolean inside = Math.abs(moved) <= clipVf;
            double predicted = inside ? value : batch.values()[row] + Math.copySign(clipVf, moved);
            double error = predicted - batch.returns()[row];
            valueLossSum += error * error;
            valueGradient[row] = inside ? (float) (2 * settings.vfCoef() * scale * error) : 0f;
        }
    }

    /**
     * Adds up the shares of a mini-batch's loss.
     *
     * @param parts the instances that evaluated the batch's ranges, in a fixed order
     * @param size the number of samples of the batch
     * @param settings the hyperparameters in force
     * @param statistics receives everything but the gradient's norm and whether a step was taken
     * @throws NonFiniteException if the loss or one of its terms is NaN or infinite
     */
    public static void summarize(PpoLoss[] parts, int size, UpdateSettings settings, UpdateStatistics statistics) {
        double policyLoss = 0;
        double valueLoss = 0;
        double entropy = 0;
        double kl = 0;
        int clipped = 0;
        for (PpoLoss part : parts) {
            policyLoss += part.policyLossSum;
            valueLoss += part.valueLossSum;
            entropy += part.entropySum;
            kl += part.klSum;
            clipped += part.clipped;
        }
        statistics.policyLoss = finite(policyLoss / size, "policy_gradient_loss");
        statistics.valueLoss = finite(valueLoss / size, "value_loss");
        statistics.entropyLoss = finite(-entropy / size, "entropy_loss");
        statistics.approxKl = finite(kl / size, "approx_kl");
        statistics.clipFraction = (double) clipped / size;
        statistics.loss = finite(
                statistics.policyLoss
                        + settings.entCoef() * statistics.entropyLoss
                        + settings.vfCoef() * statistics.valueLoss,
                "loss");
        statistics.gradientNorm = Double.NaN;
        statistics.stepped = false;
    }

    private static double finite(double value, String name) {
        if (!Double.isFinite(value)) {
            throw new NonFiniteException("train/" + name + " is " + value
                    + "; lower learning_rate, or check that rewards and observations stay in a sensible range");
        }
        return value;
    }
}
