package dev.holdfast.examples.environments.assignment;

import dev.holdfast.examples.environments.SavedState;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A harbour master's day: which ship moors next, at which berth, and how many cranes work on it; or to wait until a ship arrives or
 * leaves. Wherever nothing can be decided, time goes by. The reward is the time, in days and negated, that ships spend in the port
 * in the meantime. The episode ends when all have left.
 *
 * <p>A decision that can't be carried out, which only {@link ActionForm#INDEPENDENT} allows, costs an hour. So that a policy that
 * makes no others comes to an end, an episode is truncated after {@value #STEPS_A_SHIP} steps a ship.
 *
 * <p>An observation: for each ship, whether it is expected, waiting, or moored; the hours until it arrives, since it arrived (while
 * it waits), and until it leaves (while it is moored), in days; its length, draught, and work, relative to the largest; and for
 * each berth, whether the ship could moor there if it were free. Then for each berth the hours until it is free, in days. Then the
 * share of cranes that are free.
 *
 * <p>A saved state, big-endian:
 * <pre>
 *   byte  0      8       12               16 + …
 *         | long | int   | int   | int        | int[ships] | int[ships] | int[ships] |
 *         | seed | steps | clock | ship hours | berths     | cranes     | departures |
 * </pre>
 */
final class BerthAllocation implements Environment {
    static final int STEPS_A_SHIP = 20;

    private static final float HOURS_A_DAY = 24;
    private static final int NUMBERS_A_SHIP = 9;

    private final LongFunction<Port> ports;
    private final ActionForm form;
    private final Space observations;
    private final Space actions;
    private final int stateBytes;
    private long seed;
    private int steps;
    private Quay quay;

    /**
     * @param ports the port of an episode's seed; all have as many ships, berths and cranes
     * @param form how decisions are written
     */
    BerthAllocation(LongFunction<Port> ports, ActionForm form) {
        this.ports = ports;
        this.form = form;
        quay = new Quay(ports.apply(0));
        Port port = quay.port();
        int ships = port.ships().size();
        int berths = port.berths().size();
        observations = Box.of(0, Float.POSITIVE_INFINITY, ships * (NUMBERS_A_SHIP + berths) + berths + 1);
        actions = form.space(port);
        stateBytes = Long.BYTES + Integer.BYTES + Quay.stateBytes(ships);
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
        this.seed = seed;
        steps = 0;
        quay = new Quay(ports.apply(seed));
        quay.waitForChoice();
        return observation();
    }

    @Override
    public Step step(Action action) {
        int before = quay.shipHours();
        Decision decision = form.decision(action, quay.port());
        if (decision.ship() == quay.port().ships().size()) {
            quay.waitForShip();
        } else if (quay.fits(decision.ship(), decision.berth())
                && decision.cranes() <= quay.mostCranes(decision.ship())) {
            quay.moor(decision.ship(), decision.berth(), decision.cranes());
        } else {
            quay.advance(1);
        }
        quay.waitForChoice();
        steps++;
        boolean over = quay.isOver();
        boolean truncated = !over && steps >= STEPS_A_SHIP * quay.port().ships().size();
        return new Step(observation(), (before - quay.shipHours()) / HOURS_A_DAY, over, truncated);
    }

    @Override
    public boolean[] actionMask() {
        return form.mask(quay);
    }

    private float[] observation() {
        Port port = quay.port();
        List<Berth> berths = port.berths();
        float[] observation = new float[observations.size()];
        int at = 0;
        for (int i = 0; i < port.ships().size(); i++) {
            Ship ship = port.ships().get(i);
            if (quay.isExpected(i)) {
                observation[at] = 1;
                observation[at + 3] = (ship.arrival() - quay.clock()) / HOURS_A_DAY;
            } else if (quay.isWaiting(i)) {
                observation[at + 1] = 1;
                observation[at + 4] = (quay.clock() - ship.arrival()) / HOURS_A_DAY;
            } else if (quay.isMoored(i)) {
                observation[at + 2] = 1;
                observation[at + 5] = (quay.leaves(i) - quay.clock()) / HOURS_A_DAY;
            }
            observation[at + 6] = (float) ship.length() / Port.CLASSES;
            observation[at + 7] = (float) ship.draught() / Port.CLASSES;
            observation[at + 8] = (float) ship.work() / Port.MOST_WORK;
            at += NUMBERS_A_SHIP;
            for (Berth berth : berths) {
                observation[at++] = berth.takes(ship) ? 1 : 0;
            }
        }
        for (int berth = 0; berth < berths.size(); berth++) {
            observation[at++] = (quay.freeAt(berth) - quay.clock()) / HOURS_A_DAY;
        }
        observation[at] = (float) quay.freeCranes() / port.cranes();
        return observation;
    }

    @Override
    public byte[] saveState() {
        ByteBuffer state = ByteBuffer.allocate(stateBytes).putLong(seed).putInt(steps);
        quay.save(state);
        return state.array();
    }

    @Override
    public void restoreState(byte[] saved) {
        SavedState.requireLength(saved, stateBytes, BerthAllocationProvider.NAME);
        ByteBuffer state = ByteBuffer.wrap(saved);
        seed = state.getLong();
        steps = state.getInt();
        quay = new Quay(ports.apply(seed));
        quay.restore(state);
    }
}
