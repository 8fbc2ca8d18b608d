package dev.holdfast.examples.environments.assignment;

/**
 * A ship that comes to be unloaded.
 *
 * @param arrival the hour at which it arrives
 * @param length its size class, which is also the largest number of cranes that can work on it
 * @param draught its depth class
 * @param work how many hours one crane would take
 */
record Ship(int arrival, int length, int draught, int work) {
    int hours(int cranes) {
        return (work + cranes - 1) / cranes;
    }
}
