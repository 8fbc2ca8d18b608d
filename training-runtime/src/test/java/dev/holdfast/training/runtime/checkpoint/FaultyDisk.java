package dev.holdfast.training.runtime.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real directory behind which a disk can be imagined that fills up, fails, or loses its power. Every call, and every write to a
 * file, is one operation.
 */
final class FaultyDisk implements FileOperations {
    /** The process is dead: nothing runs any more, no cleanup either. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    private record Change(Path directory, Undo undo) {}

    private interface Undo {
        void run() throws IOException;
    }

    private int operations;
    private int crashAt = Integer.MAX_VALUE;
    private long space = Long.MAX_VALUE;
    private String failing = "";
    private @Nullable IOException failure;
    private @Nullable Path failingTarget;

    /** What a power cut undoes: changes of directories that weren't forced, newest first; contents that weren't forced. */
    private final Deque<Change> unforced = new ArrayDeque<>();

    private final Set<Path> unforcedContents = new HashSet<>();

    FaultyDisk crashAt(int operation) {
        crashAt = operation;
        return this;
    }

    FaultyDisk space(long bytes) {
        space = bytes;
        return this;
    }

    /** Lets every operation of a name fail: create, force, move, delete, createDirectory or forceDirectory. */
    FaultyDisk failing(String operation, IOException problem) {
        failing = operation;
        failure = problem;
        return this;
    }

    /** Lets every rename to a name fail. */
    FaultyDisk failingMoveTo(Path target) {
        failingTarget = target;
        return this;
    }

    int operations() {
        return operations;
    }

    private void operation(String name) throws IOException {
        operations++;
        if (operations >= crashAt) {
            throw new Crash();
        }
        if (failure != null && failing.equals(name)) {
            throw failure;
        }
    }

    @Override
    public Output create(Path file) throws IOException {
        operation("create");
        Output output = DISK.create(file);
        unforced.push(new Change(file.getParent(), () -> Files.deleteIfExists(file)));
        unforcedContents.add(file);
        return new Output() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                operation("write");
                if (length > space) {
                    output.write(bytes, offset, (int) space);
                    space = 0;
                    throw new IOException("No space left on device");
                }
                output.write(bytes, offset, length);
                space -= length;
            }

            @Override
            void force() throws IOException {
                operation("force");
                unforcedContents.remove(file);
            }

            @Override
            public void close() throws IOException {
                output.close();
            }
        };
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        operation("move");
        if (to.equals(failingTarget)) {
            throw new IOException("Input/output error");
        }
        byte[] moved = Files.readAllBytes(from);
        byte[] replaced = Files.exists(to) ? Files.readAllBytes(to) : null;
        DISK.move(from, to);
        unforced.push(new Change(to.getParent(), () -> {
            Files.write(from, moved);
            if (replaced == null) {
                Files.deleteIfExists(to);
            } else {
                Files.write(to, replaced);
            }
        }));
        if (unforcedContents.remove(from)) {
            unforcedContents.add(to);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        operation("delete");
        if (Files.exists(file)) {
            byte[] deleted = Files.readAllBytes(file);
            DISK.delete(file);
            unforced.push(new Change(file.getParent(), () -> Files.write(file, deleted)));
        }
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        operation("createDirectory");
        DISK.createDirectory(directory);
        unforced.push(new Change(directory.getParent(), () -> deleteTree(directory)));
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        operation("forceDirectory");
        unforced.removeIf(change -> change.directory.equals(directory));
    }

    /** Leaves of the real directory what a disk must have kept when the power fails now, and no more. */
    void losePower() throws IOException {
        losePower(0);
    }

    /** The same, but the newest change of a directory happens to have reached the disk before the older ones. */
    void losePowerAfterReordering() throws IOException {
        losePower(1);
    }

    private void losePower(int kept) throws IOException {
        for (Path file : unforcedContents) {
            if (Files.exists(file)) {
                byte[] content = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(content, content.length / 2));
            }
        }
        for (Change change : unforced.stream().skip(kept).toList()) {
            if (Files.exists(change.directory)) {
                change.undo.run();
            }
        }
    }

    private static void deleteTree(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
