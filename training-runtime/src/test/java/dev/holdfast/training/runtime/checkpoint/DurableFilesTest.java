package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.checkpoint.CheckpointException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurableFilesTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);

    private final FaultyDisk disk = new FaultyDisk();
    private final DurableFiles files = new DurableFiles(disk, CLOCK);
    private Path directory;
    private Path file;

    @BeforeEach
    void setUp(@TempDir Path directory) {
        this.directory = directory;
        file = directory.resolve("file.json");
    }

    @Test
    void writesAndReplacesAFile() {
        DurableFiles real = new DurableFiles();
        real.write(file, new byte[] {1, 2});
        assertThat(file).hasBinaryContent(new byte[] {1, 2});
        real.write(file, new byte[] {3});
        assertThat(file).hasBinaryContent(new byte[] {3});
        assertThat(names()).containsExactly("file.json");
    }

    @Test
    void theRootOfTheFileSystemIsNoFile() {
        assertThatThrownBy(() -> files.write(directory.getRoot(), new byte[0]))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("root of the file system");
    }

    @Test
    void aTemporaryFileHasANameThatNoScanTakes() {
        DurableFiles dying = new DurableFiles(new FaultyDisk().crashAt(2), CLOCK);
        assertThatThrownBy(() -> dying.write(file, new byte[] {1})).isInstanceOf(FaultyDisk.Crash.class);
        assertThat(names()).singleElement().asString().matches("\\.file\\.json\\.\\d+-[0-9a-f]+\\.tmp");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 99_999})
    void aFullDiskLeavesTheOldFileAndNothingElse(long space) throws Exception {
        Files.writeString(file, "old");
        disk.space(space);
        assertThatThrownBy(() -> files.write(file, new byte[100_000]))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't write " + file + ": No space left on device");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("file.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "force", "move"})
    void aFailureAtAnyStepLeavesTheOldFileAndNothingElse(String operation) throws Exception {
        Files.writeString(file, "old");
        disk.failing(operation, new FileSystemException("x", null, "Input/output error"));
        assertThatThrownBy(() -> files.write(file, new byte[10]))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't write " + file + ": Input/output error");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("file.json");
    }

    @Test
    void aReadOnlyDirectoryIsNamed() {
        disk.failing("create", new AccessDeniedException("/some/where/.file.json.17-2f.tmp"));
        assertThatThrownBy(() -> files.write(file, new byte[10]))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't write " + file + ": access denied");
    }

    @Test
    void saysWhenOnlyTheLastStepFailed() {
        disk.failing("forceDirectory", new IOException("Input/output error"));
        assertThatThrownBy(() -> files.write(file, new byte[] {1}))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't make sure of " + file + ": Input/output error");
        assertThat(file).hasBinaryContent(new byte[] {1});
        assertThat(names()).containsExactly("file.json");
    }

    @Test
    void contentThatFailsLeavesNothing() {
        assertThatThrownBy(() -> files.write(
                        file,
                        out -> {
                            throw new IllegalStateException("no content");
                        },
                        null))
                .isInstanceOf(IllegalStateException.class);
        assertThat(names()).isEmpty();
    }

    @Test
    void namesAMissingDirectoryAndAFileInItsPlace() throws Exception {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> files.write(missing.resolve("file"), new byte[1]))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't write " + missing.resolve("file") + ": " + missing + " does not exist");
        Files.writeString(missing, "a file");
        assertThatThrownBy(() -> files.write(missing.resolve("file"), new byte[1]))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't write " + missing.resolve("file") + ": " + missing + " is not a directory");
        assertThatThrownBy(() -> files.createDirectories(missing))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't create directory " + missing + ": there is a file of that name");
    }

    @Test
    void namesADirectoryInPlaceOfTheFile() throws Exception {
        Files.createDirectory(file);
        Files.writeString(file.resolve("inside"), "x");
        assertThatThrownBy(() -> files.write(file, new byte[1]))
                .isInstanceOf(CheckpointException.class)
                .hasMessageStartingWith("can't write " + file + ": ");
        assertThat(names()).containsExactly("file.json");
    }

    @Test
    void anOutdatedFileGoesWithTheReplacementAndComesBackIfItFails() throws Exception {
        Path outdated = directory.resolve("outdated");
        Files.writeString(file, "old");
        Files.writeString(outdated, "describes old");

        DurableFiles failing = new DurableFiles(new FaultyDisk().failingMoveTo(file), CLOCK);
        assertThatThrownBy(() -> failing.write(file, out -> out.write(1), outdated))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't write " + file + ": Input/output error");
        assertThat(file).hasContent("old");
        assertThat(outdated).hasContent("describes old");
        assertThat(names()).containsExactly("file.json", "outdated");

        files.write(file, out -> out.write('n'), outdated);
        assertThat(file).hasContent("n");
        assertThat(names()).containsExactly("file.json");
    }

    @Test
    void leftoversOfAKilledProcessAreDeletedAndNothingElse() throws Exception {
        List<String> leftovers = List.of(".q3.zip.17-1f.tmp", ".q3.json.17-20.tmp");
        List<String> others = List.of(
                ".other.zip.17-1f.tmp", ".q3.zip.tmp", "q3.zip.17-1f.tmp", ".q3.zip.17-1f.bak", ".q3.zip.17-xyz.tmp");
        for (String name : leftovers) {
            touch(name, CLOCK.instant().minusSeconds(1));
        }
        for (String name : others) {
            touch(name, CLOCK.instant().minusSeconds(1));
        }
        // Written since this object was made, so perhaps by somebody who is still writing.
        touch(".q3.zip.18-1f.tmp", CLOCK.instant().plusSeconds(1));

        files.deleteLeftovers(directory, name -> name.startsWith("q3."));

        assertThat(names()).containsAll(others).contains(".q3.zip.18-1f.tmp").doesNotContainAnyElementsOf(leftovers);
    }

    private void touch(String name, Instant time) throws IOException {
        Files.setLastModifiedTime(Files.createFile(directory.resolve(name)), FileTime.from(time));
    }

    private List<String> names() {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
