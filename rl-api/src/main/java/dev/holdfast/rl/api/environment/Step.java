package dev.holdfast.rl.api.environment;

/**
 * What one step of an environment gives.
 *
 * @param observation the new observation, as a value of the observation space; at the end of an episode the last one
 * @param reward the reward, finite
 * @param terminated whether the episode reached its end, after which no reward can follow
 * @param truncated whether the episode was cut (by a time limit, say), so that more reward could have followed
 */
@SuppressWarnings("ArrayRecordComponent") // made once a step: a plain array costs least
public record Step(float[] observation, double reward, boolean terminated, boolean truncated) {
    /**
     * Returns whether the episode is over.
     *
     * @return terminated or truncated
     */
    public boolean done() {
        return terminated || truncated;
    }
}
