package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An environment around another one that changes what goes in or comes out.
 *
 * <pre>{@code
 * EnvironmentWrapper.of(new Press()).timeLimit(200).scaleReward(0.01).frameStack(4)
 * }</pre>
 *
 * <p>Each method returns a new wrapper around this one. So observations and rewards pass the wrappers in the order in which they
 * are written, and actions in the opposite one. Masks, saved states and {@link #close} go through all of them. A wrapped environment
 * is used like any other; a provider may return one.
 *
 * <p>A policy sees what the outermost wrapper gives, and an application that uses the policy must hand it observations that were
 * changed in the same way. That is why there is no wrapper that normalises by running statistics: each environment of a run would
 * have its own, and so would the evaluation and the application. The settings {@code normalize_observation} and {@code
 * normalize_reward} of a run keep one set of statistics for all its environments, in the policy.
 *
 * <p><em>Wrappers of your own</em> extend this class and override what they change, calling {@code super}; everything else goes
 * through. One that remembers something from step to step also overrides {@link #saveOwnState} and {@link #restoreOwnState}, so
 * that runs can be resumed exactly.
 */
public class EnvironmentWrapper implements Environment {
    private final Environment environment;

    /**
     * Wraps an environment.
     *
     * @param environment belongs to the wrapper from now on, which closes it
     */
    protected EnvironmentWrapper(Environment environment) {
        this.environment = environment;
    }

    /**
     * Begins a chain of wrappers.
     *
     * @param environment the innermost environment; belongs to the wrapper from now on, which closes it
     * @return an environment that is the same, and has the methods of this class
     */
    public static EnvironmentWrapper of(Environment environment) {
        return new EnvironmentWrapper(environment);
    }

    /**
     * Cuts episodes. An episode that hasn't reached its end by then counts as {@linkplain Step#truncated truncated}.
     *
     * @param steps how many steps an episode has at most, at least 1
     * @return the wrapped environment
     * @throws InvalidConfigurationException if the number of steps is smaller than 1
     */
    public final EnvironmentWrapper timeLimit(int steps) {
        return new TimeLimit(this, steps);
    }

    /**
     * Shows the last observations together, the oldest first. Before an episode has had so many, its first one fills the gap. Of a
     * {@code Box} with shape {@code [s]} it makes one with shape {@code [frames, s]}; of the other spaces, one with {@code frames}
     * times the choices or bits.
     *
     * @param frames how many observations, at least 1
     * @return the wrapped environment
     * @throws InvalidConfigurationException if the number of frames is smaller than 1
     */
    public final EnvironmentWrapper frameStack(int frames) {
        return new FrameStack(this, frames);
    }

    /**
     * Multiplies rewards.
     *
     * @param factor finite and not 0; a negative one makes rewards of costs
     * @return the wrapped environment
     * @throws InvalidConfigurationException if the factor is something else
     */
    public final EnvironmentWrapper scaleReward(double factor) {
        Require.that(Double.isFinite(factor) && factor != 0, "scaleReward factor", "must be finite and not 0", factor);
        return mapReward(reward -> reward * factor);
    }

    /**
     * Moves rewards into an interval.
     *
     * @param low the smallest reward; may be infinite
     * @param high the largest reward, greater than the smallest; may be infinite
     * @return the wrapped environment
     * @throws InvalidConfigurationException unless {@code low < high}
     */
    public final EnvironmentWrapper clipReward(double low, double high) {
        Require.that(low < high, "clipReward low and high", "must be numbers with low < high", low + " and " + high);
        return mapReward(reward -> Math.min(Math.max(reward, low), high));
    }

    /**
     * Replaces each reward by a function of it.
     *
     * @param function gives the new reward for the old one
     * @return the wrapped environment
     */
    public final EnvironmentWrapper mapReward(DoubleUnaryOperator function) {
        return new RewardMap(this, function);
    }

    /**
     * Scales observations linearly, so that the bounds of each element become those given.
     *
     * @param low the lower bound afterwards, finite
     * @param high the upper bound afterwards, finite and greater than the lower one
     * @return the wrapped environment
     * @throws InvalidConfigurationException if observations aren't a {@code Box} with finite bounds, or {@code low < high} doesn't
     *     hold
     */
    public final EnvironmentWrapper scaleObservation(float low, float high) {
        BoxScale scale = new BoxScale("scaleObservation", observationSpace(), low, high);
        return mapObservation(scale.scaled(), scale::scale);
    }

    /**
     * Replaces each observation by a function of it.
     *
     * @param space the observation space afterwards
     * @param function gives the new observation, a value of that space, for the old one, which it must not change
     * @return the wrapped environment
     */
    public final EnvironmentWrapper mapObservation(Space space, UnaryOperator<float[]> function) {
        return new ObservationMap(this, space, function);
    }

    /**
     * Takes actions from other bounds and scales them linearly to the environment's own. A policy learns with actions about as
     * large as 1: {@code scaleAction(-1, 1)} suits it, whatever the environment's bounds are.
     *
     * @param low the lower bound of the actions that the wrapper takes, finite
     * @param high their upper bound, finite and greater than the lower one
     * @return the wrapped environment
     * @throws InvalidConfigurationException if actions aren't a {@code Box} with finite bounds, or {@code low < high} doesn't hold
     */
    public final EnvironmentWrapper scaleAction(float low, float high) {
        return new ActionScale(this, new BoxScale("scaleAction", actionSpace(), low, high));
    }

    /**
     * Masks actions by a function. If the environment has a mask itself, both hold.
     *
     * @param mask gives the mask of the current state, as {@link Environment#actionMask} does; never null. It may be asked any
     *     number of times, and asks the innermost environment what it needs to know
     * @return the wrapped environment
     * @throws InvalidConfigurationException if actions are a {@code Box}, which can't be masked
     */
    public final EnvironmentWrapper maskActions(Supplier<boolean[]> mask) {
        return new ActionMask(this, mask);
    }

    /**
     * Reports every episode that ends, with the rewards as they are here: those of the environment itself if this comes first.
     *
     * <p>A run that is trained reports its training episodes in {@code *.monitor.csv} files and to metric sinks, and needs no such
     * listener, which would hear of the episodes of evaluations, too.
     *
     * @param listener called by the thread that takes the last step, before that step returns; one that several environments share
     *     must be safe for use by their threads
     * @return the wrapped environment
     */
    public final EnvironmentWrapper monitor(Consumer<Episode> listener) {
        return new Monitor(this, listener, System::nanoTime);
    }

    /**
     * An episode that is over.
     *
     * @param episodeReturn the undiscounted sum of its rewards
     * @param length its number of steps
     * @param seconds how long it took; if its state was restored on the way, since then
     */
    public record Episode(double episodeReturn, long length, double seconds) {}

    @Override
    public Space observationSpace() {
        return environment.observationSpace();
    }

    @Override
    public Space actionSpace() {
        return environment.actionSpace();
    }

    @Override
    public float[] reset(long seed) {
        return environment.reset(seed);
    }

    @Override
    public Step step(Action action) {
        return environment.step(action);
    }

    @Override
    public boolean @Nullable [] actionMask() {
        return environment.actionMask();
    }

    /** {@inheritDoc} Joins {@link #saveOwnState} with the state of the wrapped environment. */
    @Override
    public byte @Nullable [] saveState() {
        byte[] inner = environment.saveState();
        if (inner == null) {
            return null;
        }
        byte[] own = saveOwnState();
        return ByteBuffer.allocate(Integer.BYTES + own.length + inner.length)
                .putInt(own.length)
                .put(own)
                .put(inner)
                .array();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it wasn't saved by these wrappers
     */
    @Override
    public void restoreState(byte[] state) {
        ByteBuffer buffer = ByteBuffer.wrap(state);
        int ownLength = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
        if (ownLength < 0 || ownLength > buffer.remaining()) {
            throw new IllegalArgumentException("the state of " + state.length + " bytes was not saved by a wrapper");
        }
        byte[] own = new byte[ownLength];
        byte[] inner = new byte[buffer.remaining() - ownLength];
        buffer.get(own).get(inner);
        restoreOwnState(own);
        environment.restoreState(inner);
    }

    /**
     * Returns what the wrapper itself remembers from step to step.
     *
     * @return in a format of its own; empty unless overridden
     */
    protected byte[] saveOwnState() {
        return new byte[0];
    }

    /**
     * Goes on from what the wrapper remembered.
     *
     * @param state what {@link #saveOwnState} returned, perhaps in another process
     * @throws IllegalArgumentException if it can't be that
     */
    protected void restoreOwnState(byte[] state) {
        requireLength(state, 0);
    }

    /** Tells wrappers that changed since the state was saved, as far as their states differ in length. */
    final ByteBuffer requireLength(byte[] state, int bytes) {
        if (state.length != bytes) {
            throw new IllegalArgumentException("a saved state of " + getClass().getSimpleName() + " must have " + bytes
                    + " bytes, but had " + state.length + ": it was saved by other wrappers");
        }
        return ByteBuffer.wrap(state);
    }

    @Override
    public void close() {
        environment.close();
    }
}
