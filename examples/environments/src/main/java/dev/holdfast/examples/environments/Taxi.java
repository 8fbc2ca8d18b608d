package dev.holdfast.examples.environments;

import dev.holdfast.examples.environments.TabularEnvironment.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A taxi in a town of 5 x 5 squares with walls and four stands. It drives to the passenger, who waits at one stand, takes them up, and
 * sets them down at another. Actions: south (0), north (1), east (2), west (3), pick up (4), set down (5). A step costs 1, the
 * arrival pays 20 and terminates the episode; picking up or setting down where it can't be done costs 10. A wall stops the taxi. A
 * passenger may be set down at a wrong stand.
 *
 * <p>In rain, a drive that no wall stops goes where it should in eight of ten cases, and a square to the left or to the right of that
 * direction, unless a wall is there, in one of ten each.
 *
 * <p>The rules are those of {@code Taxi} of Gymnasium, after Dietterich (<em>Hierarchical reinforcement learning with the MAXQ value
 * function decomposition</em>, 2000). A state is {@code ((row * 5 + column) * 5 + passenger) * 4 + destination}, where the passenger
 * is at stand 0 to 3 or in the taxi (4). Episodes start with taxi, passenger and destination anywhere, the passenger not there
 * already.
 */
final class Taxi implements TabularEnvironment.Rules {
    private static final int SIZE = 5;
    private static final int STATES = SIZE * SIZE * 5 * 4;
    private static final int ACTIONS = 6;
    private static final int EAST = 2;
    private static final int WEST = 3;
    private static final int PICK_UP = 4;
    private static final int SET_DOWN = 5;
    private static final int IN_TAXI = 4;
    private static final int[] ROW = {1, -1, 0, 0};
    private static final int[] COLUMN = {0, 0, 1, -1};

    /** Whether a wall is to the east of a square, row by row. */
    private static final List<String> EAST_WALLS = List.of(
            " |  |", //
            " |  |", "    |", "| | |", "| | |");

    /** The squares of the stands, row by row: red, green, yellow, blue. */
    private static final List<Integer> STANDS = List.of(0, 4, 20, 23);

    private final boolean masked;
    private final boolean rainy;

    private Taxi(boolean masked, boolean rainy) {
        this.masked = masked;
        this.rainy = rainy;
    }

    static TabularEnvironment create(boolean masked, boolean rainy, int maxSteps) {
        return new TabularEnvironment(TaxiProvider.NAME, STATES, ACTIONS, new Taxi(masked, rainy), maxSteps);
    }

    /** A state in its parts. */
    private record Situation(int square, int passenger, int destination) {
        static Situation of(int state) {
            return new Situation(state / 20, state / 4 % 5, state % 4);
        }

        int state() {
            return (square * 5 + passenger) * 4 + destination;
        }

        /** Returns the stand that the taxi is at, or -1. */
        int stand() {
            return STANDS.indexOf(square);
        }

        boolean canPickUp() {
            return passenger < IN_TAXI && passenger == stand();
        }

        boolean canSetDown() {
            return passenger == IN_TAXI && stand() >= 0;
        }

        boolean canDrive(int direction) {
            int row = square / SIZE + ROW[direction];
            int column = square % SIZE;
            return row >= 0
                    && row < SIZE
                    && !(direction == EAST && wall(row, column))
                    && !(direction == WEST && (column == 0 || wall(row, column - 1)));
        }

        private static boolean wall(int row, int column) {
            return EAST_WALLS.get(row).charAt(column) == '|';
        }

        Situation drive(int direction) {
            return canDrive(direction)
                    ? new Situation(square + ROW[direction] * SIZE + COLUMN[direction], passenger, destination)
                    : this;
        }

        Situation with(int newPassenger) {
            return new Situation(square, newPassenger, destination);
        }
    }

    @Override
    public double startWeight(int state) {
        Situation situation = Situation.of(state);
        return situation.passenger < IN_TAXI && situation.passenger != situation.destination ? 1 : 0;
    }

    @Override
    public List<Outcome> outcomes(int state, int action) {
        Situation now = Situation.of(state);
        if (action == PICK_UP) {
            return List.of(now.canPickUp() ? outcome(1, now.with(IN_TAXI), -1) : outcome(1, now, -10));
        }
        if (action == SET_DOWN) {
            boolean arrived = now.stand() == now.destination;
            Situation after = now.with(now.stand());
            return List.of(
                    !now.canSetDown()
                            ? outcome(1, now, -10)
                            : arrived ? new Outcome(1, after.state(), 20, true) : outcome(1, after, -1));
        }
        Situation ahead = now.drive(action);
        if (!rainy || !now.canDrive(action)) {
            return List.of(outcome(1, ahead, -1));
        }
        // The directions at right angles to south and north are east and west, and the other way round.
        int side = action < EAST ? EAST : 0;
        return List.of(
                outcome(0.8, ahead, -1), outcome(0.1, now.drive(side), -1), outcome(0.1, now.drive(side + 1), -1));
    }

    private static Outcome outcome(double probability, Situation next, double reward) {
        return new Outcome(probability, next.state(), reward, false);
    }

    @Override
    public boolean @Nullable [] mask(int state) {
        if (!masked) {
            return null;
        }
        Situation now = Situation.of(state);
        return new boolean[] {
            now.canDrive(0), now.canDrive(1), now.canDrive(EAST), now.canDrive(WEST), now.canPickUp(), now.canSetDown()
        };
    }
}
