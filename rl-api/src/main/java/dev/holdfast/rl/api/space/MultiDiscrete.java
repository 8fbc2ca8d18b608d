package dev.holdfast.rl.api.space;

import dev.holdfast.rl.api.Require;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Several choices at once, one per branch.
 *
 * @param branches the number of choices of each branch, each 1 to 2^24
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by content
public record MultiDiscrete(int... branches) implements Space {
    /** Validates and copies. */
    public MultiDiscrete {
        branches = branches.clone();
        Require.that(branches.length > 0, "MultiDiscrete branches", "must not be empty", "[]");
        long sum = 0;
        for (int n : branches) {
            Require.that(
                    n >= 1, "MultiDiscrete branches", "must have at least 1 choice each", Arrays.toString(branches));
            sum += n;
        }
        Require.that(sum <= Discrete.LIMIT, "MultiDiscrete branches", "must have at most 2^24 choices in all", sum);
    }

    @Override
    public int[] branches() {
        return branches.clone();
    }

    /** Without a copy. */
    int count(int branch) {
        return branches[branch];
    }

    @Override
    public int size() {
        return branches.length;
    }

    @Override
    public int featureSize() {
        return Arrays.stream(branches).sum();
    }

    @Override
    public void encode(float[] values, int offset, float[] features, int featureOffset) {
        int at = featureOffset;
        for (int i = 0; i < branches.length; i++) {
            OneHot.encode(values[offset + i], branches[i], features, at);
            at += branches[i];
        }
    }

    @Override
    public @Nullable String problem(float[] values, int offset) {
        for (int i = 0; i < branches.length; i++) {
            String problem = OneHot.problem(values[offset + i], branches[i]);
            if (problem != null) {
                return "branch " + i + " " + problem;
            }
        }
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MultiDiscrete space && Arrays.equals(branches, space.branches);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(branches);
    }

    @Override
    public String toString() {
        return "MultiDiscrete(" + Arrays.toString(branches) + ")";
    }
}
