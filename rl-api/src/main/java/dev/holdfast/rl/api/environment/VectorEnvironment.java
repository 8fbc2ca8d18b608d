package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.space.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several environments of one kind that are stepped together.
 *
 * <p>The arrays that the accessors return are allocated once and overwritten by the next {@link #step}; row {@code i} belongs to
 * environment {@code i}. An episode that ends is followed at once by the next: then {@link #observations} and {@link #masks}
 * are the new episode's first, and {@link #finalObservations} has the old one's last.
 *
 * <p>Every environment draws the seeds of its episodes from a random stream of its own, derived from the seed of {@link #reset}
 * and its number: its trajectory depends on these and on its actions, not on the kind of vector environment.
 *
 * <p><em>Threads.</em> Used by one thread; what happens inside is the implementation's affair.
 */
public interface VectorEnvironment extends AutoCloseable {
    /**
     * Returns the number of environments.
     *
     * @return at least 1
     */
    int count();

    /**
     * Returns the observation space that all environments share.
     *
     * @return the space
     */
    Space observationSpace();

    /**
     * Returns the action space that all environments share.
     *
     * @return the space
     */
    Space actionSpace();

    /**
     * Returns whether the environments mask actions. Known after the first {@link #reset} or {@link #restore}.
     *
     * @return whether {@link #masks} is not null
     */
    boolean masked();

    /**
     * Starts an episode in every environment.
     *
     * @param seed the run's seed
     */
    void reset(long seed);

    /**
     * Takes one step in every environment; after a step that {@link #missed} some, in those alone, which completes it.
     *
     * @param actions {@code [count, action size]}, valid values of the action space
     * @throws dev.holdfast.rl.api.EnvironmentException if an environment throws or breaks its contract; the message names which,
     *     at which of its steps
     * @throws dev.holdfast.rl.api.NonFiniteException if an observation or reward is NaN or infinite
     */
    void step(float[] actions);

    /**
     * Returns the current observations.
     *
     * @return {@code [count, observation size]}
     */
    float[] observations();

    /**
     * Returns which actions are valid now.
     *
     * @return {@code [count, mask size]}, or null if actions are not masked
     */
    boolean @Nullable [] masks();

    /**
     * Returns the rewards of the last step.
     *
     * @return {@code [count]}
     */
    float[] rewards();

    /**
     * Returns whose episode reached its end with the last step.
     *
     * @return {@code [count]}
     */
    boolean[] terminated();

    /**
     * Returns whose episode was cut with the last step.
     *
     * @return {@code [count]}
     */
    boolean[] truncated();

    /**
     * Returns which environments the last step did not reach, since they were lost with their worker: they have been begun anew,
     * and their rows of {@link #observations} and {@link #masks} are a new episode's first. Their old episodes ended, as
     * truncations, with the step before.
     *
     * @return {@code [count]}, all false but for environments in processes of their own
     */
    boolean[] missed();

    /**
     * Returns the last observations of the episodes that ended with the last step; other rows are old.
     *
     * @return {@code [count, observation size]}
     */
    float[] finalObservations();

    /**
     * Saves the state of every environment, between two steps.
     *
     * @return one state an environment
     */
    List<EnvironmentState> save();

    /**
     * Goes on from saved states. An environment whose state holds none of its own starts a new episode instead.
     *
     * @param states one state an environment
     * @param observations what {@link #observations} held when the states were saved
     * @throws IllegalArgumentException if the number of states isn't {@link #count}
     */
    void restore(List<EnvironmentState> states, float[] observations);

    /** Closes all environments and frees threads or processes. */
    @Override
    void close();

    /**
     * The saved state of one environment in a vector environment.
     *
     * @param seeds the state of the stream from which it draws the seeds of its episodes
     * @param state what {@link Environment#saveState} gave, or null if it can't be saved
     * @param steps the number of steps it has taken since the run began
     */
    @SuppressWarnings("ArrayRecordComponent") // an opaque state, never compared
    record EnvironmentState(long[] seeds, byte @Nullable [] state, long steps) {}
}
