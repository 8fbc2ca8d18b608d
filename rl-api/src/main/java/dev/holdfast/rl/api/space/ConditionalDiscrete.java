package dev.holdfast.rl.api.space;

import dev.holdfast.rl.api.Require;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Several choices at once, one per branch, that are made one after the other: what is valid, and what is probable, in a branch may
 * depend on what was chosen in its <em>parent</em>, an earlier branch.
 *
 * <p>Values and features are those of the {@link MultiDiscrete} of the same choices; what differs is the policy and the mask.
 * A policy has logits, and a mask has elements, for each branch in turn: a row of as many as the branch has choices, and
 * where it has a parent, such a row for each of the parent's choices. A ship out of three and then one of two berths for it,
 * {@code new ConditionalDiscrete(new MultiDiscrete(3, 2), -1, 0)}, takes masks of nine elements:
 *
 * <pre>
 *   0        1        2        3         4         5         6         7         8
 *   | ship 0 | ship 1 | ship 2 | berth 0 | berth 1 | berth 0 | berth 1 | berth 0 | berth 1 |
 *                              |      if ship 0    |      if ship 1    |      if ship 2    |
 * </pre>
 *
 * <p>The row of a choice that can't be made is ignored, whatever it holds. Every other row must have a valid element.
 *
 * @param choices the number of choices of each branch
 * @param parents for each branch the number of an earlier one on which it depends, or -1 if it depends on none
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by content
public record ConditionalDiscrete(MultiDiscrete choices, int... parents) implements Space {
    /** Validates and copies. */
    public ConditionalDiscrete {
        parents = parents.clone();
        Require.that(
                parents.length == choices.size(),
                "ConditionalDiscrete parents",
                "must have one for each of " + choices.size() + " branches",
                Arrays.toString(parents));
        long size = 0;
        for (int branch = 0; branch < parents.length; branch++) {
            int parent = parents[branch];
            Require.that(
                    parent >= -1 && parent < branch,
                    "ConditionalDiscrete parents",
                    "must be earlier branches, or -1 for none",
                    Arrays.toString(parents));
            size += (long) choices.count(branch) * (parent < 0 ? 1 : choices.count(parent));
        }
        Require.that(size <= Discrete.LIMIT, "ConditionalDiscrete", "must have at most 2^24 logits in all", size);
    }

    @Override
    public int[] parents() {
        return parents.clone();
    }

    /**
     * Returns where the rows of a branch start in a mask and among the logits. The element for choice {@code i} of a branch with
     * {@code n} choices is at {@code start + i} if it has no parent, and at {@code start + n · j + i} if its parent's choice is
     * {@code j}.
     *
     * @param branch the branch
     * @return an offset
     */
    public int start(int branch) {
        int start = 0;
        for (int earlier = 0; earlier < branch; earlier++) {
            start += rows(earlier) * choices.count(earlier);
        }
        return start;
    }

    private int rows(int branch) {
        return parents[branch] < 0 ? 1 : choices.count(parents[branch]);
    }

    /**
     * Returns the number of elements of a mask, which is that of the logits.
     *
     * @return at least {@link #featureSize()}
     */
    public int maskSize() {
        return start(parents.length);
    }

    @Override
    public int size() {
        return choices.size();
    }

    @Override
    public int featureSize() {
        return choices.featureSize();
    }

    @Override
    public void encode(float[] values, int offset, float[] features, int featureOffset) {
        choices.encode(values, offset, features, featureOffset);
    }

    @Override
    public @Nullable String problem(float[] values, int offset) {
        return choices.problem(values, offset);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConditionalDiscrete space
                && choices.equals(space.choices)
                && Arrays.equals(parents, space.parents);
    }

    @Override
    public int hashCode() {
        return 31 * choices.hashCode() + Arrays.hashCode(parents);
    }

    @Override
    public String toString() {
        return "ConditionalDiscrete(" + Arrays.toString(choices.branches()) + ", parents " + Arrays.toString(parents)
                + ")";
    }
}
