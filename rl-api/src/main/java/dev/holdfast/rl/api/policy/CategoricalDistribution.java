package dev.holdfast.rl.api.policy;

import dev.holdfast.rl.api.network.FloatMath;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Independent categorical distributions, one a branch, each given by its logits.
 *
 * <p>Masks are applied by leaving invalid actions out of every maximum and sum, not by lowering their logits. The work array
 * holds the probabilities, then for each branch the logarithm of its normaliser and its entropy.
 */
final class CategoricalDistribution implements ActionDistribution {
    private final int[] branches;
    private final int parameterCount;

    CategoricalDistribution(int... branches) {
        this.branches = branches.clone();
        parameterCount = Arrays.stream(branches).sum();
    }

    @Override
    public int parameterCount() {
        return parameterCount;
    }

    @Override
    public int actionSize() {
        return branches.length;
    }

    @Override
    public int maskSize() {
        return parameterCount;
    }

    @Override
    public int workSize() {
        return parameterCount + 2 * branches.length;
    }

    @Override
    public int emptyBranch(boolean[] mask, int maskOffset) {
        int start = maskOffset;
        for (int branch = 0; branch < branches.length; branch++) {
            boolean any = false;
            for (int i = start; i < start + branches[branch]; i++) {
                any |= mask[i];
            }
            if (!any) {
                return branch;
            }
            start += branches[branch];
        }
        return -1;
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
        int start = 0;
        for (int branch = 0; branch < branches.length; branch++) {
            int n = branches[branch];
            action[actionOffset + branch] =
                    sampleBranch(parameters, offset + start, n, mask, maskOffset + start, random.nextDouble());
            start += n;
        }
    }

    /** Inverts the cumulative distribution at {@code uniform}. */
    private static int sampleBranch(
            float[] logits, int start, int n, boolean @Nullable [] mask, int maskStart, double uniform) {
        int best = best(logits, start, n, mask, maskStart);
        float max = logits[start + best];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            if (valid(mask, maskStart + i)) {
                sum += weight(logits[start + i], max);
            }
        }
        double threshold = uniform * sum;
        double cumulative = 0;
        for (int i = 0; i < n; i++) {
            if (valid(mask, maskStart + i)) {
                cumulative += weight(logits[start + i], max);
                if (threshold < cumulative) {
                    return i;
                }
            }
        }
        // Only rounding (or NaN) can lead here.
        return best;
    }

    @Override
    public void mode(
            float[] parameters,
            int offset,
            boolean @Nullable [] mask,
            int maskOffset,
            float[] action,
            int actionOffset) {
        int start = 0;
        for (int branch = 0; branch < branches.length; branch++) {
            action[actionOffset + branch] =
                    best(parameters, offset + start, branches[branch], mask, maskOffset + start);
            start += branches[branch];
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
        int start = 0;
        for (int branch = 0; branch < branches.length; branch++) {
            int n = branches[branch];
            float max = parameters[offset + start + best(parameters, offset + start, n, mask, maskOffset + start)];
            double sum = 0;
            for (int i = start; i < start + n; i++) {
                float weight = valid(mask, maskOffset + i) ? weight(parameters[offset + i], max) : 0f;
                work[i] = weight;
                sum += weight;
            }
            double logSum = Math.log(sum);
            double scale = 1 / sum;
            double branchEntropy = logSum;
            for (int i = start; i < start + n; i++) {
                float probability = (float) (work[i] * scale);
                work[i] = probability;
                if (probability > 0) {
                    branchEntropy -= probability * (double) difference(parameters[offset + i], max);
                }
            }
            work[parameterCount + branch] = (float) logSum;
            work[parameterCount + branches.length + branch] = (float) branchEntropy;
            entropy += branchEntropy;
            int chosen = start + (int) action[actionOffset + branch];
            logProbability += valid(mask, maskOffset + chosen)
                    ? difference(parameters[offset + chosen], max) - logSum
                    : MASKED_LOG_PROBABILITY;
            start += n;
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
        int start = 0;
        for (int branch = 0; branch < branches.length; branch++) {
            int n = branches[branch];
            int chosen = start + (int) action[actionOffset + branch];
            // d log p_chosen / dz_i = [i = chosen] - p_i and dH / dz_i = -p_i (log p_i + H); a masked action is a
            // constant.
            float weight = valid(mask, maskOffset + chosen) ? a : 0f;
            for (int i = start; i < start + n; i++) {
                gradient[offset + i] = -weight * work[i];
            }
            if (weight != 0) {
                gradient[offset + chosen] += weight;
            }
            if (b != 0) {
                float max = parameters[offset + start + best(parameters, offset + start, n, mask, maskOffset + start)];
                float constant = work[parameterCount + branches.length + branch] - work[parameterCount + branch];
                for (int i = start; i < start + n; i++) {
                    if (work[i] > 0) {
                        gradient[offset + i] -= b * work[i] * (difference(parameters[offset + i], max) + constant);
                    }
                }
            }
            start += n;
        }
    }

    /** Returns the first valid action with the largest logit; some valid one whatever the logits are. */
    private static int best(float[] logits, int start, int n, boolean @Nullable [] mask, int maskStart) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            if (valid(mask, maskStart + i) && (best < 0 || logits[start + i] > logits[start + best])) {
                best = i;
            }
        }
        return best;
    }

    private static boolean valid(boolean @Nullable [] mask, int index) {
        return mask == null || mask[index];
    }

    /** An action's probability before normalisation, 1 for the most probable one. */
    private static float weight(float logit, float max) {
        return FloatMath.exp(difference(logit, max));
    }

    /** Equal logits differ by 0, infinite ones too. */
    private static float difference(float logit, float max) {
        return logit == max ? 0f : logit - max;
    }
}
