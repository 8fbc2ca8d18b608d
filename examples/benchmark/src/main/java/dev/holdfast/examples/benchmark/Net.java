package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.Arrays;
import java.util.List;

/** A network with CartPole's inputs and actions and two hidden layers, for policy and value function each. */
enum Net {
    SMALL(64),
    MIDDLE(256),
    WIDE(1024);

    private final int width;

    Net(int width) {
        this.width = width;
    }

    /** Returns the network; not orthogonal at first, which would take seconds for a wide one and changes nothing in its speed. */
    NetworkSpec spec() {
        List<Integer> layers = List.of(width, width);
        return new NetworkSpec(
                Box.unbounded(4), new Discrete(2), false, List.of(), layers, layers, Activation.TANH, false, 0);
    }

    static Net named(String name) {
        return Arrays.stream(values())
                .filter(net -> net.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such network: " + name));
    }

    @Override
    public String toString() {
        return "2x" + width;
    }
}
