package dev.holdfast.examples.environments.assignment;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What happens in a port, hour by hour. A ship that has moored keeps its berth and its cranes until it is unloaded, and leaves at
 * once.
 */
final class Quay {
    private static final int NOWHERE = -1;

    private final Port port;
    private int clock;
    /** The hours that ships have spent in the port, waiting or moored, all together. */
    private int shipHours;
    /** Of each ship: its berth, how many cranes work on it, and when it leaves. */
    private final int[] berthOf;

    private final int[] cranesOf;
    private final int[] leaves;

    Quay(Port port) {
        this.port = port;
        berthOf = new int[port.ships().size()];
        cranesOf = new int[berthOf.length];
        leaves = new int[berthOf.length];
        Arrays.fill(berthOf, NOWHERE);
    }

    Port port() {
        return port;
    }

    int clock() {
        return clock;
    }

    int shipHours() {
        return shipHours;
    }

    boolean isExpected(int ship) {
        return port.ships().get(ship).arrival() > clock;
    }

    boolean isWaiting(int ship) {
        return !isExpected(ship) && berthOf[ship] == NOWHERE;
    }

    boolean isMoored(int ship) {
        return berthOf[ship] != NOWHERE && leaves[ship] > clock;
    }

    /** When a moored ship leaves. */
    int leaves(int ship) {
        return leaves[ship];
    }

    /** When a berth is free: now, or when its ship leaves. */
    int freeAt(int berth) {
        int free = clock;
        for (int ship = 0; ship < berthOf.length; ship++) {
            if (berthOf[ship] == berth) {
                free = Math.max(free, leaves[ship]);
            }
        }
        return free;
    }

    int freeCranes() {
        int free = port.cranes();
        for (int ship = 0; ship < berthOf.length; ship++) {
            free -= isMoored(ship) ? cranesOf[ship] : 0;
        }
        return free;
    }

    /** Whether a ship can moor at a berth now. */
    boolean fits(int ship, int berth) {
        return isWaiting(ship)
                && port.berths().get(berth).takes(port.ships().get(ship))
                && freeAt(berth) == clock
                && freeCranes() > 0;
    }

    /** With how many cranes a ship can moor now, at most. */
    int mostCranes(int ship) {
        return Math.min(port.ships().get(ship).length(), freeCranes());
    }

    void moor(int ship, int berth, int cranes) {
        berthOf[ship] = berth;
        cranesOf[ship] = cranes;
        leaves[ship] = clock + port.ships().get(ship).hours(cranes);
    }

    /** Whether a ship is still to arrive or to leave. */
    boolean canWait() {
        return nextEvent() < Integer.MAX_VALUE;
    }

    private int nextEvent() {
        int next = Integer.MAX_VALUE;
        for (int ship = 0; ship < berthOf.length; ship++) {
            if (isExpected(ship)) {
                next = Math.min(next, port.ships().get(ship).arrival());
            } else if (isMoored(ship)) {
                next = Math.min(next, leaves[ship]);
            }
        }
        return next;
    }

    /** Lets time go by until a ship arrives or leaves. */
    void waitForShip() {
        advance(nextEvent() - clock);
    }

    /** Lets time go by, within which no ship may arrive or leave. */
    void advance(int hours) {
        for (int ship = 0; ship < berthOf.length; ship++) {
            shipHours += isWaiting(ship) || isMoored(ship) ? hours : 0;
        }
        clock += hours;
    }

    /** Lets time go by until some ship can moor, or all have left. */
    void waitForChoice() {
        while (!isChoice() && canWait()) {
            waitForShip();
        }
    }

    private boolean isChoice() {
        for (int ship = 0; ship < berthOf.length; ship++) {
            for (int berth = 0; berth < port.berths().size(); berth++) {
                if (fits(ship, berth)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether all ships have left; asked where there is no choice. */
    boolean isOver() {
        return !isChoice() && !canWait();
    }

    static int stateBytes(int ships) {
        return (2 + 3 * ships) * Integer.BYTES;
    }

    void save(ByteBuffer state) {
        state.putInt(clock).putInt(shipHours);
        for (int[] ofEachShip : new int[][] {berthOf, cranesOf, leaves}) {
            for (int number : ofEachShip) {
                state.putInt(number);
            }
        }
    }

    void restore(ByteBuffer state) {
        clock = state.getInt();
        shipHours = state.getInt();
        for (int[] ofEachShip : new int[][] {berthOf, cranesOf, leaves}) {
            for (int ship = 0; ship < ofEachShip.length; ship++) {
                ofEachShip[ship] = state.getInt();
            }
        }
    }
}
