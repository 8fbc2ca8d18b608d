package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.space.Space;
import org.jspecify.annotations.Nullable;

/**
 * A problem to learn: what a user writes.
 *
 * <p>The caller alternates {@link #reset} and, until an episode is over, {@link #step}. All randomness must come from the seed of
 * {@code reset}: then a run can be repeated. {@link EnvironmentChecker} says what is wrong with an environment.
 *
 * <p><em>Threads.</em> One thread at a time, not always the same one.
 */
public interface Environment extends AutoCloseable {
    /**
     * Returns what can be observed. The same for the whole life of the environment.
     *
     * @return the observation space
     */
    Space observationSpace();

    /**
     * Returns what can be done. The same for the whole life of the environment.
     *
     * @return the action space
     */
    Space actionSpace();

    /**
     * Starts an episode.
     *
     * @param seed where the episode's randomness comes from; the same seed and actions give the same episode
     * @return the first observation, as a value of the observation space ({@link Space}); copied by the caller
     */
    float[] reset(long seed);

    /**
     * Takes one step. Not called after an episode is over, before the next {@link #reset}.
     *
     * @param action a value of the action space; valid under the mask if there is one
     * @return what came of it; the observation is copied by the caller
     */
    Step step(Action action);

    /**
     * Returns which actions are valid in the current state. Called after every {@link #reset} and {@link #step} that doesn't end
     * an episode.
     *
     * @return joint over all branches: {@code n} elements for {@code Discrete(n)}, {@code Σnᵢ} for {@code MultiDiscrete}, two per
     *     bit (off, on) for {@code MultiBinary}, a row for each choice of the parent for {@code ConditionalDiscrete}; at least one
     *     true in each branch, and in each row whose choice can be made; copied by the caller. Null (always, or never) if actions
     *     are not masked
     */
    default boolean @Nullable [] actionMask() {
        return null;
    }

    /**
     * Returns everything that the rest of the episode depends on, so that a resumed run equals one that was never stopped.
     *
     * @return the state, in the environment's own format, or null if it can't be saved
     */
    default byte @Nullable [] saveState() {
        return null;
    }

    /**
     * Goes on from a saved state instead of a {@link #reset}. Called only where {@link #saveState} gives a state.
     *
     * @param state what {@link #saveState} returned, perhaps in another process
     */
    default void restoreState(byte[] state) {
        throw new IllegalStateException(getClass().getName() + " saves a state but has no restoreState");
    }

    /** Frees what the environment holds. */
    @Override
    default void close() {}
}
