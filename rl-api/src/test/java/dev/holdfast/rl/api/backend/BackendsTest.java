package dev.holdfast.rl.api.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendsTest {
    private static final NetworkSpec SPEC = NetworkSpec.defaults(Box.unbounded(1), new Discrete(2), false);

    @Test
    void namesTheBackendsThatAreThere() {
        assertThat(Backends.all()).isEmpty();
        assertThatThrownBy(() -> Backends.named("abacus"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("backend must be one of [], but was 'abacus'")
                .hasMessageContaining("rl-backend-abacus");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "auto", "gpu", "gpu:0", "gpu:17"})
    void aRequestTakesADevice(String device) {
        assertThatCode(() -> new LearnerRequest(SPEC, device, 1, 1, 0)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GPU", "cuda", "gpu:", "gpu:-1", "gpu:12345", "cpu:0"})
    void aRequestRefusesOtherDevices(String device) {
        assertThatThrownBy(() -> new LearnerRequest(SPEC, device, 1, 1, 0))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("device must be cpu, gpu, gpu:N or auto, but was " + device);
    }

    @Test
    void aRequestRefusesImpossibleSizes() {
        assertThatThrownBy(() -> new LearnerRequest(SPEC, "cpu", 0, 1, 0))
                .hasMessage("threads must be in [1, 1024], but was 0");
        assertThatThrownBy(() -> new LearnerRequest(SPEC, "cpu", 1025, 1, 0))
                .hasMessage("threads must be in [1, 1024], but was 1025");
        assertThatThrownBy(() -> new LearnerRequest(SPEC, "cpu", 1, 0, 0))
                .hasMessage("the largest mini-batch must be at least 1, but was 0");
    }

    @Test
    void aStateKeepsItsLists() {
        List<Tensor> tensors = new ArrayList<>(List.of(new Tensor("a", new int[] {1}, new float[1])));
        LearnerState state = new LearnerState(tensors, tensors, tensors, 3);
        tensors.clear();
        assertThat(state.weights()).hasSize(1);
        assertThat(state.firstMoments()).hasSize(1);
        assertThat(state.secondMoments()).hasSize(1);
    }
}
