package dev.holdfast.rl.api.distribution;

import dev.holdfast.rl.api.space.ConditionalDiscrete;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Categorical distributions, one a branch, of which each may depend on what was chosen in an earlier branch: a forest of choices.
 *
 * <p>Logits, masks and the work array's first two parts have the layout of {@link ConditionalDiscrete}. The most probable action is
 * taken branch by branch, as actions are drawn: the most probable choice after those before it.
 */
final class ConditionalDistribution implements ActionDistribution {
    /*
     * Branch i has a choice k for each choice j of its parent with probability p_i(k|j), the softmax of row j of its logits z_ijk.
     * The joint probability of an action is the product of these over the branches. By the chain rule its entropy is the sum of
     * the branches' entropies given their parents, each row weighted by the probability P_i(j) that the parent chooses j. With
     * F_i(j) the entropy of everything that is decided in branch i and those below it once the parent has chosen j,
     *
     *     F_i(j) = -Σ_k p_i(k|j) (log p_i(k|j) - L_i(k)),    L_i(k) = Σ F_c(k) over the children c of i,
     *
     * and the joint entropy is ΣF over the branches without a parent. Children come later than their parents, so that one pass
     * from the last branch to the first computes it.
     *
     * Its gradient: z_ijk appears in F_i(j) alone, and F_i(j) in the joint entropy with the weight P_i(j). Since
     * dp_i(l|j) / dz_ijk = p_i(l|j) ([l = k] - p_i(k|j)) and Σ_l p_i(l|j) · d log p_i(l|j) / dz_ijk = 0,
     *
     *     dH / dz_ijk = -P_i(j) p_i(k|j) (log p_i(k|j) - L_i(k) + F_i(j)),
     *
     * which is that of one categorical distribution where L = 0 and P = 1. P comes from one pass from the first branch to
     * the last: P_c(k) = Σ_j P_i(j) p_i(k|j).
     *
     * A row that can't be reached has P = 0, and its F is multiplied by a probability that is 0, so that it has no influence; if
     * it has no valid choice, its probabilities and its F are set to 0.
     */

    private final int[] counts;
    private final int[] parents;
    private final int[] rows;
    /** Where the rows of each branch start. */
    private final int[] starts;
    /** Of each row, where a number for it is kept in the work array. */
    private final int[] rowStarts;
    /** Of each choice, whatever the parent's, where a number for it is kept in the work array. */
    private final int[] choiceStarts;

    private final int parameterCount;
    private final int choiceCount;
    private final int workSize;

    ConditionalDistribution(ConditionalDiscrete space) {
        counts = space.choices().branches();
        parents = space.parents();
        parameterCount = space.maskSize();
        choiceCount = space.featureSize();
        int branches = counts.length;
        rows = new int[branches];
        starts = new int[branches];
        rowStarts = new int[branches];
        choiceStarts = new int[branches];
        int choice = 2 * parameterCount;
        int row = choice + choiceCount;
        for (int branch = 0; branch < branches; branch++) {
            rows[branch] = parents[branch] < 0 ? 1 : counts[parents[branch]];
            starts[branch] = space.start(branch);
            choiceStarts[branch] = choice;
            choice += counts[branch];
            rowStarts[branch] = row;
            row += rows[branch];
        }
        workSize = row;
    }

    @Override
    public int parameterCount() {
        return parameterCount;
    }

    @Override
    public int actionSize() {
        return counts.length;
    }

    @Override
    public int maskSize() {
        return parameterCount;
    }

    @Override
    public int workSize() {
        return workSize;
    }

    @Override
    public @Nullable String emptyBranch(boolean[] mask, int maskOffset) {
        boolean[] possible = new boolean[choiceCount];
        for (int branch = 0; branch < counts.length; branch++) {
            int parent = parents[branch];
            for (int row = 0; row < rows[branch]; row++) {
                if (parent >= 0 && !possible[choiceStarts[parent] - choiceStarts[0] + row]) {
                    continue;
                }
                boolean any = false;
                for (int i = 0; i < counts[branch]; i++) {
                    boolean valid = mask[maskOffset + starts[branch] + row * counts[branch] + i];
                    any |= valid;
                    possible[choiceStarts[branch] - choiceStarts[0] + i] |= valid;
                }
                if (!any) {
                    return "branch " + branch + (parent < 0 ? "" : " after choice " + row + " in branch " + parent);
                }
            }
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
        for (int branch = 0; branch < counts.length; branch++) {
            int start = chosenStart(branch, action, actionOffset);
            action[actionOffset + branch] = CategoricalDistribution.sampleRow(
                    parameters, offset + start, counts[branch], mask, maskOffset + start, random.nextDouble());
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
        for (int branch = 0; branch < counts.length; branch++) {
            int start = chosenStart(branch, action, actionOffset);
            action[actionOffset + branch] =
                    CategoricalDistribution.best(parameters, offset + start, counts[branch], mask, maskOffset + start);
        }
    }

    /** Returns where the row of a branch starts that holds after the action's choices in earlier branches. */
    private int chosenStart(int branch, float[] action, int actionOffset) {
        return starts[branch] + chosenRow(branch, action, actionOffset) * counts[branch];
    }

    private int chosenRow(int branch, float[] action, int actionOffset) {
        return parents[branch] < 0 ? 0 : (int) action[actionOffset + parents[branch]];
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
        clearChoices(work);
        for (int branch = counts.length - 1; branch >= 0; branch--) {
            int n = counts[branch];
            int chosenRow = chosenRow(branch, action, actionOffset);
            for (int row = 0; row < rows[branch]; row++) {
                int start = starts[branch] + row * n;
                int differences = parameterCount + start;
                float max = CategoricalDistribution.subtractMax(
                        parameters, offset + start, n, mask, maskOffset + start, work, differences);
                double sum = CategoricalDistribution.weights(work, differences, n, start);
                boolean empty = sum == 0;
                float scale = empty ? 0 : (float) (1 / sum);
                double logSum = empty ? 0 : Math.log(sum);
                double mean = 0;
                for (int i = 0; i < n; i++) {
                    work[start + i] *= scale;
                    work[differences + i] -= work[choiceStarts[branch] + i];
                    mean += work[start + i] * work[differences + i];
                }
                work[rowStarts[branch] + row] = (float) -mean;
                if (parents[branch] < 0) {
                    entropy += logSum - mean;
                } else {
                    work[choiceStarts[parents[branch]] + row] += (float) (logSum - mean);
                }
                if (row == chosenRow) {
                    int chosen = start + (int) action[actionOffset + branch];
                    logProbability += CategoricalDistribution.valid(mask, maskOffset + chosen)
                            ? CategoricalDistribution.difference(parameters[offset + chosen], max) - logSum
                            : MASKED_LOG_PROBABILITY;
                }
            }
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
        clearChoices(work);
        for (int branch = 0; branch < counts.length; branch++) {
            int n = counts[branch];
            int chosenRow = chosenRow(branch, action, actionOffset);
            for (int row = 0; row < rows[branch]; row++) {
                int start = starts[branch] + row * n;
                int differences = parameterCount + start;
                int chosen = start + (int) action[actionOffset + branch];
                float reached = parents[branch] < 0 ? 1f : work[choiceStarts[parents[branch]] + row];
                float weight = row == chosenRow && CategoricalDistribution.valid(mask, maskOffset + chosen) ? a : 0f;
                float constant = work[rowStarts[branch] + row];
                for (int i = 0; i < n; i++) {
                    float probability = work[start + i];
                    gradient[offset + start + i] =
                            -probability * (weight + b * reached * (work[differences + i] + constant));
                    work[choiceStarts[branch] + i] += reached * probability;
                }
                gradient[offset + chosen] += weight;
            }
        }
    }

    /** What is kept of each choice is L while evaluating, and P for the gradient. */
    private void clearChoices(float[] work) {
        Arrays.fill(work, choiceStarts[0], choiceStarts[0] + choiceCount, 0f);
    }
}
