package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * PPO in Java alone: no native code, starts at once. It can do everything there is a {@link Capability} for, on the CPU.
 *
 * <p>It computes in SIMD instructions where the JVM was started with {@code --add-modules jdk.incubator.vector}, and elsewhere in
 * loops that the JIT compiler vectorises, two to three times slower. {@link PpoLearner#kernel} tells which.
 *
 * <p><em>Threads.</em> Stateless. A learner with more than one thread starts daemon threads named {@code holdfast-java-backend-1} and so on
 * when it first needs them, and ends them when it is closed; a small network or mini-batch may need fewer than it is allowed.
 */
public final class JavaBackend implements PpoBackend {
    /** With the backward pass, about 10 µs of work for a thread: several times what handing it over takes. */
    private static final int GRAIN = 1 << 17;

    private final Supplier<Kernel> kernels;
    private final int grain;

    /** Creates the backend; for {@link java.util.ServiceLoader}. */
    public JavaBackend() {
        this(Kernel::fastest, GRAIN);
    }

    JavaBackend(Supplier<Kernel> kernels, int grain) {
        this.kernels = kernels;
        this.grain = grain;
    }

    @Override
    public String name() {
        return "java";
    }

    @Override
    public String description() {
        return "pure Java, kernel " + kernels.get().name();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public List<Device> devices() {
        return List.of(
                new Device(
                        "cpu",
                        true,
                        Runtime.getRuntime().availableProcessors() + " processors, kernel "
                                + kernels.get().name()),
                new Device(
                        "gpu",
                        false,
                        "this backend computes on the CPU alone; for a GPU take another one, such as djl of the module"
                                + " dev.holdfast:rl-backend-djl"));
    }

    @Override
    public PpoLearner createLearner(LearnerRequest request) {
        return new JavaLearner(request, Device.choose(this, request.device()), kernels, grain);
    }
}
