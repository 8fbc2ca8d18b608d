package dev.holdfast.rl.api.distribution;

import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The probability distribution over actions that one row of the action head's outputs describes.
 *
 * <table>
 * <caption>The distribution of each action space</caption>
 * <tr><th>actions</th><th>distribution</th><th>outputs</th></tr>
 * <tr><td>Discrete(n)</td><td>categorical</td><td>n logits</td></tr>
 * <tr><td>MultiDiscrete(n₁…n_k)</td><td>independent categoricals, one a branch</td><td>Σnᵢ logits</td></tr>
 * <tr><td>ConditionalDiscrete(n₁…n_k)</td><td>categoricals, one a branch, given its parent's choice</td>
 *     <td>Σnᵢ·n_parent logits</td></tr>
 * <tr><td>MultiBinary(n), not masked</td><td>independent Bernoullis</td><td>n logits</td></tr>
 * <tr><td>MultiBinary(n), masked</td><td>independent categoricals of two</td><td>2n logits</td></tr>
 * <tr><td>Box(n)</td><td>normal with a diagonal covariance</td><td>n means; log_std is a parameter of its own</td></tr>
 * </table>
 *
 * <p>A mask has {@link #maskSize()} elements, true where the action may be chosen, joint over all branches. A masked action
 * has probability 0 whatever its logit is; its log-probability is {@link #MASKED_LOG_PROBABILITY}, it gets no gradient, and it
 * is never sampled. The caller guarantees that {@link #emptyBranch} finds none.
 *
 * <p>Every method works on one row of larger arrays and keeps no state: an instance may be shared by threads. None but {@link
 * #emptyBranch} allocates anything.
 */
public sealed interface ActionDistribution
        permits CategoricalDistribution, ConditionalDistribution, BernoulliDistribution, GaussianDistribution {
    /** What stands for the logarithm of probability 0; finite, as in the reference implementation. */
    float MASKED_LOG_PROBABILITY = -1e8f;

    /**
     * Returns the distribution for an action space.
     *
     * @param space the actions
     * @param masked whether masks are used
     * @return the distribution
     */
    static ActionDistribution of(Space space, boolean masked) {
        if (space instanceof Discrete discrete) {
            return new CategoricalDistribution(discrete.n());
        } else if (space instanceof MultiDiscrete multi) {
            return new CategoricalDistribution(multi.branches());
        } else if (space instanceof ConditionalDiscrete conditional) {
            return new ConditionalDistribution(conditional);
        } else if (space instanceof MultiBinary bits) {
            if (!masked) {
                return new BernoulliDistribution(bits.n());
            }
            int[] branches = new int[bits.n()];
            Arrays.fill(branches, 2);
            return new CategoricalDistribution(branches);
        }
        return new GaussianDistribution(((Box) space).size());
    }

    /**
     * Returns the number of outputs that the action head must have.
     *
     * @return logits or means per row
     */
    int parameterCount();

    /**
     * Returns the number of floats of one action.
     *
     * @return as {@link Space#size()}
     */
    int actionSize();

    /**
     * Returns the number of elements of one mask.
     *
     * @return 0 if this distribution takes no mask
     */
    int maskSize();

    /**
     * Says which branch of a mask leaves no valid action.
     *
     * @param mask holds the mask
     * @param maskOffset where the row's mask starts
     * @return the first branch with no valid action, for example {@code branch 1}, or {@code branch 1 after choice 3 in branch 0}
     *     if that is a choice that can be made; null if there is none
     */
    @Nullable String emptyBranch(boolean[] mask, int maskOffset);

    /**
     * Draws an action.
     *
     * @param parameters holds the row's outputs
     * @param offset where they start
     * @param logStd the logarithms of the standard deviations; empty unless actions are a {@code Box}
     * @param mask holds the row's mask, or null where every action is valid
     * @param maskOffset where the mask starts
     * @param random where randomness comes from; one draw per branch or bit (a normal draw per element of a {@code Box})
     * @param action receives the action
     * @param actionOffset where it starts
     */
    void sample(
            float[] parameters,
            int offset,
            float[] logStd,
            boolean @Nullable [] mask,
            int maskOffset,
            RandomGenerator random,
            float[] action,
            int actionOffset);

    /**
     * Writes the most probable action; the first one where several are. For a {@code ConditionalDiscrete} it is sought branch by
     * branch, after the choices in the branches before it, which doesn't always lead to the most probable joint action.
     *
     * @param parameters holds the row's outputs
     * @param offset where they start
     * @param mask holds the row's mask, or null where every action is valid
     * @param maskOffset where the mask starts
     * @param action receives the action
     * @param actionOffset where it starts
     */
    void mode(
            float[] parameters,
            int offset,
            boolean @Nullable [] mask,
            int maskOffset,
            float[] action,
            int actionOffset);

    /**
     * Computes the log-probability of an action and the entropy of the distribution, and leaves in {@code work} what {@link
     * #gradient} needs.
     *
     * @param parameters holds the row's outputs
     * @param offset where they start
     * @param logStd the logarithms of the standard deviations; empty unless actions are a {@code Box}
     * @param mask holds the row's mask, or null where every action is valid
     * @param maskOffset where the mask starts
     * @param action holds the action
     * @param actionOffset where it starts
     * @param work receives intermediate results, {@link #workSize()} floats
     * @param result receives the log-probability at 0 and the entropy at 1
     */
    void evaluate(
            float[] parameters,
            int offset,
            float[] logStd,
            boolean @Nullable [] mask,
            int maskOffset,
            float[] action,
            int actionOffset,
            float[] work,
            float[] result);

    /**
     * Writes the gradient of {@code a · log-probability + b · entropy} with respect to the outputs, and adds the one with respect
     * to the logarithms of the standard deviations. Called right after {@link #evaluate} with the same row and {@code work}.
     *
     * @param parameters holds the row's outputs
     * @param offset where they start
     * @param logStd the logarithms of the standard deviations; empty unless actions are a {@code Box}
     * @param mask holds the row's mask, or null where every action is valid
     * @param maskOffset where the mask starts
     * @param action holds the action
     * @param actionOffset where it starts
     * @param work what {@link #evaluate} left there
     * @param a the weight of the log-probability
     * @param b the weight of the entropy
     * @param gradient receives the gradient of the outputs at {@code offset}; overwritten
     * @param logStdGradient the gradient of the logarithms of the standard deviations is added to it
     */
    void gradient(
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
            double[] logStdGradient);

    /**
     * Returns the length of the work array of {@link #evaluate}.
     *
     * @return a number of floats
     */
    int workSize();
}
