package dev.holdfast.rl.backend.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.StandardCapabilities;
import ai.djl.util.Platform;
import ai.djl.util.Utils;
import com.sun.jna.Function;
import dev.holdfast.rl.api.backend.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PyTorch as DJL loads it. A JVM loads its native libraries once, and if that fails, it fails for good: so this class
 * has one instance, which is made when it is first asked for.
 */
final class PyTorch {
    private static final Logger LOG = LoggerFactory.getLogger(PyTorch.class);
    private static final String NAME = "PyTorch";
    private static final String CUDA_ADVICE = "; that takes an NVIDIA GPU with its driver, and a PyTorch 2.7.1 for CUDA"
            + " 12.8, which is not among the Maven artifacts: set the environment variables PYTORCH_LIBRARY_PATH to the lib"
            + " folder of one, and PYTORCH_FLAVOR to cu128";

    private final @Nullable Engine engine;
    private final List<Device> devices;

    private PyTorch(@Nullable Engine engine, List<Device> devices) {
        this.engine = engine;
        this.devices = List.copyOf(devices);
    }

    private static final class Holder {
        static final PyTorch INSTANCE = load();
    }

    /** Returns PyTorch; the first call loads it, which takes up to some seconds. */
    static PyTorch get() {
        return Holder.INSTANCE;
    }

    /**
     * Sees to it that DJL neither downloads anything nor reports to its vendor, unless the user wants it otherwise. To
     * be called before any of its classes is initialised.
     */
    static void stayOffline(Map<String, String> environment) {
        setUnlessSet("ai.djl.offline", "DJL_OFFLINE", environment);
        setUnlessSet("OPT_OUT_TRACKING", "OPT_OUT_TRACKING", environment);
    }

    private static void setUnlessSet(String property, String variable, Map<String, String> environment) {
        if (System.getProperty(property) == null && !environment.containsKey(variable)) {
            System.setProperty(property, "true");
        }
    }

    /**
     * Makes OpenMP's threads sleep while they wait, unless the user wants it otherwise. They spin by default, and on a
     * busy machine that makes a gradient step with two threads a hundred times slower. OpenMP reads its environment
     * once, when its library is loaded, and Java itself can't write there.
     */
    private static void letWaitingThreadsSleep() {
        if (com.sun.jna.Platform.isWindows()) {
            return;
        }
        try {
            int unlessSet = 0;
            Function.getFunction("c", "setenv").invokeInt(new Object[] {"OMP_WAIT_POLICY", "passive", unlessSet});
        } catch (LinkageError e) {
            LOG.debug("OMP_WAIT_POLICY is left as it is", e);
        }
    }

    private static PyTorch load() {
        stayOffline(System.getenv());
        letWaitingThreadsSleep();
        try {
            Engine engine = Engine.getEngine(NAME);
            List<Device> devices = new ArrayList<>();
            // DJL counts GPUs with CUDA's own library, which may be there without PyTorch being made for it, or the
            // other
            // way round: PyTorch knows better.
            boolean cuda = engine.hasCapability(StandardCapabilities.CUDA);
            int gpus = cuda ? Math.max(1, engine.getGpuCount()) : 0;
            String pyTorch = NAME + " " + engine.getVersion();
            for (int i = 0; i < gpus; i++) {
                devices.add(new Device("gpu:" + i, true, "CUDA device, " + pyTorch));
            }
            int processors = Runtime.getRuntime().availableProcessors();
            devices.add(new Device("cpu", true, processors + " processors, " + pyTorch));
            if (!cuda) {
                devices.add(new Device("gpu", false, pyTorch + " finds no CUDA here" + CUDA_ADVICE));
            }
            return new PyTorch(engine, devices);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            String reason = refusal(e);
            return new PyTorch(null, List.of(new Device("cpu", false, reason), new Device("gpu", false, reason)));
        }
    }

    /** Says in one line why PyTorch can't be loaded, and what would help. */
    static String refusal(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null
                ? ""
                : ": " + cause.getMessage().lines().findFirst().orElse("");
        return "PyTorch's native libraries can't be loaded (" + cause.getClass().getSimpleName() + message
                + "); they come from the artifact ai.djl.pytorch:pytorch-native-cpu:2.7.1 with classifier "
                + Platform.fromSystem(NAME).getClassifier() + " and are unpacked, 450 MB of them, to "
                + Utils.getEngineCacheDir() + " (environment variable ENGINE_CACHE_DIR)";
    }

    /** Returns the devices, usable or not, the one to be preferred first. */
    List<Device> devices() {
        return devices;
    }

    /** Returns the version of PyTorch. Not to be called unless a device is usable. */
    String version() {
        if (engine == null) {
            throw new IllegalStateException("PyTorch could not be loaded");
        }
        return engine.getVersion();
    }
}
