package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.network.NetworkSpec;
import java.util.List;

/** Does on the CPU what is meant for GPUs, so that it is tested where there are none. */
final class Nd4jOnTheCpu implements Engine {
    @Override
    public List<Device> devices() {
        return List.of(new Device("cpu", true, "ND4J without a GPU"));
    }

    @Override
    public String kernel() {
        return "nd4j-native";
    }

    @Override
    public int maxThreads() {
        return 1;
    }

    @Override
    public int chunkRows(NetworkSpec spec) {
        // Some mini-batches of the tests are larger: they come in parts.
        return 40;
    }

    @Override
    public Network network(NetworkSpec spec, int rows, Device device) {
        return new Nd4jNetwork(spec, rows, 0);
    }
}
