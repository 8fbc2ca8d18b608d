package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.checkpoint.FaultyDisk;
import dev.holdfast.training.runtime.checkpoint.Folders;
import dev.holdfast.training.runtime.checkpoint.Recovery;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.faults.SmallRun.Outcome;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What time, people and other programs do to a run's folder. The run that goes on in it ends as one that was left alone. */
@TestInstance(Lifecycle.PER_CLASS)
class DiskFaultsFolderTest {
    private static final String NEWEST = "checkpoints/q3_ckpt_latest.zip";
    private static final String OLDER = "checkpoints/q3_ckpt_000000128.zip";

    @TempDir
    private Path root;

    private Path before;
    private Outcome undisturbed;

    /** Killed after 256 steps were logged and before they were saved: the newest archive is of 192 steps. */
    private SmallRun run;

    @BeforeAll
    void setUpAll(@TempDir Path before) throws IOException {
        this.before = before;
        SmallRun whole = new SmallRun(before.resolve("undisturbed"));
        whole.begin(new FaultyDisk().files());
        undisturbed = whole.outcome();
        SmallRun killed = new SmallRun(before.resolve("killed"));
        killed.beginAndDie(256);
        // All may have the same time, where the clock of the file system is coarse.
        Files.setLastModifiedTime(
                killed.file(OLDER), FileTime.from(Instant.now().minusSeconds(100)));
        Files.setLastModifiedTime(
                killed.file("q3_best.zip"), FileTime.from(Instant.now().minusSeconds(200)));
    }

    @BeforeEach
    void setUp() throws IOException {
        run = new SmallRun(root.resolve("killed"));
        Folders.copy(new SmallRun(before.resolve("killed")).folder(), run.folder());
    }

    /** Cuts a file off, or flips a bit. */
    private static void damage(Path file, String how, double where) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int at = (int) (where * (bytes.length - 1));
        switch (how) {
            case "cut" -> bytes = Arrays.copyOf(bytes, at);
            case "flip" -> bytes[at] ^= 4;
            default -> throw new AssertionError(how);
        }
        Files.write(file, bytes);
    }

    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(run.folder())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(
                        run.folder().relativize(file).toString(),
                        new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1));
            }
        }
        return content;
    }

    // --- Damage

    @ParameterizedTest
    @CsvSource({"cut,0", "cut,0.001", "cut,0.5", "cut,1", "flip,0", "flip,0.1", "flip,0.5", "flip,0.9", "flip,1"})
    @DisplayName("the newest archive is damaged: the older one is used, with a line that says why")
    void newestArchive(String how, double where) throws IOException {
        damage(run.file(NEWEST), how, where);
        Recovery recovery = run.recovery();
        assertThat(recovery.model()).isEqualTo(run.file(OLDER));
        assertThat(recovery.problems())
                .singleElement()
                .asString()
                .startsWith("can't load checkpoint " + run.file(NEWEST) + ": ");
        run.endsAs(undisturbed, how + " at " + where);
    }

    @ParameterizedTest
    @CsvSource({"cut,0", "cut,0.5", "cut,0.99", "flip,0", "flip,0.03", "flip,0.5", "flip,1"})
    @DisplayName("the JSON beside it is damaged: the archive speaks for itself")
    void jsonBesideIt(String how, double where) throws IOException {
        damage(run.file("checkpoints/q3_ckpt_latest.json"), how, where);
        assertThat(run.recovery().timesteps()).isEqualTo(192);
        run.endsAs(undisturbed, how + " at " + where);
    }

    @Test
    @DisplayName("the JSON beside it has another hash: the archive is not what was written, and the older one is used")
    void hashBesideIt() throws IOException {
        Path json = run.file("checkpoints/q3_ckpt_latest.json");
        Files.writeString(
                json, Files.readString(json).replaceFirst("\"model_sha256\" : \"..", "\"model_sha256\" : \"xx"));
        Recovery recovery = run.recovery();
        assertThat(recovery.model()).isEqualTo(run.file(OLDER));
        assertThat(recovery.problems()).singleElement().asString().contains("move that JSON file away");
        run.endsAs(undisturbed, "another hash");
    }

    @ParameterizedTest
    @CsvSource({"cut,0", "cut,0.5", "cut,1", "flip,0", "flip,0.2", "flip,0.5", "flip,1"})
    @DisplayName("the hint is damaged: the newest checkpoint is found by its time")
    void hint(String how, double where) throws IOException {
        damage(run.file("resume.json"), how, where);
        assertThat(run.recovery().model()).isEqualTo(run.file(NEWEST));
        run.endsAs(undisturbed, how + " at " + where);
    }

    @Test
    @DisplayName("hint and newest archive are damaged, the JSON files are gone: the older archive is enough")
    void nearlyEverything() throws IOException {
        damage(run.file(NEWEST), "cut", 0.5);
        damage(run.file("resume.json"), "cut", 0.5);
        Files.delete(run.file("checkpoints/q3_ckpt_latest.json"));
        Files.delete(run.file("checkpoints/q3_ckpt_000000128.json"));
        Recovery recovery = run.recovery();
        assertThat(recovery.model()).isEqualTo(run.file(OLDER));
        assertThat(recovery.source()).isEqualTo("scan");
        assertThat(recovery.problems()).hasSize(2);
        run.endsAs(undisturbed, "nearly everything");
    }

    @Test
    @DisplayName("no archive is whole: an error that names all, and nothing changes")
    void everyArchive() throws IOException {
        damage(run.file(NEWEST), "flip", 0.5);
        damage(run.file(OLDER), "cut", 0.5);
        Files.deleteIfExists(run.file("q3_best.zip"));
        Map<String, String> before = content();
        assertThatThrownBy(() -> run.resume(new DurableFiles()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("there is no complete checkpoint")
                .hasMessageContaining(run.file(NEWEST).toString())
                .hasMessageContaining(run.file(OLDER).toString());
        assertThatThrownBy(() -> run.begin(new DurableFiles()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("already exists");
        assertThat(content()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gone", "cut", "empty", "not an object", "of another model", "a directory"})
    @DisplayName(
            "config.json is damaged: the checkpoint knows what is learned and how far, other options are given again")
    void config(String what) throws IOException {
        Path config = run.file("config.json");
        switch (what) {
            case "gone" -> Files.delete(config);
            case "cut" -> damage(config, "cut", 0.5);
            case "empty" -> damage(config, "cut", 0);
            case "not an object" -> Files.writeString(config, "[]");
            case "of another model" ->
                Files.writeString(config, Files.readString(config).replace("q3.zip", "q4.zip"));
            default -> {
                Files.delete(config);
                Files.createDirectories(config.resolve("inside"));
            }
        }
        TrainingConfig.Builder options = TrainingConfig.builder()
                .set(Fields.RESUME, true)
                .set(Fields.CHECKPOINT_EVERY, 128L)
                .set(Fields.EVAL_EVERY, 128L)
                .set(Fields.EVAL_EPISODES, 1);
        if (what.equals("a directory")) {
            assertThatThrownBy(() -> run.train(options, java.time.Clock.systemUTC(), new DurableFiles()))
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining("can't write " + config);
            Folders.delete(config);
        }
        TrainingResult result = run.train(options, java.time.Clock.systemUTC(), new DurableFiles());
        assertThat(result.timesteps()).isEqualTo(SmallRun.TIMESTEPS);
        run.hasEndedAs(undisturbed, what);
    }

    @Test
    @DisplayName(
            "config.json holds a value that is not allowed: named with key and file, nothing is changed but by the user")
    void configValue() throws IOException {
        Path config = run.file("config.json");
        Files.writeString(
                config, Files.readString(config).replace("\"checkpoint_keep\" : \"2\"", "\"checkpoint_keep\" : \"0\""));
        Map<String, String> before = content();
        assertThatThrownBy(() -> run.resume(new DurableFiles()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("config.json of the resumed run: checkpoint_keep must be");
        assertThat(content()).isEqualTo(before);
    }

    // --- Leftovers

    @Test
    @DisplayName("leftovers of an interrupted save go with the next one; files of others and those being written stay")
    void leftovers() throws IOException {
        String[] old = {
            ".q3.zip.17-1f.tmp",
            ".q3.json.17-1f.tmp",
            ".q3_best.zip.17-1f.tmp",
            ".resume.json.17-1f.tmp",
            ".training_failure.json.17-1f.tmp",
            ".config.json.17-1f.tmp",
            ".progress.csv.17-1f.tmp",
            ".q3_env1.monitor.csv.17-1f.tmp",
            "checkpoints/.q3_ckpt_latest.zip.17-1f.tmp",
            "checkpoints/.q3_ckpt_latest.json.17-20.tmp",
            "checkpoints/.q3_ckpt_000000192.zip.17-1f.tmp"
        };
        String[] foreign = {
            ".q4.zip.17-1f.tmp", "notes.tmp", ".notes.tmp", "checkpoints/.q4_ckpt_latest.zip.17-1f.tmp", ".q3.zip.swp"
        };
        for (String[] names : new String[][] {old, foreign}) {
            for (String name : names) {
                Files.setLastModifiedTime(
                        Files.writeString(run.file(name), "half a f"),
                        FileTime.from(Instant.now().minusSeconds(100)));
            }
        }
        Path fresh = Files.writeString(run.file(".q3.zip.18-1f.tmp"), "being written");
        Files.setLastModifiedTime(fresh, FileTime.from(Instant.now().plusSeconds(1000)));
        run.resume(new DurableFiles());
        for (String name : old) {
            assertThat(run.file(name)).doesNotExist();
        }
        for (String name : foreign) {
            assertThat(run.file(name)).hasContent("half a f");
            Files.delete(run.file(name));
        }
        assertThat(fresh).hasContent("being written");
        Files.delete(fresh);
        run.hasEndedAs(undisturbed, "leftovers");
    }

    @Test
    @DisplayName("a JSON without its archive is no checkpoint, an archive without its JSON is one")
    void halfPairs() throws IOException {
        Files.copy(run.file("checkpoints/q3_ckpt_latest.json"), run.file("checkpoints/q3_ckpt_000000256.json"));
        Files.delete(run.file("resume.json"));
        Files.delete(run.file("checkpoints/q3_ckpt_latest.json"));
        assertThat(run.recovery().model()).isEqualTo(run.file(NEWEST));
        assertThat(run.recovery().problems()).isEmpty();
        run.endsAs(undisturbed, "half pairs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress.csv", "q3_env0.monitor.csv"})
    @DisplayName("what a log holds beyond the checkpoint is taken back, damaged or not; a log that is gone begins anew")
    void logs(String name) throws IOException {
        String whole = Files.readString(run.file(name));
        int beyond = whole.lastIndexOf('\n', whole.length() - 2) + 1;
        for (String tail :
                new String[] {"", "25", whole.substring(beyond).replace(',', '\0'), "\n\n,,\n", "x".repeat(100_000)}) {
            SmallRun copy = new SmallRun(root.resolve("tail" + tail.hashCode()));
            Folders.copy(run.folder(), copy.folder());
            Files.writeString(copy.file(name), whole.substring(0, beyond) + tail);
            copy.endsAs(undisturbed, name + " with the tail " + tail);
        }
        Files.delete(run.file(name));
        run.resume(new DurableFiles());
        assertThat(run.outcome().archive()).isEqualTo(undisturbed.archive());
        assertThat(run.file(name)).content().startsWith(whole.substring(0, 5));
    }

    // --- Something else in the place of one of our files

    @ParameterizedTest
    @ValueSource(
            strings = {
                "q3.zip",
                "q3.json",
                "q3_best.zip",
                "q3_best.json",
                "checkpoints/q3_ckpt_latest.zip",
                "checkpoints/q3_ckpt_latest.json",
                "checkpoints/q3_ckpt_000000128.zip",
                "resume.json",
                "config.json",
                "progress.csv",
                "q3_env1.monitor.csv",
                "training_failure.json",
                ".q3.zip.lock"
            })
    @DisplayName("a directory in the place of a file: named, and once it is gone the run goes on")
    void directoryInPlaceOf(String name) throws IOException {
        SmallRun obstructed = new SmallRun(root.resolve("obstructed"));
        Path obstacle = obstructed.file(name);
        Files.createDirectories(obstacle);
        Files.writeString(obstacle.resolve("a file"), "of somebody");
        assertThatThrownBy(() -> obstructed.begin(new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining(obstacle.toString());
        assertThat(obstacle.resolve("a file")).hasContent("of somebody");
        Folders.delete(obstacle);
        obstructed.endsAs(undisturbed, name);
    }

    @Test
    @DisplayName("a file in the place of a directory: named, and once it is gone the run goes on")
    void fileInPlaceOfDirectory() throws IOException {
        SmallRun obstructed = new SmallRun(root.resolve("obstructed"));
        Path parent = obstructed.folder().getParent();
        Files.writeString(parent, "of somebody");
        assertThatThrownBy(() -> obstructed.begin(new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("can't create directory " + parent + ": there is a file of that name");
        Files.delete(parent);
        Files.createDirectories(obstructed.folder());
        Path checkpoints = Files.writeString(obstructed.file("checkpoints"), "of somebody");
        assertThatThrownBy(() -> obstructed.begin(new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("can't create directory " + checkpoints + ": there is a file of that name");
        assertThat(checkpoints).hasContent("of somebody");
        assertThat(obstructed.file("training_failure.json")).exists();
        Files.delete(checkpoints);
        obstructed.endsAs(undisturbed, "a file in the place of a directory");
    }

    // --- Links

    @Test
    @DisplayName("a link to a directory is followed, one in the place of a file is replaced, what it leads to stays")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void links() throws IOException {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Path checkpoints = elsewhere.resolve("checkpoints");
        Files.move(run.file("checkpoints"), checkpoints);
        Files.createSymbolicLink(run.file("checkpoints"), checkpoints);
        Path newest = elsewhere.resolve("newest.zip");
        Files.move(checkpoints.resolve("q3_ckpt_latest.zip"), newest);
        byte[] before = Files.readAllBytes(newest);
        Files.createSymbolicLink(checkpoints.resolve("q3_ckpt_latest.zip"), newest);
        Path older = elsewhere.resolve("older.zip");
        Files.move(checkpoints.resolve("q3_ckpt_000000128.zip"), older);
        Files.createSymbolicLink(checkpoints.resolve("q3_ckpt_000000128.zip"), older);
        assertThat(run.recovery().timesteps()).isEqualTo(192);

        TrainingResult result = run.train(
                TrainingConfig.builder().set(Fields.RESUME, true).set(Fields.CHECKPOINT_KEEP, 1),
                java.time.Clock.systemUTC(),
                new DurableFiles());
        assertThat(result.isFinished()).isTrue();
        run.hasEndedAs(undisturbed, "links");
        assertThat(run.file("checkpoints")).isSymbolicLink();
        assertThat(checkpoints.resolve("q3_ckpt_latest.zip")).isRegularFile();
        assertThat(Files.isSymbolicLink(checkpoints.resolve("q3_ckpt_latest.zip")))
                .isFalse();
        assertThat(newest).hasBinaryContent(before);
        assertThat(checkpoints.resolve("q3_ckpt_000000128.zip")).as("pruned").doesNotExist();
        assertThat(older).exists();
    }

    @Test
    @DisplayName("the run's folder may be a link, the model's file not")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void linkToFolder() throws IOException {
        SmallRun linked = new SmallRun(root.resolve("linked"));
        Files.createDirectories(linked.folder().getParent());
        Files.createSymbolicLink(linked.folder(), run.folder());
        linked.endsAs(undisturbed, "a link to the folder");

        SmallRun dangling = new SmallRun(root.resolve("dangling"));
        Files.createDirectories(dangling.folder());
        Files.createSymbolicLink(dangling.file("checkpoints"), root.resolve("nowhere"));
        assertThatThrownBy(() -> dangling.begin(new DurableFiles()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageStartingWith("can't create directory " + dangling.file("checkpoints") + ": ");
    }

    // --- Permissions

    @Test
    @DisplayName("a directory that can't be written to: the run doesn't begin, or ends, and goes on once it can")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void readOnlyDirectory() throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        if (root) {
            System.out.println("skipped: permissions don't keep root from anything");
        }
        assumeTrue(!root);
        for (Path directory : new Path[] {run.file("checkpoints"), run.folder()}) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
            Map<String, String> before = content();
            try {
                assertThatThrownBy(() -> run.resume(new DurableFiles()))
                        .isInstanceOf(HoldfastException.class)
                        .hasMessageEndingWith("access denied");
                assertThat(run.recovery().timesteps()).isEqualTo(192);
                assertThat(content().get(NEWEST)).isEqualTo(before.get(NEWEST));
            } finally {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        run.endsAs(undisturbed, "read-only directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "append", "move", "createDirectory"})
    @DisplayName("the same as an injected error, for every user and system")
    void accessDenied(String operation) throws IOException {
        SmallRun begun = new SmallRun(root.resolve("begun"));
        AccessDeniedException denied = new AccessDeniedException("/a/name/of/no/use/.to.anybody.17-1f.tmp");
        assertThatThrownBy(() ->
                        begun.begin(new FaultyDisk().failing(operation, denied).files()))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining(begun.folder().getParent().toString())
                .hasMessageEndingWith("access denied");
        begun.endsAs(undisturbed, operation);

        if (!operation.equals("createDirectory")) {
            assertThatThrownBy(() -> run.resume(
                            new FaultyDisk().failing(operation, denied).files()))
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageEndingWith("access denied");
            run.endsAs(undisturbed, operation);
        }
    }
}
