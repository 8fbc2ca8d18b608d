package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A setting and how it is run.
 *
 * @param setting what is trained
 * @param simd whether the JVM has the Vector API
 * @param threads threads of the gradient step
 * @param defaults false for training alone: no evaluation, no recovery points, no TensorBoard files; true for everything that a
 *     run does by default
 */
record Variant(Setting setting, boolean simd, int threads, boolean defaults) {
    /** Returns what a setting is measured with: everything that has a goal, and the defaults of the command. */
    static List<Variant> of(Setting setting, boolean simdAvailable) {
        List<Variant> all = new ArrayList<>();
        for (boolean simd : simdAvailable ? new boolean[] {true, false} : new boolean[] {false}) {
            all.add(new Variant(setting, simd, 1, false));
            all.add(new Variant(setting, simd, 2, false));
        }
        all.add(new Variant(setting, simdAvailable, 1, true));
        return all;
    }

    Map<String, String> config(int divisor) {
        Map<String, String> config = new TreeMap<>(setting.config());
        config.put("timesteps", Long.toString(setting.timesteps() / divisor));
        config.put("threads", Integer.toString(threads));
        if (!defaults) {
            config.put("eval_episodes", "0");
            config.put("recovery_every", "0");
            config.put("tensorboard", "false");
        }
        return config;
    }

    double goal() {
        return simd ? setting.simdGoal() : setting.plainGoal();
    }

    String configuration() {
        return defaults ? "defaults" : "training alone";
    }

    @Override
    public String toString() {
        return setting.name() + ", " + configuration() + ", " + (simd ? "SIMD" : "plain loops") + ", " + threads
                + (threads == 1 ? " thread" : " threads");
    }

    /**
     * Returns the floating-point operations that a gradient step spends on the matrix products of one sample: 2 for each weight
     * forward, 2 for its gradient, and 2 for the gradient of its input, which nobody needs of an observation. Layers must not be
     * shared.
     */
    static long flopsPerSample(ParameterLayout layout) {
        long flops = 0;
        for (List<ParameterLayout.Layer> stack : List.of(layout.policy(), layout.value())) {
            for (int i = 0; i < stack.size(); i++) {
                flops += (i == 0 ? 4L : 6L) * stack.get(i).in() * stack.get(i).out();
            }
        }
        for (ParameterLayout.Layer head : List.of(layout.actionHead(), layout.valueHead())) {
            flops += 6L * head.in() * head.out();
        }
        return flops;
    }
}
