package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.ConfigFile;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.ControlFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the JSON files of a run hold, reading them ends as it says, in bounded memory. */
class JsonFilesFuzzTest {
    private Path run;
    private CheckpointDirectory directory;

    @BeforeEach
    void setUp(@TempDir Path run) {
        this.run = run;
        directory = new CheckpointDirectory(run.resolve("q3.zip"), Clock.systemUTC());
        directory.savePeriodic(Fixtures.checkpoint(16), Fixtures.metadata(), 5);
        directory.saveRolling(Fixtures.checkpoint(20), Fixtures.metadata());
    }

    @Test
    void noOtherExceptionThanTheDocumentedOne() {
        fuzz(1_000, 20_260_102);
    }

    @Test
    @Tag("faults")
    void noOtherExceptionThanTheDocumentedOneInTheLongRun() {
        fuzz(40_000, Long.getLong("faults.seed", 1));
    }

    private void fuzz(int count, long seed) {
        System.out.println("mutated JSON files: seed " + seed);
        RandomStream random = new RandomStream(seed);
        String config = ConfigFile.toJson(TrainingConfig.builder()
                .set(Fields.MODEL, Optional.of(run.resolve("q3.zip")))
                .text("env_args", "masked=true")
                .build());
        byte[] beside = Archives.read(run.resolve("checkpoints/q3_ckpt_latest.json"));
        byte[] hint = Archives.read(run.resolve("resume.json"));
        for (int i = 0; i < count; i++) {
            String what = "seed " + seed + ", mutation " + i;
            try {
                switch (i % 4) {
                    case 0 -> beside(Mutations.json(beside, random), beside, what);
                    case 1 -> hint(Mutations.json(hint, random), hint, what);
                    case 2 -> config(Mutations.json(config.getBytes(StandardCharsets.UTF_8), random), what);
                    default ->
                        control(
                                Mutations.json(
                                        "{\"paused\": false, \"stop\": false}".getBytes(StandardCharsets.UTF_8),
                                        random),
                                what);
                }
            } catch (RuntimeException | Error e) {
                fail(what, e);
            }
        }
    }

    /** The archives are whole: a hash that differs leads to the older one, anything else to the newest. */
    private void beside(byte[] mutated, byte[] good, String what) {
        Path file = run.resolve("checkpoints/q3_ckpt_latest.json");
        Archives.write(file, mutated);
        bounded(mutated, what, () -> {
            Recovery recovery = directory.recover();
            assertThat(recovery.timesteps()).isEqualTo(recovery.problems().isEmpty() ? 20 : 16);
        });
        Archives.write(file, good);
    }

    private void hint(byte[] mutated, byte[] good, String what) {
        Path file = run.resolve("resume.json");
        Archives.write(file, mutated);
        bounded(mutated, what, () -> assertThat(directory.recover().timesteps()).isIn(16L, 20L));
        Archives.write(file, good);
    }

    private void config(byte[] mutated, String what) {
        Path file = run.resolve("config.json");
        Archives.write(file, mutated);
        bounded(mutated, what, () -> {
            try {
                Map<String, String> values = ConfigFile.read(file);
                ConfigFile.modelName(values);
                for (ConfigField<?> field : Fields.ALL) {
                    if (values.containsKey(field.key())) {
                        TrainingConfig.builder().text(field.key(), values.get(field.key()));
                    }
                }
            } catch (InvalidConfigurationException e) {
                assertThat(e.getMessage()).hasSizeLessThan(2_000);
            }
        });
    }

    private void control(byte[] mutated, String what) {
        Path file = run.resolve("control.json");
        Archives.write(file, mutated);
        bounded(mutated, what, () -> assertThat(new ControlFile(file).read()).isNotNull());
    }

    private static void bounded(byte[] file, String what, Runnable reading) {
        long before = Allocation.bytes();
        reading.run();
        assertThat(Allocation.bytes() - before)
                .as("bytes that %s made it allocate", what)
                .isLessThan(Allocation.limit(file.length));
    }
}
