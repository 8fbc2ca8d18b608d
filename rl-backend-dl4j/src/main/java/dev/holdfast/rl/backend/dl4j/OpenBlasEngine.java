package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.List;
import java.util.function.Supplier;

/** The CPU, with OpenBLAS, by which ND4J computes there, too. */
final class OpenBlasEngine implements Engine {
    /** OpenBLAS has buffers for twice as many callers at once, and complains on standard output beyond that. */
    private static final int MAX_THREADS = 64;

    /** A chunk has about this many outputs of the widest layer: a few layers of them fit into a core's caches. */
    private static final int CHUNK_OUTPUTS = 1 << 16;

    private static final int MIN_CHUNK_ROWS = 64;
    private static final int MAX_CHUNK_ROWS = 512;

    private final Supplier<Native> library;

    OpenBlasEngine() {
        this(() -> Loaded.LIBRARY);
    }

    /**
     * Creates an engine.
     *
     * @param library gives OpenBLAS
     */
    OpenBlasEngine(Supplier<Native> library) {
        this.library = library;
    }

    /** OpenBLAS is there once per process, or not. It isn't loaded before this class is used. */
    private static final class Loaded {
        static final Native LIBRARY = Native.load(() -> OpenBlas.kernel());
    }

    @Override
    public List<Device> devices() {
        String failure = library.get().failure();
        String detail = failure == null
                ? Runtime.getRuntime().availableProcessors() + " processors, kernel " + kernel()
                : "OpenBLAS could not be loaded (" + failure
                        + "); it needs org.bytedeco:openblas and org.bytedeco:javacpp with"
                        + " this platform's classifier, such as linux-x86_64, on the class path, and a folder to unpack them to"
                        + " (-Dorg.bytedeco.javacpp.cachedir)";
        return List.of(new Device("cpu", failure == null, detail));
    }

    @Override
    public String kernel() {
        return library.get().name();
    }

    @Override
    public int maxThreads() {
        return MAX_THREADS;
    }

    @Override
    public int chunkRows(NetworkSpec spec) {
        int widest = Layer.of(new ParameterLayout(spec)).stream()
                .mapToInt(Layer::out)
                .max()
                .orElseThrow();
        return Math.min(Math.max(CHUNK_OUTPUTS / widest, MIN_CHUNK_ROWS), MAX_CHUNK_ROWS);
    }

    @Override
    public Network network(NetworkSpec spec, int rows, Device device) {
        return new BlasNetwork(spec, rows);
    }
}
