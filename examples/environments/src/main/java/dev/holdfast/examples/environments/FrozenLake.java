package dev.holdfast.examples.environments;

import dev.holdfast.examples.environments.TabularEnvironment.Outcome;
import java.util.List;

/**
 * A walk over a frozen lake, to the left (0), down (1), right (2) or up (3), from the top left to the goal in the bottom right corner,
 * which pays 1. A hole ends the walk without pay. On slippery ice a step goes where it should in one of three cases, and at a right
 * angle to it, to either side, in the others. The shore stops a step. States are numbered row by row.
 *
 * <p>The maps and rules are those of {@code FrozenLake-v1} of Gymnasium.
 */
final class FrozenLake implements TabularEnvironment.Rules {
    static final List<String> MAPS = List.of("4x4", "8x8");

    private static final List<String> MAP_4X4 = List.of(
            "SFFF", //
            "FHFH", "FFFH", "HFFG");
    private static final List<String> MAP_8X8 = List.of(
            "SFFFFFFF", //
            "FFFFFFFF",
            "FFFHFFFF",
            "FFFFFHFF",
            "FFFHFFFF",
            "FHHFFFHF",
            "FHFFHFHF",
            "FFFHFFFG");

    private static final int ACTIONS = 4;
    private static final int[] ROW = {0, 1, 0, -1};
    private static final int[] COLUMN = {-1, 0, 1, 0};

    private final List<String> map;
    private final int width;
    private final boolean slippery;

    private FrozenLake(List<String> map, boolean slippery) {
        this.map = map;
        this.slippery = slippery;
        width = map.size();
    }

    static TabularEnvironment create(String map, boolean slippery, int maxSteps) {
        FrozenLake lake = new FrozenLake(map.equals("4x4") ? MAP_4X4 : MAP_8X8, slippery);
        return new TabularEnvironment(FrozenLakeProvider.NAME, lake.width * lake.width, ACTIONS, lake, maxSteps);
    }

    @Override
    public double startWeight(int state) {
        return tile(state) == 'S' ? 1 : 0;
    }

    @Override
    public List<Outcome> outcomes(int state, int action) {
        if (isEnd(state)) {
            return List.of(new Outcome(1, state, 0, true));
        }
        if (!slippery) {
            return List.of(outcome(1, state, action));
        }
        return List.of(
                outcome(1 / 3.0, state, (action + ACTIONS - 1) % ACTIONS),
                outcome(1 / 3.0, state, action),
                outcome(1 / 3.0, state, (action + 1) % ACTIONS));
    }

    private Outcome outcome(double probability, int state, int direction) {
        int row = Math.min(Math.max(state / width + ROW[direction], 0), width - 1);
        int column = Math.min(Math.max(state % width + COLUMN[direction], 0), width - 1);
        int next = row * width + column;
        return new Outcome(probability, next, tile(next) == 'G' ? 1 : 0, isEnd(next));
    }

    private boolean isEnd(int state) {
        return tile(state) == 'H' || tile(state) == 'G';
    }

    private char tile(int state) {
        return map.get(state / width).charAt(state % width);
    }
}
