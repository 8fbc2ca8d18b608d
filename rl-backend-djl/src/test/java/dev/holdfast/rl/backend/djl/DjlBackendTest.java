package dev.holdfast.rl.backend.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.pytorch.jni.JniUtils;
import com.sun.jna.Function;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.testing.LearnerCase;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DjlBackendTest {
    private final DjlBackend backend = new DjlBackend();

    private static LearnerRequest request(String device, int threads) {
        NetworkSpec spec = NetworkSpec.defaults(Box.unbounded(4), new Discrete(2), false);
        return new LearnerRequest(spec, device, threads, 64, 0);
    }

    @Test
    void isFoundByItsName() {
        PpoBackend found = Backends.named("djl");
        assertThat(found).isInstanceOf(DjlBackend.class);
        assertThat(found.capabilities()).containsExactlyInAnyOrder(Capability.values());
    }

    @Test
    void namesPyTorchsVersion() {
        assertThat(backend.devices())
                .filteredOn(device -> device.name().equals("cpu"))
                .singleElement()
                .satisfies(device -> assertThat(device.usable()).isTrue())
                .satisfies(device -> assertThat(device.detail()).matches("\\d+ processors, PyTorch " + version()));
        try (PpoLearner learner = backend.createLearner(request("cpu", 1))) {
            assertThat(learner.kernel()).isEqualTo("pytorch-" + version());
        }
    }

    private static String version() {
        return "2.7.1";
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu", "gpu:1"})
    void refusesAGpuThatIsNotThereAndSaysWhatCudaNeeds(String device) {
        Assumptions.assumeTrue(
                backend.devices().stream().noneMatch(d -> d.name().startsWith("gpu:")), "there is a GPU here");
        assertThatThrownBy(() -> backend.createLearner(request(device, 1)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("device must be one of [auto, cpu] for backend djl here, but was " + device
                        + ": PyTorch 2.7.1 finds no CUDA here; ")
                .hasMessageContaining("PYTORCH_LIBRARY_PATH")
                .hasMessageContaining("cu128");
    }

    @Test
    void keepsDjlFromTheNetworkUnlessTheUserSaysOtherwise() {
        backend.devices();
        assertThat(System.getProperty("ai.djl.offline")).isEqualTo("true");
        assertThat(System.getProperty("OPT_OUT_TRACKING")).isEqualTo("true");
        try {
            System.setProperty("ai.djl.offline", "false");
            System.clearProperty("OPT_OUT_TRACKING");
            PyTorch.stayOffline(Map.of("OPT_OUT_TRACKING", "false"));
            assertThat(System.getProperty("ai.djl.offline")).isEqualTo("false");
            assertThat(System.getProperty("OPT_OUT_TRACKING")).isNull();

            System.clearProperty("ai.djl.offline");
            PyTorch.stayOffline(Map.of("DJL_OFFLINE", "false"));
            assertThat(System.getProperty("ai.djl.offline")).isNull();
            assertThat(System.getProperty("OPT_OUT_TRACKING")).isEqualTo("true");
        } finally {
            System.setProperty("ai.djl.offline", "true");
            System.setProperty("OPT_OUT_TRACKING", "true");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void letsOpenMpsThreadsSleepUnlessTheUserSaysOtherwise() {
        backend.devices();
        String expected = Objects.requireNonNullElse(System.getenv("OMP_WAIT_POLICY"), "passive");
        assertThat(Function.getFunction("c", "getenv").invokeString(new Object[] {"OMP_WAIT_POLICY"}, false))
                .isEqualTo(expected);
    }

    @Test
    void leavesTheCallersNumberOfThreadsAsItWas() {
        LearnerCase learnerCase = LearnerCase.of(new Discrete(4), false, Activation.TANH);
        float[] weights = learnerCase.weights(1);
        try (PpoLearner one = backend.createLearner(new LearnerRequest(learnerCase.spec(), "cpu", 1, 16, 0));
                PpoLearner three = backend.createLearner(new LearnerRequest(learnerCase.spec(), "cpu", 3, 16, 0))) {
            int before = JniUtils.getNumThreads();
            try {
                JniUtils.setNumThreads(2);
                one.update(learnerCase.batch(16, weights, 1), learnerCase.settings(), new UpdateStatistics());
                three.update(learnerCase.batch(16, weights, 1), learnerCase.settings(), new UpdateStatistics());
                assertThat(JniUtils.getNumThreads()).isEqualTo(2);
            } finally {
                JniUtils.setNumThreads(before);
            }
        }
    }

    @Test
    void computesTheSameBitsIfNumbersAreCopiedInAndOut() {
        for (LearnerCase learnerCase : LearnerCase.ofEachActionSpace()) {
            assertThat(trained(new DjlBackend(true), learnerCase)).isEqualTo(trained(backend, learnerCase));
        }
    }

    private static LearnerState trained(PpoBackend backend, LearnerCase learnerCase) {
        float[] weights = learnerCase.weights(1);
        try (PpoLearner learner = backend.createLearner(new LearnerRequest(learnerCase.spec(), "cpu", 1, 16, 0))) {
            for (int i = 0; i < 5; i++) {
                learner.update(learnerCase.batch(16 - i, weights, i), learnerCase.settings(), new UpdateStatistics());
            }
            return learner.exportState();
        }
    }

    @Test
    void refusesANetworkThatJavaCannotShareWithIt() {
        NetworkSpec spec = NetworkSpec.of(Box.unbounded(4), new Discrete(2), false, Activation.TANH, 16_384, 20_000);
        assertThatThrownBy(() -> backend.createLearner(new LearnerRequest(spec, "cpu", 1, 4, 0)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith(
                        "network must need at most 2^31 bytes for what Java shares with PyTorch, but was");
    }

    @Test
    void tellsADevicesReasonInOneLine() {
        String reason = PyTorch.refusal(
                new IllegalStateException("outer", new java.io.IOException("No space left on device\nand more of it")));
        assertThat(reason)
                .startsWith("PyTorch's native libraries can't be loaded (IOException: No space left on device); ")
                .contains("ai.djl.pytorch:pytorch-native-cpu:2.7.1")
                .contains("ENGINE_CACHE_DIR")
                .doesNotContain("\n");
        assertThat(new Device("cpu", false, reason).detail()).isEqualTo(reason);
    }
}
