package dev.holdfast.rl.api.distribution;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Independent normal distributions: means come from the network, the logarithms of the standard deviations are parameters of
 * their own. The work array holds the standardised actions, then the reciprocals of the standard deviations.
 */
final class GaussianDistribution implements ActionDistribution {
    private static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);
    private final int n;

    GaussianDistribution(int n) {
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
            action[actionOffset + i] = (float) (parameters[offset + i] + Math.exp(logStd[i]) * random.nextGaussian());
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
        System.arraycopy(parameters, offset, action, actionOffset, n);
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
            double inverse = Math.exp(-logStd[i]);
            double standardised = ((double) action[actionOffset + i] - parameters[offset + i]) * inverse;
            logProbability -= 0.5 * standardised * standardised + logStd[i] + HALF_LOG_2PI;
            entropy += 0.5 + HALF_LOG_2PI + logStd[i];
            work[i] = (float) standardised;
            work[n + i] = (float) inverse;
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
            gradient[offset + i] = a * work[i] * work[n + i];
            logStdGradient[i] += a * ((double) work[i] * work[i] - 1) + b;
        }
    }
}
