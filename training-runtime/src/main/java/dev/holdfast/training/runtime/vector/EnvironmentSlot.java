package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Space;
import org.jspecify.annotations.Nullable;

/** One environment in its row of the shared buffers: checks what it gives, and starts its next episode. */
final class EnvironmentSlot implements AutoCloseable {
    /** Its number among all environments, by which it is known and draws its seeds. */
    private final int index;
    /** Its row in the buffers; another one where they hold a worker's environments alone. */
    private final int row;

    private final Environment environment;
    private final Buffers buffers;
    private final RandomStream seeds = new RandomStream(0);
    private final float[] actionValues;
    private final Action action;
    private long steps;

    EnvironmentSlot(int index, int row, Environment environment, Buffers buffers) {
        this.index = index;
        this.row = row;
        this.environment = environment;
        this.buffers = buffers;
        Space observations = environment.observationSpace();
        Space actions = environment.actionSpace();
        if (!observations.equals(buffers.observationSpace) || !actions.equals(buffers.actionSpace)) {
            throw new EnvironmentException(
                    index,
                    "environment " + index + " must have the spaces of environment 0 (" + buffers.observationSpace
                            + ", " + buffers.actionSpace + "), but has " + observations + ", " + actions,
                    null);
        }
        actionValues = new float[actions.size()];
        action = Action.wrap(actionValues);
    }

    /** Begins the first episode; called in order of the index, since the first environment decides whether there are masks. */
    void reset(long seed) {
        // A stream of its own, so that an environment's episodes don't depend on how many others there are.
        seeds.restore(new RandomStream(seed, "environment-" + index).state());
        steps = 0;
        start();
    }

    void step(float[] actions) {
        System.arraycopy(actions, row * actionValues.length, actionValues, 0, actionValues.length);
        Step step;
        try {
            step = environment.step(action);
        } catch (RuntimeException e) {
            throw thrown("step", e);
        }
        steps++;
        if (step == null) {
            throw broken("step must return a Step, but returned null");
        }
        if (!Double.isFinite(step.reward())) {
            throw new NonFiniteException(where() + ": the reward must be finite, but was " + step.reward());
        }
        buffers.rewards[row] = (float) step.reward();
        buffers.terminated[row] = step.terminated();
        buffers.truncated[row] = step.truncated();
        if (step.done()) {
            store(step.observation(), buffers.finalObservations);
            start();
        } else {
            store(step.observation(), buffers.observations);
            readMask();
        }
    }

    long[] seeds() {
        return seeds.state();
    }

    long steps() {
        return steps;
    }

    EnvironmentState save() {
        try {
            return new EnvironmentState(seeds.state(), environment.saveState(), steps);
        } catch (RuntimeException e) {
            throw thrown("saveState", e);
        }
    }

    void restore(EnvironmentState state, float[] observations) {
        seeds.restore(state.seeds());
        steps = state.steps();
        byte[] saved = state.state();
        if (saved == null) {
            start();
            return;
        }
        try {
            environment.restoreState(saved);
        } catch (RuntimeException e) {
            throw thrown("restoreState", e);
        }
        int size = buffers.observationSpace.size();
        System.arraycopy(observations, row * size, buffers.observations, row * size, size);
        readMask();
    }

    private void start() {
        float[] first;
        try {
            first = environment.reset(seeds.nextLong());
        } catch (RuntimeException e) {
            throw thrown("reset", e);
        }
        store(first, buffers.observations);
        readMask();
    }

    private void store(float @Nullable [] observation, float[] rows) {
        Space space = buffers.observationSpace;
        if (observation == null || observation.length != space.size()) {
            throw broken("an observation of " + space + " must have " + space.size() + " elements, but "
                    + (observation == null ? "was null" : "had " + observation.length));
        }
        String problem = space.problem(observation, 0);
        if (problem != null) {
            for (float value : observation) {
                if (!Float.isFinite(value)) {
                    throw new NonFiniteException(where() + ": the observation must be finite, but " + problem);
                }
            }
            throw broken("the observation must be in " + space + ", but " + problem);
        }
        System.arraycopy(observation, 0, rows, row * observation.length, observation.length);
    }

    private void readMask() {
        boolean[] mask;
        try {
            mask = environment.actionMask();
        } catch (RuntimeException e) {
            throw thrown("actionMask", e);
        }
        if (!buffers.masksKnown) {
            buffers.allocateMasks(mask != null);
        }
        boolean[] masks = buffers.masks;
        if (mask == null || masks == null) {
            if ((mask == null) != (masks == null)) {
                throw broken("actionMask must return null always or never, but returned "
                        + (mask == null ? "null" : "a mask") + " after " + (mask == null ? "a mask" : "null"));
            }
            return;
        }
        int size = buffers.masking.maskSize();
        if (mask.length != size) {
            throw broken("the action mask of " + buffers.actionSpace + " must have " + size + " elements, but had "
                    + mask.length);
        }
        String branch = buffers.masking.emptyBranch(mask, 0);
        if (branch != null) {
            throw broken("the action mask must leave a valid action in every branch, but leaves none in " + branch);
        }
        System.arraycopy(mask, 0, masks, row * size, size);
    }

    private HoldfastException thrown(String call, RuntimeException e) {
        return e instanceof HoldfastException known
                ? known
                : new EnvironmentException(index, where() + ": " + call + " threw " + e, e);
    }

    private EnvironmentException broken(String what) {
        return new EnvironmentException(index, where() + ": " + what, null);
    }

    private String where() {
        return "environment " + index + " at its step " + steps;
    }

    @Override
    public void close() {
        environment.close();
    }
}
