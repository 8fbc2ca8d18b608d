package dev.holdfast.rl.backend.dl4j;

import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.openblas.presets.openblas_nolapack.SetNumThreads;
import org.jspecify.annotations.Nullable;

/** The native library as a whole; {@link Matrix} has its products. It is loaded with this class. */
final class OpenBlas {
    /** The kernels that there may be one of for each kind of processor, by their names in the library's symbols. */
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

    private static final String KERNEL;
    private static final @Nullable SetNumThreads THREAD_SETTER;

    static {
        Loader.load(openblas_nolapack.class);
        KERNEL = "openblas-" + openblas_nolapack.OPENBLAS_VERSION.replaceAll("[^0-9.]", "") + core();
        Pointer function = Loader.addressof("openblas_set_num_threads");
        THREAD_SETTER = function == null ? null : new SetNumThreads(new PointerPointer<>(1).put(0, function));
    }

    private OpenBlas() {}

    /** Returns the chosen kernel's name, of which there is no other trace for Java than a pointer to its table of functions. */
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

    /** Returns the library's version and the kernel that it has chosen for this processor. */
    static String kernel() {
        return KERNEL;
    }

    /**
     * Keeps OpenBLAS from sharing a product out to threads of its own: their number is one for the whole process, and ND4J sets it
     * when it is loaded. Takes 20 ns.
     */
    static void useOneThread() {
        if (THREAD_SETTER != null) {
            THREAD_SETTER.call(1);
        }
    }
}
