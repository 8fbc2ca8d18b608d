package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A setting and how it is trained.
 *
 * @param setting what is trained
 * @param variant by what
 * @param threads threads of the gradient step
 * @param defaults false for training alone: no evaluation, no recovery points, no TensorBoard files; true for everything that a
 *     run does by default
 */
record Training(Setting setting, Variant variant, int threads, boolean defaults) {
    Map<String, String> config(int divisor) {
        Map<String, String> config = new TreeMap<>(setting.config());
        config.put("timesteps", Long.toString(setting.timesteps() / divisor));
        config.put("backend", variant.backend());
        config.put("device", "cpu");
        config.put("threads", Integer.toString(threads));
        if (!defaults) {
            config.put("eval_episodes", "0");
            config.put("recovery_every", "0");
            config.put("tensorboard", "false");
        }
        return config;
    }

    /** Returns the arguments of {@link SpeedProbe}. */
    List<String> arguments(Effort effort) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Double.toString(effort.warmupSeconds()));
        arguments.add(Integer.toString(effort.runs()));
        config(effort.divisor()).forEach((key, value) -> arguments.add(key + "=" + value));
        return arguments;
    }

    String configuration() {
        return defaults ? "defaults" : "training alone";
    }

    @Override
    public String toString() {
        return setting.name() + ", " + configuration() + ", " + variant + ", " + Text.count(threads, "thread");
    }
}
