package dev.holdfast.rl.backend.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Dl4jBackendTest {
    private static final String CPU_BACKEND = "org.nd4j.linalg.cpu.nativecpu.CpuBackend";
    private final NetworkSpec spec = NetworkSpec.defaults(Box.unbounded(4), new Discrete(2), false);

    private LearnerRequest request(String device) {
        return new LearnerRequest(spec, device, 1, 64, 0);
    }

    private static Dl4jBackend backend(Engine... engines) {
        return new Dl4jBackend(List.of(engines), 1);
    }

    @Test
    void isFoundByItsName() {
        PpoBackend backend = Backends.named("dl4j");
        assertThat(backend).isInstanceOf(Dl4jBackend.class);
        assertThat(backend.capabilities()).containsExactlyInAnyOrder(Capability.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "auto"})
    void computesWithTheKernelThatItNames(String device) {
        // ND4J's CUDA backend is not among this module's dependencies.
        assertThat(new Dl4jBackend().devices())
                .extracting(Device::name, Device::usable)
                .containsExactly(tuple("cpu", true), tuple("gpu", false));
        try (PpoLearner learner = new Dl4jBackend().createLearner(request(device))) {
            assertThat(learner.device()).isEqualTo("cpu");
            assertThat(learner.kernel()).matches("openblas-0\\.3\\.\\d+(-[A-Z0-9]+)?");
            assertThat(new Dl4jBackend().devices().get(0).detail()).endsWith("kernel " + learner.kernel());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu", "gpu:1"})
    void refusesAGpuAndNamesTheArtifactsToAdd(String device) {
        assertThatThrownBy(() -> new Dl4jBackend().createLearner(request(device)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("device must be one of [auto, cpu] for backend dl4j here, but was " + device
                        + ": ND4J's CUDA backend is not on the class path; add org.nd4j:nd4j-cuda-11.6 and"
                        + " org.nd4j:nd4j-cuda-11.6-preset (1.0.0-M2.1), and org.bytedeco:cuda (11.6-8.3-1.5.7), each also"
                        + " with the classifier linux-x86_64 or windows-x86_64");
    }

    @Test
    void refusesAGpuWhereNd4jFellBackToTheCpu() {
        Engine gpu = new Nd4jEngine(CPU_BACKEND, () -> new Native("some.other.Backend", null));
        assertThatThrownBy(() -> backend(gpu, new OpenBlasEngine()).createLearner(request("gpu")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("ND4J's CUDA backend could not be loaded, and ND4J took some.other.Backend");
    }

    @Test
    void refusesAGpuWhereNd4jCouldNotBeLoaded() {
        Engine gpu = new Nd4jEngine(
                CPU_BACKEND,
                () -> Native.load(() -> {
                    throw new ExceptionInInitializerError(new IllegalStateException("no libcuda.so.1\n\tat somewhere"));
                }));
        assertThatThrownBy(() -> backend(gpu, new OpenBlasEngine()).createLearner(request("gpu:0")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("(java.lang.IllegalStateException: no libcuda.so.1)")
                .hasMessageNotContaining("\n");
    }

    @Test
    void prefersAUsableGpu() {
        Engine gpu = new Nd4jEngine(CPU_BACKEND, () -> new Native(CPU_BACKEND, null));
        assertThat(backend(new OpenBlasEngine(), gpu).devices())
                .extracting(Device::usable)
                .containsExactly(true, true);
        assertThat(backend(gpu, new OpenBlasEngine()).devices())
                .extracting(Device::name)
                .containsExactly("gpu:0", "cpu");
    }

    @Test
    void saysWhatIsMissingWhereNativesCannotBeLoaded() {
        Engine cpu = new OpenBlasEngine(() -> Native.load(() -> {
            throw new UnsatisfiedLinkError("no jniopenblas_nolapack in java.library.path");
        }));
        Dl4jBackend backend = backend(new Nd4jEngine(), cpu);
        assertThat(backend.devices()).extracting(Device::usable).containsExactly(false, false);
        for (String device : List.of("cpu", "auto")) {
            assertThatThrownBy(() -> backend.createLearner(request(device)))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageStartingWith("device must be one of [auto] for backend dl4j here, but was " + device);
        }
        assertThatThrownBy(() -> backend.createLearner(request("cpu")))
                .hasMessageContaining("no jniopenblas_nolapack in java.library.path")
                .hasMessageContaining("org.bytedeco:openblas");
    }

    @Test
    void setsPropertiesOfTheNativesUnlessTheUserDid() {
        List<String> names = List.of(
                "org.bytedeco.javacpp.maxphysicalbytes",
                "org.bytedeco.javacpp.maxbytes",
                "org.nd4j.log.initialization");
        List<Optional<String>> before = names.stream()
                .map(name -> Optional.ofNullable(System.getProperty(name)))
                .toList();
        try {
            names.forEach(System::clearProperty);
            System.setProperty("org.bytedeco.javacpp.maxbytes", "1g");
            assertThat(Native.load(() -> "x")).isEqualTo(new Native("x", null));
            assertThat(names.stream().map(System::getProperty)).containsExactly("0", "1g", "false");
        } finally {
            for (int i = 0; i < names.size(); i++) {
                System.clearProperty(names.get(i));
                String name = names.get(i);
                before.get(i).ifPresent(value -> System.setProperty(name, value));
            }
        }
    }
}
