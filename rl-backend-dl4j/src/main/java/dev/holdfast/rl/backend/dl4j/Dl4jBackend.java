package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * PPO on the libraries of Deeplearning4j. It can do everything there is a {@link Capability} for.
 *
 * <p>On the CPU, matrix products are OpenBLAS's, which ND4J brings and computes with there, too, and everything else is Java: for
 * networks of a few small layers, ND4J's own operations cost more than what they compute. On a GPU, networks are computed by ND4J's
 * CUDA backend, whose artifacts the application adds. Nothing is downloaded; natives are unpacked from their jars to JavaCPP's cache
 * folder ({@code ~/.javacpp/cache} unless {@code -Dorg.bytedeco.javacpp.cachedir} says otherwise).
 *
 * <p>Before natives are loaded, {@code org.bytedeco.javacpp.maxphysicalbytes} and {@code org.bytedeco.javacpp.maxbytes} are set to
 * 0 (no limit) and {@code org.nd4j.log.initialization} to {@code false}, each unless it is set.
 *
 * <p><em>Threads.</em> Stateless. OpenBLAS is kept at one thread of its own, for the whole process. A learner with more than one thread shares
 * the rows of a mini-batch out to daemon threads named {@code holdfast-dl4j-backend-1} and so on, at most 63 beside its caller; it
 * starts them when it first needs them and ends them when it is closed. A small network or mini-batch may need fewer than it is
 * allowed.
 */
public final class Dl4jBackend implements PpoBackend {
    /** With the backward pass, about 100 µs of work for a thread: several times what handing it over takes. */
    private static final int GRAIN = 1 << 20;

    private final List<Engine> engines;
    private final int grain;

    /** Creates the backend; for {@link java.util.ServiceLoader}. */
    public Dl4jBackend() {
        this(List.of(new Nd4jEngine(), new OpenBlasEngine()), GRAIN);
    }

    Dl4jBackend(List<Engine> engines, int grain) {
        this.engines = engines;
        this.grain = grain;
    }

    @Override
    public String name() {
        return "dl4j";
    }

    @Override
    public String description() {
        return "Deeplearning4j's libraries: OpenBLAS on the CPU, ND4J on a GPU";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public List<Device> devices() {
        return engines.stream()
                .flatMap(engine -> engine.devices().stream())
                .sorted(Comparator.comparing(Device::usable).reversed())
                .toList();
    }

    @Override
    public PpoLearner createLearner(LearnerRequest request) {
        Device device = Device.choose(this, request.device());
        Engine engine = engines.stream()
                .filter(candidate -> candidate.devices().contains(device))
                .findFirst()
                .orElseThrow();
        return new Dl4jLearner(request, device, engine, grain);
    }
}
