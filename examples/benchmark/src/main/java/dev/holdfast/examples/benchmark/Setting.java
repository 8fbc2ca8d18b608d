package dev.holdfast.examples.benchmark;

import java.util.List;
import java.util.Map;

/**
 * A training run whose speed is measured.
 *
 * @param name its name on the command line and in results
 * @param description what it trains
 * @param config configuration keys with their values
 * @param timesteps environment steps of one repetition: whole rollouts, a few seconds at the goals
 * @param reference steps per second of the reference implementation: Stable-Baselines3 2.8 on torch 2.13, one thread (two were
 *     slower), on a machine of two cores with AVX-512
 * @param simdGoal the multiple of the reference to reach with the Vector API
 * @param plainGoal the multiple of the reference to reach with plain loops
 */
record Setting(
        String name,
        String description,
        Map<String, String> config,
        long timesteps,
        double reference,
        double simdGoal,
        double plainGoal) {
    static final List<Setting> ALL = List.of(
            new Setting(
                    "cartpole-default",
                    "CartPole-v1, PPO's default settings: 1 environment, 2048 steps, batch 64, 10 epochs",
                    Map.of("env", "CartPole-v1", "config_profile", "reference"),
                    102_400,
                    1_680,
                    30,
                    10),
            new Setting(
                    "cartpole-tuned",
                    "CartPole-v1, tuned settings: 8 environments, 32 steps, batch 256, 20 epochs",
                    Map.of("env", "CartPole-v1", "config_profile", "tuned"),
                    102_400,
                    4_510,
                    10,
                    4),
            new Setting(
                    "masked-1",
                    "InvalidAction-v0 (masked): 1 environment, 256 steps, batch 64, 10 epochs",
                    masked("1"),
                    51_200,
                    1_030,
                    20,
                    8),
            new Setting(
                    "masked-8",
                    "InvalidAction-v0 (masked): 8 environments, 256 steps, batch 64, 10 epochs",
                    masked("8"),
                    51_200,
                    1_910,
                    12,
                    5),
            new Setting(
                    "cartpole-wide",
                    "CartPole-v1, two layers of 256: 8 environments, 256 steps, batch 256, 10 epochs",
                    Map.ofEntries(
                            Map.entry("env", "CartPole-v1"),
                            Map.entry("config_profile", "none"),
                            Map.entry("envs", "8"),
                            Map.entry("rollout_steps", "256"),
                            Map.entry("batch_size", "256"),
                            Map.entry("n_epochs", "10"),
                            Map.entry("net_arch", "256,256")),
                    20_480,
                    4_160,
                    2,
                    0.7));

    private static Map<String, String> masked(String envs) {
        return Map.ofEntries(
                Map.entry("env", "InvalidAction-v0"),
                Map.entry("config_profile", "none"),
                Map.entry("envs", envs),
                Map.entry("rollout_steps", "256"),
                Map.entry("batch_size", "64"),
                Map.entry("n_epochs", "10"));
    }

    static List<String> names() {
        return ALL.stream().map(Setting::name).toList();
    }
}
