package dev.holdfast.examples.environments.assignment;

import java.util.List;

/**
 * The least time that the ships of a port can spend in it, by branch and bound over all orders in which they moor; written down from
 * the rules and sharing nothing with the environment. At least one best schedule moors every ship when it arrives or when another
 * leaves: a ship that moors in between could have moored at the last such event.
 */
final class BerthOptimum {
    private final List<Ship> ships;
    private final List<Berth> berths;
    private final int cranes;
    /** When each berth is free, and which cranes are busy until when. */
    private final int[] freeAt;

    private final int[] busyUntil;
    private final int[] busyCranes;
    private int best = Integer.MAX_VALUE;

    private BerthOptimum(Port port) {
        ships = port.ships();
        berths = port.berths();
        cranes = port.cranes();
        freeAt = new int[berths.size()];
        busyUntil = new int[ships.size()];
        busyCranes = new int[ships.size()];
    }

    /** Returns the hours that all ships spend in the port, together. */
    static int shipHours(Port port) {
        BerthOptimum search = new BerthOptimum(port);
        search.search(0, 0, 0, 0);
        return search.best;
    }

    /**
     * Tries everything from an hour on.
     *
     * @param moored the set of ships that have moored, as bits
     * @param first at one hour, ships moor in the order of their numbers: only this one and later ones are tried
     * @param hours the hours in port of those that have moored
     */
    private void search(int now, int moored, int first, int hours) {
        if (moored == (1 << ships.size()) - 1) {
            best = Math.min(best, hours);
            return;
        }
        if (hours + leastOfTheOthers(now, moored) >= best) {
            return;
        }
        int freeCranes = cranes;
        for (int ship = 0; ship < ships.size(); ship++) {
            freeCranes -= (moored >> ship & 1) == 1 && busyUntil[ship] > now ? busyCranes[ship] : 0;
        }
        for (int i = first; i < ships.size(); i++) {
            Ship ship = ships.get(i);
            if ((moored >> i & 1) == 1 || ship.arrival() > now) {
                continue;
            }
            for (int berth = 0; berth < berths.size(); berth++) {
                if (freeAt[berth] > now || !berths.get(berth).takes(ship)) {
                    continue;
                }
                int before = freeAt[berth];
                for (int n = Math.min(ship.length(), freeCranes); n >= 1; n--) {
                    int end = now + ship.hours(n);
                    freeAt[berth] = end;
                    busyUntil[i] = end;
                    busyCranes[i] = n;
                    search(now, moored | 1 << i, i + 1, hours + end - ship.arrival());
                }
                freeAt[berth] = before;
            }
        }
        int next = Integer.MAX_VALUE;
        for (int i = 0; i < ships.size(); i++) {
            int event = (moored >> i & 1) == 1 ? busyUntil[i] : ships.get(i).arrival();
            next = event > now ? Math.min(next, event) : next;
        }
        if (next < Integer.MAX_VALUE) {
            search(next, moored, 0, hours);
        }
    }

    /** A bound: each of the others moors as soon as it can, with all cranes. */
    private int leastOfTheOthers(int now, int moored) {
        int least = 0;
        for (int i = 0; i < ships.size(); i++) {
            Ship ship = ships.get(i);
            if ((moored >> i & 1) == 0) {
                least += Math.max(now - ship.arrival(), 0) + ship.hours(Math.min(ship.length(), cranes));
            }
        }
        return least;
    }
}
