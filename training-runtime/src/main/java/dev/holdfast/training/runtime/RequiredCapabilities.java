package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.EnumSet;
import java.util.Set;

/** What a run asks of its backend. */
final class RequiredCapabilities {
    private RequiredCapabilities() {}

    static void check(PpoBackend backend, NetworkSpec network, int threads) {
        Set<Capability> missing = of(network, threads);
        missing.removeAll(backend.capabilities());
        if (!missing.isEmpty()) {
            throw new InvalidConfigurationException(
                    "backend " + backend.name() + " must be able to do what the run needs, but lacks " + missing
                            + "; it has " + backend.capabilities());
        }
    }

    private static Set<Capability> of(NetworkSpec network, int threads) {
        Set<Capability> needed = EnumSet.noneOf(Capability.class);
        if (network.actionSpace() instanceof Discrete) {
            needed.add(Capability.DISCRETE);
        } else if (network.actionSpace() instanceof MultiDiscrete) {
            needed.add(Capability.MULTI_DISCRETE);
        } else if (network.actionSpace() instanceof Box) {
            needed.add(Capability.BOX);
        } else {
            needed.add(Capability.MULTI_BINARY);
        }
        if (network.masked()) {
            needed.add(Capability.MASKS);
        }
        if (!network.sharedLayers().isEmpty()) {
            needed.add(Capability.SHARED_LAYERS);
        }
        needed.add(network.activation() == Activation.TANH ? Capability.TANH : Capability.RELU);
        if (threads > 1) {
            needed.add(Capability.THREADS);
        }
        return needed;
    }
}
