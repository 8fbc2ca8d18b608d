package dev.holdfast.examples.environments.assignment;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Which actions a mask allows, by the layout of masks that {@link Environment#actionMask} describes. */
final class ValidActions {
    private ValidActions() {}

    static boolean allows(Space space, boolean[] mask, Action action) {
        int start = 0;
        for (int branch = 0; branch < space.size(); branch++) {
            int n = choices(space, branch);
            int rows = 1;
            int row = 0;
            if (space instanceof ConditionalDiscrete conditional && conditional.parents()[branch] >= 0) {
                int parent = conditional.parents()[branch];
                rows = choices(space, parent);
                row = action.index(parent);
            }
            if (!mask[start + row * n + action.index(branch)]) {
                return false;
            }
            start += rows * n;
        }
        return true;
    }

    static int choices(Space space, int branch) {
        if (space instanceof Discrete discrete) {
            return discrete.n();
        } else if (space instanceof MultiDiscrete multi) {
            return multi.branches()[branch];
        } else if (space instanceof ConditionalDiscrete conditional) {
            return conditional.choices().branches()[branch];
        } else if (space instanceof MultiBinary) {
            return 2;
        }
        throw new IllegalArgumentException("no mask for " + space);
    }

    /** Returns every action that is valid now. */
    static List<Action> now(Environment environment) {
        Space space = environment.actionSpace();
        boolean[] mask = Objects.requireNonNull(environment.actionMask());
        List<float[]> actions = List.of(new float[space.size()]);
        for (int branch = 0; branch < space.size(); branch++) {
            List<float[]> more = new ArrayList<>();
            for (float[] action : actions) {
                for (int choice = 0; choice < choices(space, branch); choice++) {
                    float[] next = action.clone();
                    next[branch] = choice;
                    more.add(next);
                }
            }
            actions = more;
        }
        return actions.stream()
                .map(Action::wrap)
                .filter(action -> allows(space, mask, action))
                .toList();
    }

    /** Returns the largest return that valid actions lead to from here, by trying all of them. */
    static double bestReturn(Environment environment) {
        byte[] here = Objects.requireNonNull(environment.saveState());
        double best = Double.NEGATIVE_INFINITY;
        for (Action action : now(environment)) {
            Step step = environment.step(action);
            best = Math.max(best, step.reward() + (step.done() ? 0 : bestReturn(environment)));
            environment.restoreState(here);
        }
        return best;
    }
}
