package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.network.NetworkSpec;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.factory.Nd4j;

/** The GPUs, with ND4J on CUDA. */
final class Nd4jEngine implements Engine {
    private static final String CUDA = "org.nd4j.linalg.jcublas.JCublasBackend";

    private final String backend;
    private final Supplier<Native> library;

    Nd4jEngine() {
        this(CUDA, () -> Loaded.LIBRARY);
    }

    /**
     * Creates an engine.
     *
     * @param backend the class of the ND4J backend that computes on GPUs
     * @param library gives the one that ND4J has loaded
     */
    Nd4jEngine(String backend, Supplier<Native> library) {
        this.backend = backend;
        this.library = library;
    }

    /** ND4J has one backend per process. It isn't loaded before this class is used. */
    private static final class Loaded {
        static final Native LIBRARY =
                Native.load(() -> Nd4j.getBackend().getClass().getName());
    }

    @Override
    public List<Device> devices() {
        String obstacle = obstacle();
        if (obstacle != null) {
            return List.of(new Device("gpu", false, obstacle));
        }
        return IntStream.range(0, Nd4j.getAffinityManager().getNumberOfDevices())
                .mapToObj(i -> new Device("gpu:" + i, true, "ND4J on CUDA 11.6"))
                .toList();
    }

    private @Nullable String obstacle() {
        try {
            Class.forName(backend, false, Nd4jEngine.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return "ND4J's CUDA backend is not on the class path; add org.nd4j:nd4j-cuda-11.6 and"
                    + " org.nd4j:nd4j-cuda-11.6-preset (1.0.0-M2.1), and org.bytedeco:cuda (11.6-8.3-1.5.7), each also with the"
                    + " classifier linux-x86_64 or windows-x86_64";
        }
        Native library = this.library.get();
        if (library.failure() != null) {
            return "ND4J's CUDA backend could not be loaded (" + library.failure() + "); it needs an NVIDIA driver";
        }
        if (!library.name().equals(backend)) {
            // Without a word, ND4J takes the next backend where one can't be loaded.
            return "ND4J's CUDA backend could not be loaded, and ND4J took " + library.name()
                    + "; it needs an NVIDIA driver, and the artifacts' natives (classifier linux-x86_64 or windows-x86_64)";
        }
        return null;
    }

    @Override
    public String kernel() {
        return "nd4j-cuda-11.6";
    }

    @Override
    public int maxThreads() {
        return 1;
    }

    @Override
    public int chunkRows(NetworkSpec spec) {
        return Integer.MAX_VALUE;
    }

    @Override
    public Network network(NetworkSpec spec, int rows, Device device) {
        return new Nd4jNetwork(spec, rows, Integer.parseInt(device.name().substring("gpu:".length())));
    }
}
