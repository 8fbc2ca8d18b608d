package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.List;

/** Counts floating-point operations. */
final class Flops {
    private Flops() {}

    /**
     * Returns the operations that a gradient step spends on the matrix products of one sample: 2 for each weight forward, 2 for its
     * gradient, and 2 for the gradient of its input, which nobody needs of an observation. Layers must not be shared.
     */
    static long ofUpdate(ParameterLayout layout) {
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
