package dev.holdfast.examples.environments;

import dev.holdfast.examples.environments.TabularEnvironment.Outcome;

/**
 * The best that can be done in a tabular environment, by value iteration: the actions that maximise the expected discounted return
 * where nothing cuts an episode.
 */
public final class TabularOptimum {
    /** Values are iterated until none changes by more, and actions whose values differ by less are as good. */
    private static final double CHANGE = 1e-12;

    private static final double TIE = 1e-9;

    private final double[][] actionValues;

    private TabularOptimum(double[][] actionValues) {
        this.actionValues = actionValues;
    }

    /**
     * Solves an environment.
     *
     * @param environment its table is read; it isn't played
     * @param gamma the discount, below 1 unless every policy ends some time
     * @return its optimum
     */
    public static TabularOptimum of(TabularEnvironment environment, double gamma) {
        int states = environment.observationSpace().n();
        int actions = environment.actionSpace().n();
        double[] values = new double[states];
        double[][] actionValues = new double[states][actions];
        double change;
        do {
            change = 0;
            for (int state = 0; state < states; state++) {
                double best = Double.NEGATIVE_INFINITY;
                for (int action = 0; action < actions; action++) {
                    double value = 0;
                    for (Outcome outcome : environment.outcomes(state, action)) {
                        double later = outcome.terminated() ? 0 : gamma * values[outcome.state()];
                        value += outcome.probability() * (outcome.reward() + later);
                    }
                    actionValues[state][action] = value;
                    best = Math.max(best, value);
                }
                change = Math.max(change, Math.abs(best - values[state]));
                values[state] = best;
            }
        } while (change > CHANGE);
        return new TabularOptimum(actionValues);
    }

    /**
     * Returns what taking an action and then acting optimally is worth.
     *
     * @param state where the action is taken
     * @param action the action
     * @return the expected discounted return
     */
    public double value(int state, int action) {
        return actionValues[state][action];
    }

    /**
     * Returns the best action in a state.
     *
     * @param state the state
     * @return the first one, if several are as good
     */
    public int best(int state) {
        int best = 0;
        for (int action = 1; action < actionValues[state].length; action++) {
            if (actionValues[state][action] > actionValues[state][best] + TIE) {
                best = action;
            }
        }
        return best;
    }

    /**
     * Returns whether no action is better.
     *
     * @param state where the action is taken
     * @param action the action
     * @return whether it is one of the best
     */
    public boolean isBest(int state, int action) {
        return actionValues[state][action] >= actionValues[state][best(state)] - TIE;
    }
}
