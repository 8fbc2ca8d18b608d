package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.List;
import java.util.function.Supplier;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.openblas.presets.openblas_nolapack.SetNumThreads;
import org.jspecify.annotations.Nullable;

/** The CPU, with OpenBLAS, which ND4J computes with there, too. */
final class OpenBlasEngine implements Engine {
    /** OpenBLAS keeps buffers for twice as many callers at once, and warns on standard output beyond that. */
    private static final int MAX_THREADS = 64;

    /** A chunk has about this many outputs of the widest layer: a few layers of them fit into a core's caches. */
    private static final int CHUNK_OUTPUTS = 1 << 16;

    private static final int MIN_CHUNK_ROWS = 64;
    private static final int MAX_CHUNK_ROWS = 512;

    /** The kernels that one library holds for processors of one architecture, by the names of its symbols. */
    private static final List<String> CORES = List.of(
            "PRESCOTT",
            "CORE2",
            "NEHALEM",
            "BARCELONA",
            "SANDYBRIDGE",
            "BULLDOZER",
            "PILEDRIVER",
            "STEAMROLLER",
            "EXCAVATOR",
            "HASWELL",
            "ZEN",
            "SKYLAKEX",
            "COOPERLAKE",
            "SAPPHIRERAPIDS",
            "ARMV8",
            "ARMV8SVE",
            "CORTEXA53",
            "CORTEXA57",
            "CORTEXA72",
            "NEOVERSEN1",
            "NEOVERSEN2",
            "NEOVERSEV1");

    private final Supplier<Native> library;

    OpenBlasEngine() {
        this(() -> Loaded.LIBRARY);
    }

    OpenBlasEngine(Supplier<Native> library) {
        this.library = library;
    }

    @Override
    public List<Device> devices() {
        String failure = library.get().failure();
        String detail = failure == null
                ? Runtime.getRuntime().availableProcessors() + " processors, kernel " + kernel()
                : "OpenBLAS could not be loaded (" + failure
                        + "); for this platform there must be org.bytedeco:openblas and"
                        + " org.bytedeco:javacpp with the classifier " + Loader.getPlatform()
                        + " on the class path, and a writable"
                        + " folder to unpack to, -Dorg.bytedeco.javacpp.cachedir=…";
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

    /**
     * Keeps OpenBLAS from sharing out a product to threads of its own: it has one number of them for the whole process, which ND4J
     * sets, too, when it is loaded. Takes 20 ns.
     */
    static void useOneThread() {
        if (Loaded.THREAD_SETTER != null) {
            Loaded.THREAD_SETTER.call(1);
        }
    }

    /** As the native library itself, there once per process; not loaded before this class is used. */
    private static final class Loaded {
        static final Native LIBRARY = Native.load(Loaded::load);
        static final @Nullable SetNumThreads THREAD_SETTER = threadSetter();

        private static String load() {
            Loader.load(openblas_nolapack.class);
            String version = openblas_nolapack.OPENBLAS_VERSION.replaceAll("[^0-9.]", "");
            return "openblas-" + version + core();
        }

        private static @Nullable SetNumThreads threadSetter() {
            Pointer function = Loader.addressof("openblas_set_num_threads");
            return function == null ? null : new SetNumThreads(new PointerPointer<>(1).put(0, function));
        }

        /** Returns the kernel's name, of which there is no other trace than a pointer to its table of functions. */
        private static String core() {
            Pointer chosen = Loader.addressof("gotoblas");
            if (chosen == null) {
                return "";
            }
            Pointer table = new PointerPointer<>(chosen).get(0);
            return CORES.stream()
                    .filter(core -> table.equals(Loader.addressof("gotoblas_" + core)))
                    .map(core -> "-" + core)
                    .findFirst()
                    .orElse("");
        }
    }
}
