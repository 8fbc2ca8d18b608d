package dev.holdfast.examples.environments.assignment;

/**
 * What a harbour master can decide.
 *
 * @param ship the ship to moor; the number of ships to wait instead
 * @param berth where
 * @param cranes with how many cranes
 */
record Decision(int ship, int berth, int cranes) {}
