package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.CheckpointException;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory.Saved;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointDirectoryTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_770_000_000), ZoneOffset.UTC);
    private static final ModelMetadata METADATA = Fixtures.metadata();

    private Path run;
    private Path checkpoints;
    private CheckpointDirectory directory;

    @BeforeEach
    void setUp(@TempDir Path root) {
        run = root.resolve("out").resolve("run1");
        checkpoints = run.resolve("checkpoints");
        directory = new CheckpointDirectory(run.resolve("q3.zip"), CLOCK);
    }

    // --- A1

    @Test
    @DisplayName("A1 pruning five pairs with keep 2 removes three, says which, and leaves the two newest")
    void pruneKeepsTheNewest() throws Exception {
        for (int i = 0; i < 5; i++) {
            pair("q3_ckpt_00000000" + i, 1000 + i);
        }
        assertThat(directory.prune("q3_ckpt", 2))
                .containsExactly(
                        checkpoints.resolve("q3_ckpt_000000000.zip"),
                        checkpoints.resolve("q3_ckpt_000000001.zip"),
                        checkpoints.resolve("q3_ckpt_000000002.zip"));
        assertThat(names(checkpoints))
                .containsExactly(
                        "q3_ckpt_000000003.json",
                        "q3_ckpt_000000003.zip",
                        "q3_ckpt_000000004.json",
                        "q3_ckpt_000000004.zip");
        assertThat(directory.prune("q3_ckpt", 2)).isEmpty();
    }

    @Test
    @DisplayName("A1 modification time decides, then the number of steps")
    void pruneOrder() throws Exception {
        pair("q3_ckpt_000000009", 1000);
        pair("q3_ckpt_000000001", 2000);
        pair("q3_ckpt_000000002", 2000);
        pair("q3_ckpt_10000000000", 2000);
        assertThat(directory.prune("q3_ckpt", 2))
                .containsExactly(
                        checkpoints.resolve("q3_ckpt_000000009.zip"), checkpoints.resolve("q3_ckpt_000000001.zip"));
    }

    @Test
    @DisplayName("A1 the rolling checkpoint and foreign files stay")
    void pruneLeavesOthersAlone() throws Exception {
        List<String> others = List.of(
                "q3_ckpt_latest",
                "q3_ckpt_12345678",
                "q33_ckpt_000000001",
                "my_q3_ckpt_000000001",
                "q3_ckpt_000000001_copy",
                "q3xckpt_000000001",
                "q3_ckpt_1234567890123456789");
        for (String name : others) {
            pair(name, 1);
        }
        pair("q3_ckpt_000000001", 1000);
        pair("q3_ckpt_000000002", 2000);
        Files.writeString(checkpoints.resolve("q3_ckpt_000000000.txt"), "a note");
        assertThat(directory.prune("q3_ckpt", 1)).containsExactly(checkpoints.resolve("q3_ckpt_000000001.zip"));
        assertThat(names(checkpoints))
                .hasSize(2 * others.size() + 3)
                .contains("q3_ckpt_latest.zip", "q3_ckpt_000000002.json", "q3_ckpt_000000000.txt");
    }

    @Test
    @DisplayName("A1 the last complete checkpoint stays where all that would be kept are damaged")
    void pruneSparesTheLastCompleteOne() throws Exception {
        for (int steps : new int[] {16, 20, 24}) {
            Saved saved = directory.savePeriodic(Fixtures.checkpoint(steps), METADATA, 5);
            Files.setLastModifiedTime(saved.model(), FileTime.fromMillis(1000L * steps));
        }
        pair("q3_ckpt_000000028", 28_000);
        assertThat(directory.prune("q3_ckpt", 1))
                .containsExactly(
                        checkpoints.resolve("q3_ckpt_000000016.zip"), checkpoints.resolve("q3_ckpt_000000020.zip"));
        assertThat(directory.recover().timesteps()).isEqualTo(24);
    }

    @Test
    @DisplayName("A1 what was just written stays, even if the clock was set back")
    void pruneNeverRemovesWhatWasJustWritten() throws Exception {
        Saved first = directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 1);
        Files.setLastModifiedTime(first.model(), FileTime.from(Instant.now().plusSeconds(100_000)));
        Saved second = directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 1);
        assertThat(second.pruned()).containsExactly(first.model());
        assertThat(names(checkpoints)).containsExactly("q3_ckpt_000000020.json", "q3_ckpt_000000020.zip");
    }

    @Test
    @DisplayName(
            "A1 the newest are those that the run wrote last, whatever the clock says and whatever it has gone back behind")
    void pruneAfterGoingBack() throws Exception {
        for (int steps : new int[] {16, 20, 24, 28}) {
            Saved saved = directory.savePeriodic(Fixtures.checkpoint(steps), METADATA, 5);
            // The clock is set back again and again.
            Files.setLastModifiedTime(saved.model(), FileTime.fromMillis(1_000_000_000_000L - 1000L * steps));
        }
        // Resumed from 16, since the others were damaged, say.
        Saved saved = directory.savePeriodic(Fixtures.checkpoint(18), METADATA, 3);
        assertThat(saved.pruned())
                .containsExactly(
                        checkpoints.resolve("q3_ckpt_000000020.zip"), checkpoints.resolve("q3_ckpt_000000024.zip"));
        assertThat(directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 3).pruned())
                .containsExactly(checkpoints.resolve("q3_ckpt_000000028.zip"));
        assertThat(directory.savePeriodic(Fixtures.checkpoint(22), METADATA, 3).pruned())
                .containsExactly(checkpoints.resolve("q3_ckpt_000000016.zip"));
    }

    @Test
    @DisplayName(
            "A1 saving removes neither the best model, nor the rolling checkpoint, nor the final model, nor foreign files")
    void savingRemovesOldPeriodicOnesAlone() throws Exception {
        directory.saveBest(Fixtures.checkpoint(16), METADATA);
        directory.saveRolling(Fixtures.checkpoint(16), METADATA);
        directory.saveFinal(Fixtures.checkpoint(16), METADATA, "finished");
        Files.writeString(run.resolve("notes.txt"), "of the user");
        pair("q4_ckpt_000000001", 1);
        for (int steps : new int[] {20, 24, 28}) {
            directory.savePeriodic(Fixtures.checkpoint(steps), METADATA, 1);
        }
        assertThat(names(run))
                .containsExactly(
                        "checkpoints", "notes.txt", "q3.json", "q3.zip", "q3_best.json", "q3_best.zip", "resume.json");
        assertThat(names(checkpoints))
                .containsExactly(
                        "q3_ckpt_000000028.json",
                        "q3_ckpt_000000028.zip",
                        "q3_ckpt_latest.json",
                        "q3_ckpt_latest.zip",
                        "q4_ckpt_000000001.json",
                        "q4_ckpt_000000001.zip");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    @DisplayName("B27 keep 0 is rejected")
    void keepMustBePositive(int keep) {
        assertThatThrownBy(() -> directory.savePeriodic(Fixtures.checkpoint(), METADATA, keep))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("checkpoint_keep must be at least 1, but was " + keep);
        assertThatThrownBy(() -> directory.prune("q3_ckpt", keep)).isInstanceOf(InvalidConfigurationException.class);
        assertThat(run).doesNotExist();
    }

    // --- Saving

    @Test
    @DisplayName("A4 a periodic checkpoint has the JSON that other tools read beside it")
    void periodic() throws Exception {
        Saved saved = directory.savePeriodic(Fixtures.checkpoint(64), METADATA, 3);

        assertThat(saved.model()).isEqualTo(checkpoints.resolve("q3_ckpt_000000064.zip"));
        assertThat(names(checkpoints)).containsExactly("q3_ckpt_000000064.json", "q3_ckpt_000000064.zip");
        Checkpoint loaded = new ZipCheckpointStore().load(saved.model());
        JsonNode json = json(checkpoints.resolve("q3_ckpt_000000064.json"));
        assertThat(json.get("checkpoint").booleanValue()).isTrue();
        assertThat(json.get("checkpoint_timesteps").longValue())
                .isEqualTo(loaded.progress().timesteps());
        assertThat(json.get("timesteps").longValue()).isEqualTo(64);
        assertThat(json.get("model_sha256").textValue()).isEqualTo(sha256(saved.model()));
        assertThat(json.get("stopped_by_signal").booleanValue()).isFalse();
        assertThat(json.get("stop_signal").isNull()).isTrue();
        assertThat(json.get("checkpoint_files")).hasSize(1);
        assertThat(json.get("checkpoint_files").get(0).textValue()).isEqualTo("checkpoints/q3_ckpt_000000064.zip");
        assertThat(json.get("format").intValue()).isEqualTo(1);
        assertThat(json.get("env").textValue()).isEqualTo("Example-v0");
        assertThat(json.get("seed").longValue()).isEqualTo(7);
        assertThat(json.get("n_envs").intValue()).isEqualTo(2);
        assertThat(json.get("backend").textValue()).isEqualTo("java");
        assertThat(json.get("mean_return").doubleValue()).isEqualTo(1.5);
        assertThat(json.get("wall_clock_s").doubleValue()).isEqualTo(2.5);
        assertThat(json.get("created_unix_s").longValue()).isEqualTo(1_770_000_000);
        assertThat(json.get("provenance").get("kernel").textValue()).isEqualTo("scalar");
        assertThat(saved.metadata()).containsEntry("model_sha256", sha256(saved.model()));

        JsonNode hint = json(run.resolve("resume.json"));
        assertThat(hint.get("model").textValue()).isEqualTo("checkpoints/q3_ckpt_000000064.zip");
        assertThat(hint.get("timesteps").longValue()).isEqualTo(64);
        assertThat(hint.get("reason").textValue()).isEqualTo("checkpoint");
        assertThat(hint.get("created_unix_s").longValue()).isEqualTo(1_770_000_000);
    }

    @Test
    @DisplayName("A3 metadata records the hyperparameters that are in force")
    void effectiveHyperparameters() throws Exception {
        // 48 of 64 steps are done: a quarter remains.
        directory.saveRolling(Fixtures.checkpoint(64), METADATA);
        JsonNode values = json(checkpoints.resolve("q3_ckpt_latest.json")).get("ppo_hyperparams");
        assertThat(values.fieldNames())
                .toIterable()
                .containsExactly(
                        "n_steps",
                        "batch_size",
                        "n_epochs",
                        "gamma",
                        "gae_lambda",
                        "learning_rate",
                        "clip_range",
                        "ent_coef",
                        "vf_coef",
                        "max_grad_norm");
        assertThat(values.get("n_steps").intValue()).isEqualTo(8);
        assertThat(values.get("batch_size").intValue()).isEqualTo(4);
        assertThat(values.get("n_epochs").intValue()).isEqualTo(3);
        assertThat(values.get("gamma").doubleValue()).isEqualTo(0.98);
        assertThat(values.get("gae_lambda").doubleValue()).isEqualTo(0.8);
        assertThat(values.get("learning_rate").doubleValue()).isEqualTo(0.25e-3);
        // From 0.2 to 0.05.
        assertThat(values.get("clip_range").doubleValue()).isCloseTo(0.0875, within(1e-15));
        assertThat(values.get("ent_coef").doubleValue()).isEqualTo(0.01);
        assertThat(values.get("vf_coef").doubleValue()).isEqualTo(0.5);
        assertThat(values.get("max_grad_norm").doubleValue()).isEqualTo(0.7);
    }

    @Test
    @DisplayName("A3 where there is no such value the record holds 0")
    void effectiveHyperparametersNeverThrow() {
        PpoHyperparameters d = PpoHyperparameters.DEFAULTS;
        Schedule throwing = remaining -> {
            if (remaining == 0.5) {
                throw new IllegalStateException("no value");
            }
            return 1;
        };
        PpoHyperparameters h = new PpoHyperparameters(
                8,
                4,
                3,
                d.gamma(),
                d.gaeLambda(),
                throwing,
                r -> r == 0.5 ? Double.NaN : 1,
                null,
                0,
                0.5,
                0.5,
                true,
                null);
        assertThat(ModelMetadata.effectiveHyperparameters(h, 0.5))
                .contains(entry("learning_rate", 0.0), entry("clip_range", 0.0));
        PpoHyperparameters lost = new PpoHyperparameters(
                8,
                4,
                3,
                1,
                1,
                new Schedule.Unavailable("learning_rate", 0.125),
                d.clipRange(),
                null,
                0,
                0.5,
                0.5,
                true,
                null);
        assertThat(ModelMetadata.effectiveHyperparameters(lost, 0.5)).contains(entry("learning_rate", 0.125));
        // Beyond the planned end nothing becomes negative.
        assertThat(ModelMetadata.effectiveHyperparameters(Fixtures.hyperparameters(), -0.5))
                .contains(entry("learning_rate", 0.0), entry("clip_range", 0.05));
    }

    @Test
    @DisplayName("A5 the final model's JSON tells the signal and the checkpoints")
    void finalModel() throws Exception {
        directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 2);
        directory.saveRolling(Fixtures.checkpoint(24), METADATA);
        ModelMetadata stopped = new ModelMetadata("Example-v0", 7, 2, "java", "SIGTERM", Double.NaN, 2.5);
        Saved saved = directory.saveFinal(Fixtures.checkpoint(24), stopped, "SIGTERM");

        assertThat(saved.model()).isEqualTo(run.resolve("q3.zip"));
        JsonNode json = json(run.resolve("q3.json"));
        assertThat(json.get("checkpoint").booleanValue()).isFalse();
        assertThat(json.get("stopped_by_signal").booleanValue()).isTrue();
        assertThat(json.get("stop_signal").textValue()).isEqualTo("SIGTERM");
        assertThat(json.get("mean_return").isNull()).isTrue();
        assertThat(json.get("checkpoint_files"))
                .extracting(JsonNode::textValue)
                .containsExactly("checkpoints/q3_ckpt_000000020.zip", "checkpoints/q3_ckpt_latest.zip");
        assertThat(run.resolve("training_failure.json")).doesNotExist();
        Recovery recovery = directory.recover();
        assertThat(recovery.model()).isEqualTo(run.resolve("q3.zip"));
        assertThat(recovery.reason()).isEqualTo("SIGTERM");
    }

    @Test
    void stepCountsOfMoreThanNineDigitsSortByNumber() {
        directory.savePeriodic(Fixtures.checkpoint(999_999_999), METADATA, 5);
        Saved saved = directory.savePeriodic(Fixtures.checkpoint(1_000_000_000), METADATA, 5);
        assertThat(saved.model().getFileName()).hasToString("q3_ckpt_1000000000.zip");
        assertThat(saved.metadata().get("checkpoint_files"))
                .isEqualTo(List.of("checkpoints/q3_ckpt_999999999.zip", "checkpoints/q3_ckpt_1000000000.zip"));
        saved = directory.savePeriodic(Fixtures.checkpoint(1_000_000_004), METADATA, 1);
        assertThat(saved.pruned()).hasSize(2);
    }

    @Test
    void theBestModelIsNoPointToGoOnFrom() {
        directory.saveRolling(Fixtures.checkpoint(16), METADATA);
        Saved best = directory.saveBest(Fixtures.checkpoint(20), METADATA);
        assertThat(best.model()).isEqualTo(run.resolve("q3_best.zip"));
        assertThat(run.resolve("q3_best.json")).exists();
        assertThat(directory.recover().timesteps()).isEqualTo(16);
    }

    @Test
    void aDirectoryThatIsRemovedMeanwhileIsMadeAgain() throws Exception {
        directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 2);
        for (String name : names(checkpoints)) {
            Files.delete(checkpoints.resolve(name));
        }
        Files.delete(checkpoints);
        directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 2);
        assertThat(directory.recover().timesteps()).isEqualTo(20);
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsNamed() throws Exception {
        Files.createDirectories(run);
        Files.writeString(checkpoints, "a file");
        assertThatThrownBy(() -> directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 2))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't create directory " + checkpoints + ": there is a file of that name");
        assertThat(directory.recover().canResume()).isFalse();
    }

    @Test
    void anOldCheckpointThatCantBeDeletedDoesntStopTheRun() {
        directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 1);
        DurableFiles files =
                new DurableFiles(new FaultyDisk().failing("delete", new IOException("Operation not permitted")), CLOCK);
        CheckpointDirectory stubborn = new CheckpointDirectory(run.resolve("q3.zip"), CLOCK, files);
        assertThat(stubborn.savePeriodic(Fixtures.checkpoint(20), METADATA, 1).pruned())
                .isEmpty();
        assertThat(directory.recover().timesteps()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resume.zip", "control.zip", "config", "forced_stop.zip", "training_failure.zip"})
    void aModelWhoseJsonWouldBeAnotherFileIsRefused(String name) {
        assertThatThrownBy(() -> new CheckpointDirectory(run.resolve(name), CLOCK))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("model must not be named [config, control, forced_stop, resume, training_failure], but was "
                        + name);
    }

    @Test
    void aModelNeedsAName() {
        assertThatThrownBy(() -> new CheckpointDirectory(run.getRoot(), CLOCK))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("model must name a file, but was " + run.getRoot());
        assertThatThrownBy(() -> new CheckpointDirectory(run.resolve(".zip"), CLOCK))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("model must have a name before .zip, but was " + run.resolve(".zip"));
        assertThat(new CheckpointDirectory(run.resolve("q3"), CLOCK).model()).isEqualTo(run.resolve("q3.zip"));
    }

    // --- Recovery

    @Test
    @DisplayName("B23 recovery prefers resume.json")
    void hint() throws Exception {
        Saved older = directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 5);
        directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 5);
        Files.writeString(
                run.resolve("resume.json"),
                "{\"model\": \"" + older.model().toString().replace("\\", "/")
                        + "\", \"timesteps\": 16, \"reason\": \"signal\", \"created_unix_s\": 1.5}");
        Recovery recovery = directory.recover();
        assertThat(recovery.toMap())
                .containsExactly(
                        entry("can_resume", true),
                        entry("model", older.model().toString()),
                        entry("timesteps", 16L),
                        entry("source", "resume.json"),
                        entry("reason", "signal"));
        assertThat(recovery.problems()).isEmpty();
    }

    @Test
    @DisplayName("B24 a hint whose file is gone falls back to a scan")
    void scan() throws Exception {
        directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 5);
        Saved newer = directory.savePeriodic(Fixtures.checkpoint(20), METADATA, 5);
        Files.writeString(
                run.resolve("resume.json"), "{\"model\": \"gone.zip\", \"timesteps\": 99, \"reason\": \"signal\"}");
        Recovery recovery = directory.recover();
        assertThat(recovery.source()).isEqualTo("scan");
        assertThat(recovery.model()).isEqualTo(newer.model());
        assertThat(recovery.timesteps()).isEqualTo(20);
        assertThat(recovery.reason()).isEqualTo("checkpoint");
        assertThat(recovery.problems()).isEmpty();
    }

    @Test
    @DisplayName("B24 a hint of another run in the same directory leads to a scan")
    void hintOfAnotherRun() {
        directory.saveRolling(Fixtures.checkpoint(16), METADATA);
        CheckpointDirectory other = new CheckpointDirectory(run.resolve("q4.zip"), CLOCK);
        other.saveRolling(Fixtures.checkpoint(20), METADATA);
        assertThat(other.recover().source()).isEqualTo("resume.json");
        Recovery recovery = directory.recover();
        assertThat(recovery.timesteps()).isEqualTo(16);
        assertThat(recovery.source()).isEqualTo("scan");
        assertThat(recovery.problems()).isEmpty();
    }

    @Test
    @DisplayName("B24 a scan takes the newest by modification time, whatever its kind")
    void scanOrder() throws Exception {
        Saved periodic = directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 5);
        Saved rolling = directory.saveRolling(Fixtures.checkpoint(20), METADATA);
        Saved last = directory.saveFinal(Fixtures.checkpoint(24), METADATA, "finished");
        Files.delete(run.resolve("resume.json"));
        for (Saved newest : List.of(periodic, rolling, last)) {
            for (Saved saved : List.of(periodic, rolling, last)) {
                Files.setLastModifiedTime(saved.model(), FileTime.fromMillis(saved.equals(newest) ? 2000 : 1000));
            }
            assertThat(directory.recover().model()).isEqualTo(newest.model());
        }
    }

    @Test
    @DisplayName("B25 nothing on disk")
    void nothing() {
        assertThat(directory.recover().toMap())
                .containsExactly(
                        entry("can_resume", false),
                        entry("model", null),
                        entry("timesteps", 0L),
                        entry("source", "none"),
                        entry("reason", "none"));
        assertThat(directory.isOccupied()).isFalse();
    }

    @Test
    @DisplayName("B22 a damaged checkpoint is named, and the one before it is used")
    void damaged() throws Exception {
        Saved older = directory.savePeriodic(Fixtures.checkpoint(16), METADATA, 5);
        Saved newer = directory.saveRolling(Fixtures.checkpoint(20), METADATA);
        Files.write(newer.model(), new byte[] {1, 2, 3});
        Recovery recovery = directory.recover();
        assertThat(recovery.model()).isEqualTo(older.model());
        assertThat(recovery.source()).isEqualTo("scan");
        assertThat(recovery.problems())
                .containsExactly(
                        "can't load checkpoint " + newer.model() + ": length must be in [22, 4294967294], but was 3");

        Files.write(older.model(), new byte[30]);
        recovery = directory.recover();
        assertThat(recovery.canResume()).isFalse();
        assertThat(recovery.problems()).hasSize(2);
        assertThat(directory.isOccupied()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"model\"",
                "[]",
                "{}",
                "{\"model\": 7}",
                "{\"model\": \"\\u0000\"}",
                "{\"model\": \"q3.zip\", \"reason\": 7}"
            })
    void aDamagedHintIsNamedAndDoesntMatter(String hint) throws Exception {
        directory.saveFinal(Fixtures.checkpoint(16), METADATA, "finished");
        Files.writeString(run.resolve("resume.json"), hint);
        Recovery recovery = directory.recover();
        assertThat(recovery.timesteps()).isEqualTo(16);
        assertThat(recovery.source()).isEqualTo("scan");
        assertThat(recovery.problems())
                .singleElement()
                .asString()
                .startsWith("can't use " + run.resolve("resume.json") + ": ");
    }

    @Test
    void aRunThatWasMovedIsStillFound(@TempDir Path other) throws Exception {
        directory.saveRolling(Fixtures.checkpoint(16), METADATA);
        Path moved = other.resolve("moved");
        Files.move(run, moved);
        Recovery recovery = new CheckpointDirectory(moved.resolve("q3.zip"), CLOCK).recover();
        assertThat(recovery.model()).isEqualTo(moved.resolve("checkpoints/q3_ckpt_latest.zip"));
        assertThat(recovery.source()).isEqualTo("resume.json");
    }

    @Test
    void anEarlierRunGoesOnceTheNewOneIsSafe() {
        directory.savePeriodic(Fixtures.checkpoint(48), METADATA, 5);
        directory.saveRolling(Fixtures.checkpoint(52), METADATA);
        directory.saveBest(Fixtures.checkpoint(48), METADATA);
        directory.saveFinal(Fixtures.checkpoint(56), METADATA, "finished");

        CheckpointDirectory next = new CheckpointDirectory(run.resolve("q3.zip"), CLOCK);
        assertThat(next.isOccupied()).isTrue();
        next.clear();
        assertThat(next.recover().timesteps()).isEqualTo(56);
        next.saveRolling(Fixtures.checkpoint(16), METADATA);
        assertThat(next.recover().timesteps()).isEqualTo(16);
        assertThat(names(checkpoints)).containsExactly("q3_ckpt_latest.json", "q3_ckpt_latest.zip");
        assertThat(names(run)).containsExactly("checkpoints", "q3.json", "q3.zip", "resume.json");
    }

    // --- Failure

    @Test
    @DisplayName("A6 a failure is recorded with what can be resumed")
    void failure() throws Exception {
        directory.saveRolling(Fixtures.checkpoint(16), METADATA);
        directory.recordFailure(new EnvironmentException(1, "environment 1 threw", null), 19, 1);
        JsonNode json = json(run.resolve("training_failure.json"));
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "error", "environment", "timesteps", "last_checkpoint", "can_resume", "created_unix_s");
        assertThat(json.get("error").textValue())
                .isEqualTo("dev.holdfast.rl.api.EnvironmentException: environment 1 threw");
        assertThat(json.get("environment").intValue()).isEqualTo(1);
        assertThat(json.get("timesteps").longValue()).isEqualTo(19);
        assertThat(json.get("last_checkpoint").textValue()).isEqualTo("checkpoints/q3_ckpt_latest.zip");
        assertThat(json.get("can_resume").booleanValue()).isTrue();
        assertThat(json.get("created_unix_s").longValue()).isEqualTo(1_770_000_000);

        directory.clearFailure();
        assertThat(run.resolve("training_failure.json")).doesNotExist();
        directory.clearFailure();
    }

    @Test
    @DisplayName("A6 a failure before the first checkpoint is recorded too")
    void failureWithoutCheckpoint() throws Exception {
        directory.recordFailure(new IllegalStateException("half a pair: \ud800"), 0, null);
        JsonNode json = json(run.resolve("training_failure.json"));
        assertThat(json.get("last_checkpoint").isNull()).isTrue();
        assertThat(json.get("can_resume").booleanValue()).isFalse();
        assertThat(json.get("environment").isNull()).isTrue();
    }

    @Test
    @DisplayName("A6 a failure that can't be recorded doesn't hide the one that matters")
    void failureThatCantBeRecorded() throws Exception {
        Files.createDirectories(run.getParent());
        Files.writeString(run, "a file in place of the run directory");
        directory.recordFailure(new IllegalStateException("the one that matters"), 0, null);
        assertThat(run).hasContent("a file in place of the run directory");
    }

    private void pair(String name, long seconds) throws IOException {
        Files.createDirectories(checkpoints);
        for (String ending : List.of(".zip", ".json")) {
            Path file = Files.writeString(checkpoints.resolve(name + ending), "x");
            Files.setLastModifiedTime(file, FileTime.fromMillis(1000 * seconds));
        }
    }

    private static List<String> names(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    private static String sha256(Path file) {
        java.security.MessageDigest digest = Hash.sha256();
        digest.update(Archives.read(file));
        return Hash.hex(digest);
    }
}
