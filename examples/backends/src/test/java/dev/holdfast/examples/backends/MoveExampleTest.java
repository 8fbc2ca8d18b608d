package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MoveExampleTest {
    @TempDir
    private Path folder;

    @Test
    void goesOnWithAnotherBackend() {
        TrainingResult result = MoveExample.train(folder.resolve("m.zip"));
        assertThat(result.isFinished()).isTrue();
        Checkpoint checkpoint = new ZipCheckpointStore().load(result.model());
        assertThat(checkpoint.provenance()).containsEntry("backend", "djl");
        assertThat(checkpoint.progress().timesteps()).isBetween(40_000L, 41_000L);
    }
}
