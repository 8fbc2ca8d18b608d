package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.network.NetworkSpec;
import java.util.List;

/** What computes networks, on devices of one kind. */
interface Engine {
    /** Returns its devices, or one that isn't usable and says why. Loads native code; throws nothing if that can't be. */
    List<Device> devices();

    /** Returns what the last bits of results depend on; only if a device is usable. */
    String kernel();

    /** Returns how many threads may compute for one learner. */
    int maxThreads();

    /** Returns how many rows are best computed at once, if there are that many. */
    int chunkRows(NetworkSpec spec);

    /**
     * Creates a network.
     *
     * @param spec what to create
     * @param rows the largest number of rows at once
     * @param device a usable device of this engine
     */
    Network network(NetworkSpec spec, int rows, Device device);
}
