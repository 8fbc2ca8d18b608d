package dev.holdfast.rl.api.environment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What an environment shows after a reset or a step, copied. */
@SuppressWarnings("ArrayRecordComponent") // compared by difference() alone
record Moment(float[] observation, double reward, boolean terminated, boolean truncated, boolean @Nullable [] mask) {
    boolean done() {
        return terminated || truncated;
    }

    /** Says how another moment differs from this one, bit for bit, or returns null. */
    @Nullable String difference(Moment other) {
        int element = Arrays.mismatch(observation, other.observation);
        if (element >= 0 && observation.length == other.observation.length) {
            return "element " + element + " of the observation was " + observation[element] + " the first time and "
                    + other.observation[element] + " the second";
        }
        if (element >= 0) {
            return "the observation had " + observation.length + " elements the first time and "
                    + other.observation.length + " the second";
        }
        if (Double.compare(reward, other.reward) != 0) {
            return "the reward was " + reward + " the first time and " + other.reward + " the second";
        }
        if (terminated != other.terminated || truncated != other.truncated) {
            return "terminated and truncated were " + terminated + " and " + truncated + " the first time and "
                    + other.terminated + " and " + other.truncated + " the second";
        }
        if (!Arrays.equals(mask, other.mask)) {
            return "the action mask was " + Arrays.toString(mask) + " the first time and " + Arrays.toString(other.mask)
                    + " the second";
        }
        return null;
    }
}
