package dev.holdfast.rl.api.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckpointTest {
    private static Checkpoint.Progress progress(long timesteps, long start, long total) {
        return new Checkpoint.Progress(timesteps, start, total, 0, 0, Checkpoint.Phase.COLLECT, 0, 0, 0);
    }

    @Test
    void remainingProgressIsCountedFromTheRunsOwnStart() {
        assertThat(progress(0, 0, 100).remaining()).isEqualTo(1);
        assertThat(progress(25, 0, 100).remaining()).isEqualTo(0.75);
        assertThat(progress(125, 100, 100).remaining()).isEqualTo(0.75);
        assertThat(progress(100, 0, 100).remaining()).isZero();
        assertThat(progress(130, 0, 100).remaining()).isZero();
    }

    private static Checkpoint checkpoint(Map<String, String> settings, List<Tensor> normalizer) {
        NetworkSpec spec = NetworkSpec.of(Box.unbounded(1), new Discrete(2), false, Activation.TANH);
        List<Tensor> weights = new ParameterLayout(spec).split(new float[] {-1, 1, 0, 0, 2, 0});
        return new Checkpoint(
                spec,
                PpoHyperparameters.DEFAULTS,
                settings,
                progress(0, 0, 1),
                new LearnerState(weights, weights, weights, 1),
                normalizer,
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    @Test
    void keepsMapsInOneOrder() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("z", "1");
        settings.put("a", "2");
        Checkpoint checkpoint = checkpoint(settings, List.of());
        settings.clear();
        assertThat(checkpoint.settings().keySet()).containsExactly("a", "z");
    }

    @Test
    void holdsAPolicyReadyToAct() {
        Checkpoint plain = checkpoint(Map.of(), List.of());
        assertThat(plain.observationNormalizer()).isNull();
        assertThat(plain.policy().act(new float[] {3}).index()).isEqualTo(1);
        assertThat(plain.policy().value(new float[] {3})).isEqualTo(6f);

        Checkpoint normalising = checkpoint(
                Map.of(),
                List.of(
                        new Tensor(ObservationNormalizer.MEAN, new int[] {1}, new double[] {5}),
                        new Tensor(ObservationNormalizer.VARIANCE, new int[] {1}, new double[] {1}),
                        new Tensor(ObservationNormalizer.LIMITS, new int[] {2}, new double[] {0, 10})));
        assertThat(normalising.policy().act(new float[] {3}).index()).isZero();
        assertThat(normalising.policy().value(new float[] {3})).isEqualTo(-4f);
    }
}
