package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.space.Space;
import java.util.Arrays;

/**
 * One action, as an environment gets it. Valid for the space it was made for.
 *
 * <p>An action given to {@link Environment#step} may be reused by the caller afterwards: keep {@link #toArray()}, not the action.
 */
public final class Action {
    private final float[] values;

    private Action(float[] values) {
        this.values = values;
    }

    /**
     * Wraps the values of an action without copying them.
     *
     * @param values the action's floats, {@link Space#size()} of them
     * @return an action that shows later changes of the array
     */
    public static Action wrap(float[] values) {
        return new Action(values);
    }

    /**
     * Returns a copy of part of an array as an action.
     *
     * @param values holds the action
     * @param offset where it starts
     * @param size its number of floats
     * @return the action
     */
    public static Action copyOf(float[] values, int offset, int size) {
        return new Action(Arrays.copyOfRange(values, offset, offset + size));
    }

    /**
     * Returns a {@code Discrete} action.
     *
     * @param index the choice
     * @return the action
     */
    public static Action of(int index) {
        return new Action(new float[] {index});
    }

    /**
     * Returns the choice of a {@code Discrete} action.
     *
     * @return 0 to n - 1
     */
    public int index() {
        return (int) values[0];
    }

    /**
     * Returns the choice in one branch of a {@code MultiDiscrete} or {@code ConditionalDiscrete} action, or a bit of a {@code
     * MultiBinary} one.
     *
     * @param branch the branch or bit
     * @return the choice
     */
    public int index(int branch) {
        return (int) values[branch];
    }

    /**
     * Returns one number of a {@code Box} action.
     *
     * @param element its place in row-major order
     * @return the number, within the bounds
     */
    public float value(int element) {
        return values[element];
    }

    /**
     * Returns a copy of the action's floats.
     *
     * @return a new array
     */
    public float[] toArray() {
        return values.clone();
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
