package dev.holdfast.examples.environments.assignment;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The ships that will come to a port, and what there is to serve them.
 *
 * @param ships in the order of their numbers
 * @param berths the first one takes every ship
 * @param cranes how many there are; any of them can work at any berth
 */
record Port(List<Ship> ships, List<Berth> berths, int cranes) {
    /** Sizes and depths are in classes from 1 to this one. */
    static final int CLASSES = 3;

    /** All ships arrive before this hour. */
    static final int ARRIVALS = 12;

    /** The most hours that one crane would take for a ship. */
    static final int MOST_WORK = 18;

    static Port draw(RandomStream random, int ships, int berths, int cranes) {
        return new Port(
                Stream.generate(() -> new Ship(
                                random.nextInt(ARRIVALS),
                                1 + random.nextInt(CLASSES),
                                1 + random.nextInt(CLASSES),
                                4 + random.nextInt(MOST_WORK - 3)))
                        .limit(ships)
                        .sorted(Comparator.comparingInt(Ship::arrival))
                        .toList(),
                IntStream.range(0, berths)
                        .mapToObj(berth -> berth == 0
                                ? new Berth(CLASSES, CLASSES)
                                : new Berth(1 + random.nextInt(CLASSES), 1 + random.nextInt(CLASSES)))
                        .toList(),
                cranes);
    }
}
