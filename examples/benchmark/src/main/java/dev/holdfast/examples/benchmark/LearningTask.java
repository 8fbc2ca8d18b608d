package dev.holdfast.examples.benchmark;

import java.util.List;

/**
 * An environment with what its default profile is to reach in it.
 *
 * @param environment the environment's name
 * @param goal the mean return to reach
 * @param deadline the timesteps by which to reach it
 * @param evalEvery the timesteps between evaluations
 */
record LearningTask(String environment, double goal, long deadline, long evalEvery) {
    static final List<LearningTask> ALL = List.of(
            new LearningTask("CartPole-v1", 475, 30_000, 2_048), new LearningTask("InvalidAction-v0", 90, 5_000, 250));
}
