package dev.holdfast.rl.api.distribution;

import dev.holdfast.rl.api.math.FloatMath;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Independent categorical distributions, one a branch, each given by its logits.
 *
 * <p>Masks are applied by leaving invalid actions out of every maximum and sum, not by lowering their logits. The work array
 * holds the probabilities, then each logit less its branch's largest, then for each branch its entropy less the logarithm of its
 * normaliser. Loops over it have hardly a branch in them: masks are too irregular to be predicted.
 */
final class CategoricalDistribution implements ActionDistribution {
    /** A difference of logits at which an action's probability is 0 in single precision; finite, unlike that of a masked one. */
    private static final float NEVER = -200f;

    private static final int MINUS_INFINITY = Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);

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
        return 2 * parameterCount + branches.length;
    }

    @Override
    public @Nullable String emptyBranch(boolean[] mask, int maskOffset) {
        int start = maskOffset;
        for (int branch = 0; branch < branches.length; branch++) {
            boolean any = false;
            for (int i = start; i < start + branches[branch]; i++) {
                any |= mask[i];
            }
            if (!any) {
                return "branch " + branch;
            }
            start += branches[branch];
        }
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
        int start = 0;
        for (int branch = 0; branch < branches.length; branch++) {
            int n = branches[branch];
            action[actionOffset + branch] =
                    sampleRow(parameters, offset + start, n, mask, maskOffset + start, random.nextDouble());
            start += n;
        }
    }

    /** Inverts the cumulative distribution at {@code uniform}. */
    static int sampleRow(float[] logits, int start, int n, boolean @Nullable [] mask, int maskStart, double uniform) {
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
            int differences = parameterCount + start;
            float max = subtractMax(parameters, offset + start, n, mask, maskOffset + start, work, differences);
            double sum = weights(work, differences, n, start);
            float scale = (float) (1 / sum);
            double mean = 0;
            for (int i = 0; i < n; i++) {
                work[start + i] *= scale;
                mean += work[start + i] * work[differences + i];
            }
            double logSum = Math.log(sum);
            work[2 * parameterCount + branch] = (float) -mean;
            entropy += logSum - mean;
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
            // constant. With
            // p_i = exp(d_i) / S, log p_i + H is d_i + (H - log S).
            float weight = valid(mask, maskOffset + chosen) ? a : 0f;
            float constant = work[2 * parameterCount + branch];
            int differences = parameterCount + start;
            for (int i = 0; i < n; i++) {
                gradient[offset + start + i] = -work[start + i] * (weight + b * (work[differences + i] + constant));
            }
            gradient[offset + chosen] += weight;
            start += n;
        }
    }

    /** Writes each logit less the largest valid one, and returns the latter. */
    static float subtractMax(
            float[] logits, int start, int n, boolean @Nullable [] mask, int maskStart, float[] to, int toStart) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            float logit = logits[start + i];
            if (mask != null) {
                int keep = -(mask[maskStart + i] ? 1 : 0);
                logit = Float.intBitsToFloat((Float.floatToRawIntBits(logit) & keep) | (MINUS_INFINITY & ~keep));
            }
            to[toStart + i] = logit;
            max = Math.max(max, logit);
        }
        if (Float.isInfinite(max)) {
            // Infinity less infinity would be NaN.
            for (int i = 0; i < n; i++) {
                to[toStart + i] = valid(mask, maskStart + i) && logits[start + i] == max ? 0f : NEVER;
            }
        } else {
            for (int i = 0; i < n; i++) {
                to[toStart + i] = Math.max(to[toStart + i] - max, NEVER);
            }
        }
        return max;
    }

    /** Writes probabilities before normalisation, from what {@link #subtractMax} wrote, and returns their sum. */
    static double weights(float[] work, int differences, int n, int to) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            float difference = work[differences + i];
            float weight = difference == NEVER ? 0f : FloatMath.exp(difference);
            work[to + i] = weight;
            sum += weight;
        }
        return sum;
    }

    /** Returns the first valid action with the largest logit; some valid one whatever the logits are. */
    static int best(float[] logits, int start, int n, boolean @Nullable [] mask, int maskStart) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            if (valid(mask, maskStart + i) && (best < 0 || logits[start + i] > logits[start + best])) {
                best = i;
            }
        }
        return best;
    }

    static boolean valid(boolean @Nullable [] mask, int index) {
        return mask == null || mask[index];
    }

    /** An action's probability before normalisation, 1 for the most probable one. */
    private static float weight(float logit, float max) {
        return FloatMath.exp(difference(logit, max));
    }

    /** Equal logits differ by 0, infinite ones too. */
    static float difference(float logit, float max) {
        return logit == max ? 0f : logit - max;
    }
}
