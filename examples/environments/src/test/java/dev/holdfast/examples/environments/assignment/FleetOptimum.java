package dev.holdfast.examples.environments.assignment;

import dev.holdfast.examples.environments.assignment.Fleet.Town;
import java.nio.ByteBuffer;

/** The largest returns from every start, by backward induction; written down from the rules and sharing none with the environment. */
final class FleetOptimum {
    private final Town town;
    private final int zones;
    /** The states of one cab: its zone, and its charge from 0 to full. */
    private final int cabStates;

    private double[] values;

    FleetOptimum(Town town) {
        this.town = town;
        zones = town.passengers()[0].length;
        cabStates = zones * (town.battery() + 1);
        int states = (int) Math.pow(cabStates, town.cabs());
        values = new double[states];
        for (int period = town.passengers().length - 1; period >= 0; period--) {
            double[] later = values;
            values = new double[states];
            for (int state = 0; state < states; state++) {
                values[state] = best(0, state, 0, 1, town.passengers()[period].clone(), later);
            }
        }
    }

    /** Returns the best return of an episode that has just begun. */
    double value(Fleet fleet) {
        ByteBuffer start = ByteBuffer.wrap(fleet.saveState()).position(Integer.BYTES);
        int state = 0;
        int place = 1;
        for (int cab = 0; cab < town.cabs(); cab++) {
            state += place * (start.getInt() * (town.battery() + 1) + start.getInt());
            place *= cabStates;
        }
        return values[state];
    }

    /**
     * Tries every move of a cab and those after it.
     *
     * @param state the states of these cabs, the first one's in the lowest place
     * @param successor what the cabs before come to
     * @param place the place of this cab in {@code successor}
     * @param waiting the passengers left by the cabs before
     */
    private double best(int cab, int state, int successor, int place, int[] waiting, double[] later) {
        if (cab == town.cabs()) {
            return later[successor];
        }
        int from = state % cabStates / (town.battery() + 1);
        int charge = state % (town.battery() + 1);
        double best = Double.NEGATIVE_INFINITY;
        for (int move = -2; move <= 2; move++) {
            int left = charge - Math.abs(move);
            if (left < 0) {
                continue;
            }
            int to = Math.floorMod(from + move, zones);
            if (move == 0 && to == 0) {
                left = Math.min(town.battery(), charge + 2);
            }
            int served = waiting[to] > 0 ? 1 : 0;
            waiting[to] -= served;
            int next = successor + place * (to * (town.battery() + 1) + left);
            best = Math.max(best, served + best(cab + 1, state / cabStates, next, place * cabStates, waiting, later));
            waiting[to] += served;
        }
        return best;
    }
}
