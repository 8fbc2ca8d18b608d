package dev.holdfast.examples.environments.assignment;

import dev.holdfast.examples.environments.SavedState;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Electric cabs on a ring road. In each period every cab is sent to a zone, at most {@value #REACH} zones away and no farther than
 * its charge, one unit a zone, lasts; then each passenger who waits in a zone with a cab for him pays 1. Passengers come by a timetable
 * and don't wait. Cabs that stay in zone 0 are charged by {@value #CHARGING} units. Episodes start anywhere.
 *
 * <p>An observation: for each cab its zone, one-hot, and its charge, relative to a full one; the period, one-hot; and the passengers of
 * this period and the {@value #AHEAD} after it in each zone, relative to the number of cabs.
 *
 * <p>A saved state, big-endian:
 * <pre>
 *   byte  0        4             4 + 4 · cabs
 *         | int    | int[cabs]   | int[cabs]    |
 *         | period | zones       | charges      |
 * </pre>
 */
final class Fleet implements Environment {
    static final int REACH = 2;
    static final int CHARGING = 2;
    /** What it costs to send a cab where it can't go, if that is not masked. It stays. */
    static final double FINE = 0.5;

    private static final int AHEAD = 2;

    /**
     * When and where passengers come, and what cabs there are.
     *
     * @param passengers their number in each period and zone
     * @param cabs the number of cabs
     * @param battery a full charge
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Town(int[][] passengers, int cabs, int battery) {
        /** In each period one passenger more than there are cabs, none of them in zone 0. */
        static Town draw(RandomStream random, int periods, int zones, int cabs, int battery) {
            int[][] passengers = new int[periods][zones];
            for (int[] inZone : passengers) {
                for (int i = 0; i <= cabs; i++) {
                    inZone[1 + random.nextInt(zones - 1)]++;
                }
            }
            return new Town(passengers, cabs, battery);
        }

        int zones() {
            return passengers[0].length;
        }

        int distance(int from, int to) {
            int distance = Math.abs(from - to);
            return Math.min(distance, zones() - distance);
        }

        boolean canGo(int from, int charge, int to) {
            return distance(from, to) <= Math.min(REACH, charge);
        }

        int chargeAfter(int from, int charge, int to) {
            return from == to && to == 0 ? Math.min(battery, charge + CHARGING) : charge - distance(from, to);
        }
    }

    private final Town town;
    private final boolean masked;
    private final Space observations;
    private final Space actions;
    private final int[] zones;
    private final int[] charges;
    private int period;

    Fleet(Town town, boolean masked) {
        this.town = town;
        this.masked = masked;
        int[] branches = new int[town.cabs];
        Arrays.fill(branches, town.zones());
        actions = new MultiDiscrete(branches);
        observations =
                Box.of(0, 2, town.cabs * (town.zones() + 1) + town.passengers.length + (1 + AHEAD) * town.zones());
        zones = new int[town.cabs];
        charges = new int[town.cabs];
    }

    @Override
    public Space observationSpace() {
        return observations;
    }

    @Override
    public Space actionSpace() {
        return actions;
    }

    @Override
    public float[] reset(long seed) {
        RandomStream random = new RandomStream(seed, "cabs");
        for (int cab = 0; cab < town.cabs; cab++) {
            zones[cab] = random.nextInt(town.zones());
            charges[cab] = random.nextInt(town.battery + 1);
        }
        period = 0;
        return observation();
    }

    @Override
    public Step step(Action action) {
        double reward = 0;
        int[] waiting = town.passengers[period].clone();
        for (int cab = 0; cab < town.cabs; cab++) {
            int to = action.index(cab);
            if (!town.canGo(zones[cab], charges[cab], to)) {
                reward -= FINE;
                to = zones[cab];
            }
            charges[cab] = town.chargeAfter(zones[cab], charges[cab], to);
            zones[cab] = to;
            if (waiting[to] > 0) {
                waiting[to]--;
                reward++;
            }
        }
        period++;
        return new Step(observation(), reward, period == town.passengers.length, false);
    }

    @Override
    public boolean @Nullable [] actionMask() {
        if (!masked) {
            return null;
        }
        boolean[] mask = new boolean[actions.featureSize()];
        for (int cab = 0; cab < town.cabs; cab++) {
            for (int to = 0; to < town.zones(); to++) {
                mask[cab * town.zones() + to] = town.canGo(zones[cab], charges[cab], to);
            }
        }
        return mask;
    }

    private float[] observation() {
        float[] observation = new float[observations.size()];
        int at = 0;
        for (int cab = 0; cab < town.cabs; cab++) {
            observation[at + zones[cab]] = 1;
            observation[at + town.zones()] = (float) charges[cab] / town.battery;
            at += town.zones() + 1;
        }
        if (period < town.passengers.length) {
            observation[at + period] = 1;
        }
        at += town.passengers.length;
        for (int i = period; i < Math.min(period + 1 + AHEAD, town.passengers.length); i++) {
            for (int passengers : town.passengers[i]) {
                observation[at++] = (float) passengers / town.cabs;
            }
        }
        return observation;
    }

    @Override
    public byte[] saveState() {
        ByteBuffer state = ByteBuffer.allocate(stateBytes()).putInt(period);
        for (int cab = 0; cab < town.cabs; cab++) {
            state.putInt(zones[cab]).putInt(charges[cab]);
        }
        return state.array();
    }

    @Override
    public void restoreState(byte[] saved) {
        SavedState.requireLength(saved, stateBytes(), FleetProvider.NAME);
        ByteBuffer state = ByteBuffer.wrap(saved);
        period = state.getInt();
        for (int cab = 0; cab < town.cabs; cab++) {
            zones[cab] = state.getInt();
            charges[cab] = state.getInt();
        }
    }

    private int stateBytes() {
        return (1 + 2 * town.cabs) * Integer.BYTES;
    }
}
