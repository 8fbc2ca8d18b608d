package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of old versions load for ever. */
class ExampleArchiveTest {
    private final ZipCheckpointStore store = new ZipCheckpointStore();
    private Path file;

    @BeforeEach
    void setUp(@TempDir Path directory) throws Exception {
        file = directory.resolve("format-1.zip");
        try (InputStream in = ExampleArchiveTest.class.getResourceAsStream("format-1.zip")) {
            Files.copy(in, file);
        }
    }

    @Test
    @DisplayName("an archive of format 1 holds what was put into it")
    void format1() {
        Checkpoint checkpoint = store.load(file);
        assertThat(Fixtures.comparable(checkpoint)).isEqualTo(Fixtures.comparable(ExampleArchive.checkpoint()));

        // Some of it in numbers, should the generator ever change.
        assertThat(checkpoint.network().actionSpace()).isEqualTo(new Discrete(3));
        assertThat(checkpoint.network().masked()).isTrue();
        assertThat(checkpoint.progress()).isEqualTo(new Progress(20, 8, 16, 1, 5, Phase.COLLECT, 2, 0, 0));
        assertThat(checkpoint.hyperparameters().learningRate().at(0.5)).isEqualTo(0.25);
        Tensor weight = checkpoint.learner().weights().get(0);
        assertThat(weight.name()).isEqualTo("mlp_extractor.policy_net.0.weight");
        assertThat(weight.shape()).containsExactly(2, 2);
        assertThat(weight.floats()).containsExactly(-1, -0.875f, -0.75f, -0.625f);
        assertThat(checkpoint.learner().step()).isEqualTo(10);
        assertThat(checkpoint.random().get("shuffle")).containsExactly(-1, Long.MIN_VALUE, 0, 5);
        assertThat(checkpoint.environments().get(0).state()).containsExactly(9, 10, -11);
        assertThat(checkpoint.environments().get(1).state()).isNull();
    }

    @Test
    @DisplayName("the policy of an archive of format 1 acts")
    void policy() {
        Policy policy = store.load(file).policy();
        // (1, 2) is (1, 0.5) normalised. Parameter i is i / 8 - 1; those of the value head are 15, 16 and, the bias,
        // 17.
        float[] observation = {1, 2};
        assertThat(policy.value(observation)).isCloseTo(0.875f * 1 + 1 * 0.5f + 1.125f, within(1e-6f));
        // The hidden units are tanh(-1.9375) = -0.959 and tanh(-1.4375) = -0.893, the logits so 0.851, 0.513 and 0.175.
        assertThat(policy.act(observation, new boolean[] {true, true, true}, null)
                        .index())
                .isEqualTo(0);
        assertThat(policy.act(observation, new boolean[] {false, true, true}, null)
                        .index())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("today's library still writes the same bytes")
    void sameBytes(@TempDir Path other) {
        store.save(ExampleArchive.checkpoint(), other.resolve("again.zip"));
        assertThat(other.resolve("again.zip")).hasSameBinaryContentAs(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run-1-collect.zip", "run-1-update.zip"})
    @DisplayName("a run of format 1 is resumed, whatever it was doing")
    void run(String example, @TempDir Path folder) throws Exception {
        Path model = folder.resolve("q3.zip");
        try (InputStream in = ExampleArchiveTest.class.getResourceAsStream(example)) {
            Files.copy(in, model);
        }
        Checkpoint before = store.load(model);
        assertThat(before.progress().iterations()).isEqualTo(1);
        assertThat(example).contains(before.progress().phase().name().toLowerCase(Locale.ROOT));
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.MODEL, Optional.of(model))
                .set(Fields.RESUME, true)
                .set(Fields.EVAL_EPISODES, 0)
                .build();
        TrainingResult result = Trainer.of(config).build().train();
        assertThat(result.isFinished()).isTrue();
        assertThat(result.timesteps()).isEqualTo(320);
        assertThat(store.load(model).progress().iterations()).isEqualTo(5);
    }
}
