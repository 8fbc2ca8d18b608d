package dev.holdfast.rl.backend.djl;

import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * PPO on PyTorch, through DJL. It can do everything there is a {@link Capability} for, on the CPU or on a GPU with
 * CUDA.
 *
 * <p>PyTorch's native libraries are unpacked from a jar when they are first needed, into DJL's cache folder (the system
 * property or environment variable {@code ENGINE_CACHE_DIR}, {@code DJL_CACHE_DIR}, or {@code .djl.ai} in the user's
 * home). Nothing is downloaded and nothing reported: unless the user has set them, the system properties {@code
 * ai.djl.offline} and {@code OPT_OUT_TRACKING} are set before DJL starts.
 *
 * <p><em>Threads.</em> Stateless. A learner computes in the thread that calls it, with the help of OpenMP's threads if
 * more than one was asked for: that pays for wide networks and large mini-batches alone. So that these threads sleep
 * while they wait, instead of keeping processors busy, the environment variable {@code OMP_WAIT_POLICY} is set to
 * {@code passive} for PyTorch, unless it is set already.
 */
public final class DjlBackend implements PpoBackend {
    private final boolean staged;

    /** Creates the backend; for {@link java.util.ServiceLoader}. */
    public DjlBackend() {
        this(false);
    }

    /** Creates a backend that treats the CPU as a device with memory of its own if asked to. */
    DjlBackend(boolean staged) {
        this.staged = staged;
    }

    @Override
    public String name() {
        return "djl";
    }

    @Override
    public String description() {
        return "PyTorch through DJL, on the CPU or with CUDA";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public List<Device> devices() {
        return PyTorch.get().devices();
    }

    @Override
    public PpoLearner createLearner(LearnerRequest request) {
        Device device = Device.choose(this, request.device());
        return new DjlLearner(request, device, staged || !device.name().equals("cpu"));
    }
}
