package dev.holdfast.rl.backend.java;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaBackendTest {
    private final NetworkSpec spec = NetworkSpec.defaults(Box.unbounded(4), new Discrete(2), false);

    @Test
    void isFoundByItsName() {
        PpoBackend backend = Backends.named("java");
        assertThat(backend).isInstanceOf(JavaBackend.class);
        assertThat(backend.capabilities()).containsExactlyInAnyOrder(Capability.values());
        assertThat(backend.devices())
                .extracting(Device::name, Device::usable)
                .containsExactly(tuple("cpu", true), tuple("gpu", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "auto"})
    void usesTheKernelThatItNames(String device) {
        String kernel = Kernel.fastest().name();
        JavaBackend backend = new JavaBackend();
        assertThat(backend.devices().get(0).detail()).endsWith("kernel " + kernel);
        try (PpoLearner learner = backend.createLearner(new LearnerRequest(spec, device, 1, 64, 0))) {
            assertThat(learner.kernel()).isEqualTo(kernel);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu", "gpu:1"})
    void refusesAGpuAndSaysWhatThereIs(String device) {
        assertThatThrownBy(() -> new JavaBackend().createLearner(new LearnerRequest(spec, device, 1, 64, 0)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("device must be one of [auto, cpu] for backend java here, but was " + device
                        + ": this backend computes on the CPU alone; for a GPU take another one, such as djl of the"
                        + " module dev.holdfast:rl-backend-djl");
    }
}
