package dev.holdfast.examples.benchmark;

import java.util.List;
import java.util.Map;

/**
 * A training run whose speed is measured.
 *
 * @param name its name on the command line and in results
 * @param description what it trains
 * @param config configuration keys with their values
 * @param timesteps environment steps of one run: whole rollouts, a second or so at the goals
 * @param reference steps per second of the reference implementation: Stable-Baselines3 2.8 on torch 2.13, one thread (two were
 *     slower), on a machine of two cores with AVX-512
 * @param goals by the name of a variant: the multiple of the reference to reach
 */
record Setting(
        String name,
        String description,
        Map<String, String> config,
        long timesteps,
        double reference,
        Map<String, Double> goals) {
    private static final String JAVA_SIMD = Variant.javaSimd().name();
    private static final String JAVA_LOOPS = Variant.javaLoops().name();

    static final List<Setting> ALL = List.of(
            new Setting(
                    "cartpole-default",
                    "CartPole-v1, PPO's default settings: 1 environment, 2048 steps, batch 64, 10 epochs",
                    Map.of("env", "CartPole-v1", "config_profile", "reference"),
                    51_200,
                    1_680,
                    Map.of(JAVA_SIMD, 30.0, JAVA_LOOPS, 10.0, "djl", 6.0, "dl4j", 12.0)),
            new Setting(
                    "cartpole-tuned",
                    "CartPole-v1, tuned settings: 8 environments, 32 steps, batch 256, 20 epochs",
                    Map.of("env", "CartPole-v1", "config_profile", "tuned"),
                    51_200,
                    4_510,
                    Map.of(JAVA_SIMD, 10.0, JAVA_LOOPS, 4.0)),
            new Setting(
                    "masked-1",
                    "InvalidAction-v0 (masked): 1 environment, 256 steps, batch 64, 10 epochs",
                    masked("1"),
                    30_720,
                    1_030,
                    Map.of(JAVA_SIMD, 20.0, JAVA_LOOPS, 8.0)),
            new Setting(
                    "masked-8",
                    "InvalidAction-v0 (masked): 8 environments, 256 steps, batch 64, 10 epochs",
                    masked("8"),
                    30_720,
                    1_910,
                    Map.of(JAVA_SIMD, 12.0, JAVA_LOOPS, 5.0)),
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
                    10_240,
                    4_160,
                    Map.of(JAVA_SIMD, 2.0, JAVA_LOOPS, 0.7)));

    /** Runs with little to learn from each step, in this process and with as many others as environments. */
    static final List<Setting> WORKERS = List.of(
            workers("sync", 2, 51_200, 4_150, Map.of()),
            workers("process", 2, 51_200, 1_900, Map.of(JAVA_SIMD, 10.0, JAVA_LOOPS, 10.0)),
            workers("sync", 8, 76_800, 4_510, Map.of()),
            workers("process", 8, 76_800, 3_160, Map.of(JAVA_SIMD, 10.0, JAVA_LOOPS, 10.0)));

    /** The one by which all backends are compared. */
    static final Setting COMPARED = ALL.get(0);

    private static Map<String, String> masked(String envs) {
        return Map.ofEntries(
                Map.entry("env", "InvalidAction-v0"),
                Map.entry("config_profile", "none"),
                Map.entry("envs", envs),
                Map.entry("rollout_steps", "256"),
                Map.entry("batch_size", "64"),
                Map.entry("n_epochs", "10"));
    }

    private static Setting workers(
            String vecEnv, int envs, long timesteps, double reference, Map<String, Double> goals) {
        return new Setting(
                "cartpole-" + vecEnv + "-" + envs,
                "CartPole-v1: " + envs + " environments (" + vecEnv + "), 32 steps, batch 32, 1 epoch",
                Map.ofEntries(
                        Map.entry("env", "CartPole-v1"),
                        Map.entry("config_profile", "none"),
                        Map.entry("vec_env", vecEnv),
                        Map.entry("envs", Integer.toString(envs)),
                        Map.entry("rollout_steps", "32"),
                        Map.entry("batch_size", "32"),
                        Map.entry("n_epochs", "1")),
                timesteps,
                reference,
                goals);
    }

    static List<String> names() {
        return ALL.stream().map(Setting::name).toList();
    }
}
