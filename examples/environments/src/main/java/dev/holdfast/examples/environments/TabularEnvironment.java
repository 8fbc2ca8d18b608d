package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Discrete;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A finite Markov decision process: a table says what each step can lead to. The observation is the state. An episode is truncated
 * after a number of steps. Since the table is known, so is what a policy earns, and what the best one does
 * ({@link TabularOptimum}).
 *
 * <p>A saved state, big-endian:
 * <pre>
 *   byte  0              32      36      40
 *         | long[4]      | int   | int   |
 *         | random state | steps | state |
 * </pre>
 */
public final class TabularEnvironment implements Environment {
    private static final int STATE_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES;

    /**
     * One of the ways in which a step can turn out.
     *
     * @param probability of this way
     * @param state the next state
     * @param reward the step's reward
     * @param terminated whether the episode reaches its end there
     */
    public record Outcome(double probability, int state, double reward, boolean terminated) {}

    /**
     * What following a policy leads to.
     *
     * @param expectedReturn the expected undiscounted return of an episode
     * @param states those in which the policy may have to choose an action
     */
    public record Prospect(double expectedReturn, BitSet states) {}

    /** The rules of a task, from which the table is made. */
    interface Rules {
        /** Returns how much more likely than others a state is as an episode's first; 0 if it never is. */
        double startWeight(int state);

        /** Returns what an action can lead to, with probabilities that sum to 1. */
        List<Outcome> outcomes(int state, int action);

        /** Returns which actions are valid in a state, or null, in every state, if actions are not masked. */
        default boolean @Nullable [] mask(int state) {
            return null;
        }
    }

    private final String name;
    private final Discrete observationSpace;
    private final Discrete actionSpace;
    private final Rules rules;
    private final double[] start;
    private final Outcome[][][] outcomes;
    private final int maxSteps;
    private final RandomStream random = new RandomStream(0);
    private int steps;
    private int state;

    TabularEnvironment(String name, int states, int actions, Rules rules, int maxSteps) {
        this.name = name;
        this.rules = rules;
        this.maxSteps = maxSteps;
        observationSpace = new Discrete(states);
        actionSpace = new Discrete(actions);
        start = new double[states];
        outcomes = new Outcome[states][actions][];
        double weights = 0;
        for (int s = 0; s < states; s++) {
            start[s] = rules.startWeight(s);
            weights += start[s];
            for (int a = 0; a < actions; a++) {
                outcomes[s][a] = rules.outcomes(s, a).toArray(Outcome[]::new);
            }
        }
        for (int s = 0; s < states; s++) {
            start[s] /= weights;
        }
    }

    @Override
    public Discrete observationSpace() {
        return observationSpace;
    }

    @Override
    public Discrete actionSpace() {
        return actionSpace;
    }

    /**
     * Returns the probability that an episode starts in a state.
     *
     * @param state the state
     * @return 0 to 1
     */
    public double startProbability(int state) {
        return start[state];
    }

    /**
     * Returns what an action can lead to.
     *
     * @param state where it is taken
     * @param action the action
     * @return at least one outcome; their probabilities sum to 1
     */
    public List<Outcome> outcomes(int state, int action) {
        return List.of(outcomes[state][action]);
    }

    /**
     * Returns which actions are valid in a state.
     *
     * @param state the state
     * @return one element an action, or null, for every state, if actions are not masked
     */
    public boolean @Nullable [] actionMask(int state) {
        return rules.mask(state);
    }

    /**
     * Computes what following a policy leads to, within the number of steps after which episodes are truncated.
     *
     * @param policy gives each state's action
     * @return exact up to rounding
     */
    public Prospect follow(IntUnaryOperator policy) {
        double expectedReturn = 0;
        BitSet states = new BitSet();
        double[] now = start;
        for (int step = 0; step < maxSteps; step++) {
            double[] next = new double[start.length];
            for (int s = 0; s < now.length; s++) {
                if (now[s] > 0) {
                    states.set(s);
                    for (Outcome outcome : outcomes[s][policy.applyAsInt(s)]) {
                        double probability = now[s] * outcome.probability;
                        expectedReturn += probability * outcome.reward;
                        next[outcome.state] += outcome.terminated ? 0 : probability;
                    }
                }
            }
            now = next;
        }
        return new Prospect(expectedReturn, states);
    }

    @Override
    public float[] reset(long seed) {
        random.reseed(seed);
        steps = 0;
        double left = random.nextDouble();
        state = 0;
        while (left >= start[state]) {
            left -= start[state++];
        }
        return new float[] {state};
    }

    @Override
    public Step step(Action action) {
        Outcome outcome = draw(outcomes[state][action.index()]);
        state = outcome.state;
        steps++;
        return new Step(new float[] {state}, outcome.reward, outcome.terminated, steps >= maxSteps);
    }

    private Outcome draw(Outcome[] possible) {
        double left = random.nextDouble();
        int i = 0;
        // The last one takes what rounding leaves over.
        while (i < possible.length - 1 && left >= possible[i].probability) {
            left -= possible[i++].probability;
        }
        return possible[i];
    }

    @Override
    public boolean @Nullable [] actionMask() {
        return actionMask(state);
    }

    @Override
    public byte[] saveState() {
        ByteBuffer buffer = ByteBuffer.allocate(STATE_BYTES);
        for (long word : random.state()) {
            buffer.putLong(word);
        }
        return buffer.putInt(steps).putInt(state).array();
    }

    @Override
    public void restoreState(byte[] saved) {
        SavedState.requireLength(saved, STATE_BYTES, name);
        ByteBuffer buffer = ByteBuffer.wrap(saved);
        random.restore(new long[] {buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong()});
        steps = buffer.getInt();
        state = buffer.getInt();
    }
}
