package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tuned settings learn CartPole on every backend; the table over ten seeds is in docs/results/learning-backends. */
class LearningTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"djl", "dl4j"})
    void solvesCartPole(String backend) {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "CartPole-v1")
                .set(Fields.BACKEND, backend)
                .set(Fields.SEED, 3L)
                .set(Fields.EVAL_EPISODES, 20)
                .set(Fields.MODEL, Optional.of(folder.resolve("model.zip")))
                .build();
        TrainingResult result = Trainer.of(config).build().train();
        assertThat(Objects.requireNonNull(result.evaluation()).meanReturn()).isGreaterThanOrEqualTo(475);
    }
}
