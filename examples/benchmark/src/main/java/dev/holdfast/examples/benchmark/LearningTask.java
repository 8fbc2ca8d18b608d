package dev.holdfast.examples.benchmark;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An environment with what its default profile is to reach in it.
 *
 * @param environment the environment's name
 * @param arguments its parameters that are not the default
 * @param goal the mean return to reach
 * @param deadline the timesteps by which to reach it
 * @param evalEvery the timesteps between evaluations
 * @param published what others reached, if it is known
 */
record LearningTask(
        String environment,
        Map<String, String> arguments,
        double goal,
        long deadline,
        long evalEvery,
        @Nullable Published published) {
    /** Copies. */
    LearningTask {
        arguments = Map.copyOf(arguments);
    }

    /**
     * A result of PPO in the benchmark of RL Baselines3 Zoo: of one run, played without sampling.
     *
     * @param mean the mean return of its episodes
     * @param deviation their standard deviation
     */
    record Published(double mean, double deviation) {
        /** Returns the least that counts as the same result: one deviation below. */
        double least() {
            return mean - deviation;
        }
    }

    /**
     * Where there is a published result, the goal is to come within its deviation (CartPole's is what counts as solved); with a known
     * optimum it lies three deviations of 100 episodes' mean below that.
     */
    static final List<LearningTask> ALL = List.of(
            new LearningTask("CartPole-v1", Map.of(), 475, 30_000, 2_048, new Published(500, 0)),
            published("Acrobot-v1", 300_000, 50_000, new Published(-73.506, 18.201)),
            published("MountainCar-v0", 700_000, 50_000, new Published(-110.423, 19.473)),
            published("MountainCarContinuous-v0", 50_000, 5_000, new Published(88.343, 2.572)),
            published("Pendulum-v1", 80_000, 5_000, new Published(-172.225, 104.159)),
            published("LunarLander-v3", 800_000, 50_000, new Published(242.119, 31.823)),
            published("LunarLanderContinuous-v3", 800_000, 50_000, new Published(270.863, 32.072)),
            new LearningTask("FrozenLake-v1", Map.of(), 0.6, 200_000, 20_000, null),
            new LearningTask("Taxi-v3", Map.of(), 7, 300_000, 20_000, null),
            new LearningTask("Taxi-v3", Map.of("action_mask", "true"), 7, 100_000, 20_000, null),
            new LearningTask("InvalidAction-v0", Map.of(), 90, 5_000, 250, null));

    private static LearningTask published(String environment, long deadline, long evalEvery, Published published) {
        return new LearningTask(environment, Map.of(), published.least(), deadline, evalEvery, published);
    }

    /** Returns the environment's name with its arguments. */
    String title() {
        StringBuilder title = new StringBuilder(environment);
        new TreeMap<>(arguments)
                .forEach((name, value) ->
                        title.append(' ').append(name).append('=').append(value));
        return title.toString();
    }

    /** Returns a name for files about the task, without a suffix. */
    String fileName() {
        return title().replaceAll("[ =]", "-");
    }
}
