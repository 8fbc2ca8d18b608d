package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One linear layer of a network and what it is connected to.
 *
 * @param index its place in the order in which layers are computed
 * @param input the layer whose outputs it reads; null for the features
 * @param role what its outputs are for
 * @param joins whether a later layer reads the same input
 * @param torch where its parameters lie
 */
record Layer(int index, @Nullable Layer input, Role role, boolean joins, ParameterLayout.Layer torch) {
    /** What a layer's outputs are for. */
    enum Role {
        /** They go through the activation and are read by other layers. */
        HIDDEN,
        /** They describe the distribution over actions. */
        ACTION_HEAD,
        /** They are the value estimates. */
        VALUE_HEAD
    }

    int in() {
        return torch.in();
    }

    int out() {
        return torch.out();
    }

    /** Returns the number of weights and biases, which lie one after the other. */
    int parameters() {
        return torch.in() * torch.out() + torch.out();
    }

    boolean hidden() {
        return role == Role.HIDDEN;
    }

    /** Returns all layers of a network; each comes after the one that it reads. */
    static List<Layer> of(ParameterLayout layout) {
        List<Layer> layers = new ArrayList<>();
        Layer trunk = stack(layers, null, layout.shared(), false);
        // The value function's first layer comes later and reads the same.
        Layer policy = stack(layers, trunk, layout.policy(), true);
        add(
                layers,
                policy,
                layout.actionHead(),
                Role.ACTION_HEAD,
                layout.policy().isEmpty());
        Layer value = stack(layers, trunk, layout.value(), false);
        add(layers, value, layout.valueHead(), Role.VALUE_HEAD, false);
        return List.copyOf(layers);
    }

    private static @Nullable Layer stack(
            List<Layer> layers, @Nullable Layer input, List<ParameterLayout.Layer> stack, boolean firstJoins) {
        Layer last = input;
        for (int i = 0; i < stack.size(); i++) {
            last = add(layers, last, stack.get(i), Role.HIDDEN, firstJoins && i == 0);
        }
        return last;
    }

    private static Layer add(
            List<Layer> layers, @Nullable Layer input, ParameterLayout.Layer torch, Role role, boolean joins) {
        Layer layer = new Layer(layers.size(), input, role, joins, torch);
        layers.add(layer);
        return layer;
    }
}
