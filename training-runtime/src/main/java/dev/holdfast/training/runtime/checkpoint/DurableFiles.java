package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.checkpoint.CheckpointException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes files so that, whenever the process is killed or the power fails, a file is either the old one whole or the new one whole.
 *
 * <ol>
 *   <li>The content goes into a new file beside the target, {@code .<name>.<process>-<time>.tmp}: nothing that looks for
 *       checkpoints or JSON takes it for one. If this fails (the disk is full, say), it is deleted.
 *   <li>fsync of that file: a rename may reach the disk before the content does, and would then name an empty file.
 *   <li>Atomic rename over the target.
 *   <li>fsync of the directory, where the system can: only then is the new name sure to outlive a power cut, and only then may
 *       what the old file was good for be deleted.
 * </ol>
 *
 * <p>An interrupt of the thread doesn't stop a write. Paths must be of the default file system.
 *
 * <p><em>Threads.</em> Safe for concurrent use on different files.
 */
public final class DurableFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DurableFiles.class);
    private static final Pattern TEMPORARY = Pattern.compile("\\.(.+)\\.\\d+-[0-9a-f]+\\.tmp");

    private final FileOperations disk;
    private final Instant created;

    /** Creates a writer. */
    public DurableFiles() {
        this(FileOperations.DISK, Clock.systemUTC());
    }

    DurableFiles(FileOperations disk, Clock clock) {
        this.disk = disk;
        created = clock.instant();
    }

    /**
     * Writes a file.
     *
     * @param file where, replaced if it exists; its directory must exist
     * @param content what
     * @throws CheckpointException if it can't be written, naming file and reason. An existing file is unchanged, unless the last
     *     step alone failed: then the new one is in place, but may not outlive a power cut
     */
    public void write(Path file, byte[] content) {
        write(file, out -> out.write(content));
    }

    /**
     * Writes a file.
     *
     * @param file where, replaced if it exists; its directory must exist
     * @param content what; an exception other than an {@link IOException} is passed on, and leaves an existing file unchanged
     * @throws CheckpointException as for {@link #write(Path, byte[])}
     */
    public void write(Path file, Content content) {
        write(file, content, null);
    }

    /**
     * Writes a file.
     *
     * @param outdated a file in the same directory that must not be there together with the new one: it is put aside just
     *     before, and back if the replacement fails; null if there is none
     */
    void write(Path file, Content content, @Nullable Path outdated) {
        Path directory = directoryOf(file);
        if (!Files.isDirectory(directory)) {
            String problem = Files.exists(directory) ? " is not a directory" : " does not exist";
            throw new CheckpointException("can't write " + file + ": " + directory + problem, null);
        }
        Path temporary = temporary(file);
        try {
            prepare(temporary, content);
            if (outdated == null) {
                disk.move(temporary, file);
            } else {
                replace(temporary, file, outdated);
            }
        } catch (IOException e) {
            discard(temporary);
            throw failure("write", file, e);
        } catch (RuntimeException e) {
            discard(temporary);
            throw e;
        }
        try {
            disk.forceDirectory(directory);
        } catch (IOException e) {
            throw failure("make sure of", file, e);
        }
    }

    /**
     * Opens a file that grows.
     *
     * @param file where, created if it isn't there; its directory must exist
     * @param keep whether to go on behind what it holds; else it is emptied
     * @param head what it begins with if there is nothing to go on behind
     * @return the open file
     * @throws dev.holdfast.rl.api.HoldfastException if it can't be opened, naming file and reason
     */
    public AppendedFile append(Path file, boolean keep, byte[] head) {
        return new AppendedFile(file, keep, head, this, disk);
    }

    private void prepare(Path temporary, Content content) throws IOException {
        try (FileOperations.Output output = disk.create(temporary);
                OutputStream buffered = new BufferedOutputStream(output, 1 << 16)) {
            content.writeTo(buffered);
            buffered.flush();
            output.force();
        }
    }

    private void replace(Path temporary, Path file, Path outdated) throws IOException {
        Path aside = temporary(outdated);
        disk.move(outdated, aside);
        try {
            disk.forceDirectory(directoryOf(file));
            disk.move(temporary, file);
        } catch (IOException e) {
            disk.move(aside, outdated);
            throw e;
        }
        discard(aside);
    }

    private void discard(Path temporary) {
        try {
            disk.delete(temporary);
        } catch (IOException e) {
            LOG.warn("can't delete the temporary file {}: {}", temporary, reason(e));
        }
    }

    /**
     * Creates a directory and those above it, where they aren't there.
     *
     * @param directory which
     * @throws CheckpointException if it can't be created, naming directory and reason
     */
    public void createDirectories(Path directory) {
        if (Files.isDirectory(directory)) {
            return;
        }
        if (Files.exists(directory)) {
            throw new CheckpointException(
                    "can't create directory " + directory + ": there is a file of that name", null);
        }
        Path parent = directoryOf(directory);
        createDirectories(parent);
        try {
            disk.createDirectory(directory);
            disk.forceDirectory(parent);
        } catch (IOException e) {
            throw failure("create directory", directory, e);
        }
    }

    /**
     * Deletes a file if it is there.
     *
     * @param file which
     * @throws CheckpointException if it can't be deleted, naming file and reason
     */
    public void delete(Path file) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            throw failure("delete", file, e);
        }
    }

    /**
     * Deletes temporary files that a killed process left behind: those of this class, for targets of the given names, that were
     * last written before this object was made, and so by nobody who is still writing.
     */
    void deleteLeftovers(Path directory, Predicate<String> targetName) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, ".*.tmp")) {
            for (Path file : files) {
                Matcher name = TEMPORARY.matcher(file.getFileName().toString());
                if (name.matches()
                        && targetName.test(name.group(1))
                        && Files.getLastModifiedTime(file).toInstant().isBefore(created)) {
                    disk.delete(file);
                    LOG.info("deleted {}, which a killed process left behind", file);
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            LOG.warn("can't clear {} of temporary files: {}", directory, e.toString());
        }
    }

    /** No two writes of a process share a name, nor do two processes; if they did, creating the file would fail. */
    private static Path temporary(Path file) {
        String unique = ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
        return file.resolveSibling("." + file.getFileName() + "." + unique + ".tmp");
    }

    static Path directoryOf(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new CheckpointException("can't write " + file + ": it is the root of the file system", null);
        }
        return directory;
    }

    private static CheckpointException failure(String action, Path file, IOException e) {
        return new CheckpointException("can't " + action + " " + file + ": " + reason(e), e);
    }

    /**
     * Locks a file against all others, of this process or another one.
     *
     * @param channel of the file, open for writing
     * @return the lock, which is given back with the channel at the latest; null if somebody has it
     * @throws IOException if the file system can't lock
     */
    public static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /**
     * Returns what the system said, without the name of a temporary file.
     *
     * @param e what was thrown by an operation on a file
     * @return for example {@code access denied}
     */
    public static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "access denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return e instanceof FileSystemException || e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
