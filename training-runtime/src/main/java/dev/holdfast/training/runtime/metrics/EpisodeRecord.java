package dev.holdfast.training.runtime.metrics;

/**
 * A training episode that is over.
 *
 * @param environment the number of its environment, from 0
 * @param episodeReturn the undiscounted sum of its unnormalised rewards
 * @param length its number of steps
 * @param seconds when it ended, in seconds since the run was started or resumed
 */
public record EpisodeRecord(int environment, double episodeReturn, long length, double seconds) {}
