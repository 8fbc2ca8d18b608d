package dev.holdfast.training.runtime.checkpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A real directory behind which a disk can be imagined that fills up, fails, or loses its power. Every call, and every write to a
 * file, is one operation.
 */
public final class FaultyDisk implements FileOperations {
    /** The process is dead: nothing runs any more, no cleanup either. */
    public static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** What begins with an operation. */
    public enum Fault {
        /** The process dies. */
        CRASH,
        /** Half of what is written fits; then only what is freed is free. */
        FULL,
        /** This operation alone fails, a write after its first half. */
        FAILURE,
        /** Nothing can be changed any more. */
        READ_ONLY
    }

    private static final long PLENTY = Long.MAX_VALUE / 2;

    private record Change(Path directory, Action undo) {}

    /** Does something to a disk. */
    public interface Action {
        void run() throws IOException;
    }

    private int operations;
    private final Set<Output> open = new HashSet<>();
    private @Nullable Fault fault;
    private int faultAt = Integer.MAX_VALUE;
    private @Nullable Action interference;
    private int interferenceAt;
    private long space = PLENTY;
    private long leastSpace = PLENTY;
    private String failing = "";
    private @Nullable IOException failure;
    private @Nullable Path failingTarget;
    private @Nullable Clock clock;

    /** What a power cut undoes: changes of directories that weren't forced, newest first; contents that weren't forced. */
    private final Deque<Change> unforced = new ArrayDeque<>();

    private final Set<Path> unforcedContents = new HashSet<>();

    /** How much of each file that grows was forced. */
    private final Map<Path, Long> forcedLengths = new HashMap<>();

    /** Lets a fault begin with an operation; the first one has the number 1. */
    public FaultyDisk fault(Fault fault, int operation) {
        this.fault = fault;
        faultAt = operation;
        return this;
    }

    /** Lets somebody else do something just before an operation. */
    public FaultyDisk before(int operation, Action action) {
        interference = action;
        interferenceAt = operation;
        return this;
    }

    FaultyDisk crashAt(int operation) {
        return fault(Fault.CRASH, operation);
    }

    /** Leaves this much room. */
    public FaultyDisk space(long bytes) {
        space = bytes;
        return this;
    }

    /** Lets every operation of a name fail: create, append, force, truncate, move, delete, createDirectory or forceDirectory. */
    public FaultyDisk failing(String operation, IOException problem) {
        failing = operation;
        failure = problem;
        return this;
    }

    /** Lets every rename to a name fail. */
    FaultyDisk failingMoveTo(Path target) {
        failingTarget = target;
        return this;
    }

    /** Dates files by a clock that may be wrong. */
    public FaultyDisk clock(Clock clock) {
        this.clock = clock;
        return this;
    }

    /** Returns what writes files to this disk. */
    public DurableFiles files() {
        return new DurableFiles(this, clock == null ? Clock.systemUTC() : clock);
    }

    public int operations() {
        return operations;
    }

    /** Returns how many files are open. */
    public int openFiles() {
        return open.size();
    }

    /** Returns how many bytes there were at most, temporary files included. */
    public long mostUsed() {
        return PLENTY - leastSpace;
    }

    private void operation(String name) throws IOException {
        operations++;
        if (interference != null && operations == interferenceAt) {
            interference.run();
        }
        if (operations >= faultAt) {
            if (fault == Fault.CRASH) {
                throw new Crash();
            } else if (fault == Fault.READ_ONLY) {
                throw new IOException("Read-only file system");
            } else if (fault == Fault.FULL && operations == faultAt && !name.equals("write")) {
                space = 0;
            } else if (fault == Fault.FAILURE && operations == faultAt && !name.equals("write")) {
                throw new IOException("Input/output error");
            }
        }
        if (failure != null && failing.equals(name)) {
            throw failure;
        }
    }

    private void write(Output output, byte[] bytes, int offset, int length) throws IOException {
        operation("write");
        boolean here = operations == faultAt;
        if (here && fault == Fault.FULL) {
            space = length / 2;
        }
        if (here && fault == Fault.FAILURE) {
            output.write(bytes, offset, length / 2);
            space -= length / 2;
            throw new IOException("Input/output error");
        }
        int written = (int) Math.min(length, space);
        output.write(bytes, offset, written);
        space -= written;
        leastSpace = Math.min(leastSpace, space);
        if (written < length) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public Output create(Path file) throws IOException {
        operation("create");
        Output output = DISK.create(file);
        unforced.push(new Change(file.getParent(), () -> Files.deleteIfExists(file)));
        unforcedContents.add(file);
        return new Output() {
            {
                open.add(this);
            }

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                FaultyDisk.this.write(output, bytes, offset, length);
            }

            @Override
            void force() throws IOException {
                operation("force");
                unforcedContents.remove(file);
            }

            @Override
            public void close() throws IOException {
                output.close();
                open.remove(this);
            }
        };
    }

    @Override
    public Log append(Path file) throws IOException {
        operation("append");
        boolean created = !Files.exists(file);
        Log log = DISK.append(file);
        if (created) {
            unforced.push(new Change(file.getParent(), () -> Files.deleteIfExists(file)));
        }
        forcedLengths.put(file, log.length());
        return new Log() {
            {
                open.add(this);
            }

            @Override
            long length() throws IOException {
                return log.length();
            }

            @Override
            void truncate(long length) throws IOException {
                operation("truncate");
                space += Math.max(0, log.length() - length);
                log.truncate(length);
                forcedLengths.merge(file, length, Math::min);
            }

            @Override
            void copyTo(OutputStream out) throws IOException {
                log.copyTo(out);
            }

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                FaultyDisk.this.write(log, bytes, offset, length);
            }

            @Override
            void force() throws IOException {
                operation("force");
                forcedLengths.put(file, log.length());
            }

            @Override
            public void close() throws IOException {
                log.close();
                open.remove(this);
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
        if (clock != null) {
            Files.setLastModifiedTime(to, FileTime.from(clock.instant()));
        }
        space += replaced == null ? 0 : replaced.length;
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
            space += deleted.length;
            unforced.push(new Change(file.getParent(), () -> Files.write(file, deleted)));
        }
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        operation("createDirectory");
        DISK.createDirectory(directory);
        unforced.push(new Change(directory.getParent(), () -> Folders.delete(directory)));
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        operation("forceDirectory");
        unforced.removeIf(change -> change.directory.equals(directory));
    }

    /** Leaves of the real directory what a disk must have kept when the power fails now, and no more. */
    public void losePower() throws IOException {
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
        for (Map.Entry<Path, Long> log : forcedLengths.entrySet()) {
            if (Files.exists(log.getKey())) {
                byte[] content = Files.readAllBytes(log.getKey());
                int length = (int) Math.min(content.length, log.getValue());
                Files.write(log.getKey(), Arrays.copyOf(content, length));
            }
        }
        for (Change change : unforced.stream().skip(kept).toList()) {
            if (Files.exists(change.directory)) {
                change.undo.run();
            }
        }
    }
}
