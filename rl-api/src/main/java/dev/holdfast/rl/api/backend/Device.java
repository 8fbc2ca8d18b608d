package dev.holdfast.rl.api.backend;

/**
 * A device that a backend knows.
 *
 * @param name {@code cpu}, {@code gpu:0} …
 * @param usable whether a learner can be created on it
 * @param detail what it is if usable, and why it isn't otherwise
 */
public record Device(String name, boolean usable, String detail) {}
