package dev.holdfast.examples.environments.assignment;

/**
 * Where a ship can moor, one at a time.
 *
 * @param length the largest size class that finds room
 * @param depth the largest depth class that floats
 */
record Berth(int length, int depth) {
    boolean takes(Ship ship) {
        return ship.length() <= length && ship.draught() <= depth;
    }
}
