package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.space.Space;
import org.jspecify.annotations.Nullable;

/** The arrays that the environments of a vector environment write to, one row each. */
final class Buffers {
    final Space observationSpace;
    final Space actionSpace;
    final float[] observations;
    final float[] finalObservations;
    final float[] rewards;
    final boolean[] terminated;
    final boolean[] truncated;

    /** Knows the length and the branches of a mask. */
    final ActionDistribution masking;

    /** Whether environment 0 has shown, with its first observation, if there are masks. */
    boolean masksKnown;

    boolean @Nullable [] masks;

    Buffers(int count, Space observationSpace, Space actionSpace) {
        this.observationSpace = observationSpace;
        this.actionSpace = actionSpace;
        observations = new float[count * observationSpace.size()];
        finalObservations = new float[observations.length];
        rewards = new float[count];
        terminated = new boolean[count];
        truncated = new boolean[count];
        masking = ActionDistribution.of(actionSpace, true);
    }

    void allocateMasks(boolean masked) {
        masks = masked ? new boolean[rewards.length * masking.maskSize()] : null;
        masksKnown = true;
    }
}
