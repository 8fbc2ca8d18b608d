package dev.holdfast.rl.api.distribution;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Independent bits, each given by the logit of being 1.
 *
 * <p>Everything is written in {@code e = exp(-|z|)}, which can't overflow: {@code log p(1) = -(max(-z, 0) + log(1 + e))}, and
 * {@code H = log(1 + e) + |z| e / (1 + e)}. The work array holds the probabilities of 1, then the derivatives of the entropy.
 */
final class BernoulliDistribution implements ActionDistribution {
    private final int n;

    BernoulliDistribution(int n) {
        this.n = n;
    }

    @Override
    public int parameterCount() {
        return n;
    }

    @Override
    public int actionSize() {
        return n;
    }

    @Override
    public int maskSize() {
        return 0;
    }

    @Override
    public int workSize() {
        return 2 * n;
    }

    @Override
    public @Nullable String emptyBranch(boolean[] mask, int maskOffset) {
        return null;
    }

    @Override
    public void sample(
            float[] parameters,
            int offset,
            float[] logStd,
            boolean @Nullable [] mask,
            int maskOffset,
            RandomGenerator random,
            float[] action,
            int actionOffset) {
        for (int i = 0; i < n; i++) {
            double probability = 1 / (1 + Math.exp(-parameters[offset + i]));
            action[actionOffset + i] = random.nextDouble() < probability ? 1f : 0f;
        }
    }

    @Override
    public void mode(
            float[] parameters,
            int offset,
            boolean @Nullable [] mask,
            int maskOffset,
            float[] action,
            int actionOffset) {
        for (int i = 0; i < n; i++) {
            action[actionOffset + i] = parameters[offset + i] > 0 ? 1f : 0f;
        }
    }

    @Override
    public void evaluate(
            float[] parameters,
            int offset,
            float[] logStd,
            boolean @Nullable [] mask,
            int maskOffset,
            float[] action,
            int actionOffset,
            float[] work,
            float[] result) {
        double logProbability = 0;
        double entropy = 0;
        for (int i = 0; i < n; i++) {
            double z = parameters[offset + i];
            double size = Math.abs(z);
            double e = Math.exp(-size);
            double logSum = Math.log(1 + e);
            double rare = e / (1 + e);
            // An infinite logit leaves no entropy; 0 times infinity would be NaN.
            double product = e == 0 ? 0 : size * rare;
            entropy += logSum + product;
            logProbability -= Math.max(action[actionOffset + i] != 0 ? -z : z, 0) + logSum;
            work[i] = (float) (z < 0 ? rare : 1 - rare);
            work[n + i] = (float) (-Math.copySign(product, z) / (1 + e));
        }
        result[0] = (float) logProbability;
        result[1] = (float) entropy;
    }

    @Override
    public void gradient(
            float[] parameters,
            int offset,
            float[] logStd,
            boolean @Nullable [] mask,
            int maskOffset,
            float[] action,
            int actionOffset,
            float[] work,
            float a,
            float b,
            float[] gradient,
            double[] logStdGradient) {
        for (int i = 0; i < n; i++) {
            gradient[offset + i] = a * (action[actionOffset + i] - work[i]) + b * work[n + i];
        }
    }
}
