package dev.holdfast.training.runtime;

/**
 * What a policy reached over some episodes.
 *
 * @param episodes the number of episodes
 * @param meanReturn the mean of the episodes' undiscounted returns, as the environment rewards
 * @param stdReturn their population standard deviation
 * @param meanLength the mean number of steps of an episode
 */
public record Evaluation(int episodes, double meanReturn, double stdReturn, double meanLength) {}
