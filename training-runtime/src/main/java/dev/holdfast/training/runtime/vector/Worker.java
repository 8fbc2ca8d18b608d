package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.space.Space;
import dev.holdfast.training.runtime.vector.EnvironmentWorker.Command;
import dev.holdfast.training.runtime.vector.EnvironmentWorker.Status;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trainer's side of a worker process.
 *
 * <p><em>Threads.</em> Used by the trainer's thread; {@link #endIfLate} may be called by another one.
 */
@SuppressWarnings("EnumOrdinal") // never stored: both sides are of the same build
final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int STDERR_LINES = 10;
    private static final int STDERR_LINE_LENGTH = 300;
    private static final long CLOSE_MILLIS = 2_000;

    /**
     * Starts the JVM in the place of the shell. A signal that is ignored stays so through exec, and the JVM leaves it alone: a Ctrl+C or a
     * stop of the whole process group reaches the trainer alone, which ends its workers after saving what they know. Where there is
     * setpriv, the trainer's death lets a worker go on that was stopped, and see it. The pipes go where neither an environment nor a process
     * that it starts can read, write or keep them; its standard output is standard error.
     */
    private static final String LAUNCHER = """
            trap '' TERM INT HUP
            setpriv --pdeathsig CONT true 2>/dev/null && set -- setpriv --pdeathsig CONT "$@"
            exec 3<&0 4>&1
            if [ -e /dev/fd/4 ]; then exec "$@" /dev/fd/3 /dev/fd/4 </dev/null >&2; fi
            exec "$@"
            """;

    /** What a worker may know of the trainer's environment variables: nothing that could be a secret. */
    static final List<String> VARIABLES = List.of(
            "PATH",
            "HOME",
            "USER",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "TZ",
            "TMPDIR",
            "TEMP",
            "TMP",
            "LD_LIBRARY_PATH",
            "SystemRoot");

    private final Path folder;
    private final int first;
    private final int count;
    private final WorkerOptions options;
    private final LongSupplier nanoTime;
    private final Process process;
    private final InputStream in;
    private final OutputStream out;
    private final Thread errorReader;
    private final Deque<String> lastErrors = new ArrayDeque<>();
    private volatile @Nullable WorkerMemory memory;
    private @Nullable Bell bell;
    private volatile int number;
    private boolean closed;

    /** How long the worker may take to answer. */
    private volatile Duration patience;

    /** When the answer that is being waited for is too late; the largest number if none is. */
    private volatile long deadline = Long.MAX_VALUE;

    private volatile boolean late;

    /** Starts a process; {@link #greet} waits until it is ready. */
    Worker(Path folder, int first, int count, EnvironmentSource.Named source, WorkerOptions options) {
        this.folder = folder;
        this.first = first;
        this.count = count;
        this.options = options;
        nanoTime = options.nanoTime();
        try {
            Files.deleteIfExists(folder.resolve(fileOf(first, "hello")));
            ProcessBuilder builder = new ProcessBuilder(command());
            Map<String, String> variables = builder.environment();
            variables.keySet().retainAll(VARIABLES);
            process = builder.start();
        } catch (IOException e) {
            throw new HoldfastException("can't start a worker process: " + e.getMessage(), e);
        }
        in = process.getInputStream();
        out = process.getOutputStream();
        errorReader = new Thread(this::readErrors, "holdfast-worker-" + first + "-stderr");
        errorReader.setDaemon(true);
        errorReader.start();
        expectAnswer(options.startTimeout());
        try {
            DataOutputStream start = new DataOutputStream(new BufferedOutputStream(out));
            Wire.text(start, folder.toString());
            start.writeInt(first);
            start.writeInt(count);
            Wire.writeSource(start, source);
            start.flush();
        } catch (IOException e) {
            // It has ended already: greet will find out why.
            LOG.debug("worker {} didn't take its task", first, e);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (!System.getProperty("os.name").startsWith("Windows")) {
            command.addAll(List.of("/bin/sh", "-c", LAUNCHER, "sh"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-Djava.awt.headless=true"));
        command.addAll(options.jvmOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EnvironmentWorker.class.getName()));
        return command;
    }

    static String fileOf(int first, String name) {
        return "worker-" + first + "." + name;
    }

    static String memoryFile(int first) {
        return fileOf(first, "memory");
    }

    int first() {
        return first;
    }

    int count() {
        return count;
    }

    long pid() {
        return process.pid();
    }

    WorkerMemory memory() {
        return Objects.requireNonNull(memory, "greet comes first");
    }

    /** The spaces of a worker's environments. */
    record Spaces(Space observations, Space actions) {}

    /** Waits until the worker has made its environments. */
    Spaces greet() throws WorkerLostException {
        Path hello = folder.resolve(fileOf(first, "hello"));
        try {
            while (!Files.exists(hello)) {
                if (in.read() < 0) {
                    throw lost("ended before it was ready");
                }
            }
            deadline = Long.MAX_VALUE;
            try (DataInputStream data = data(hello)) {
                Status status = Status.values()[data.readByte()];
                if (status != Status.DONE) {
                    throw failure(status, data);
                }
                Spaces spaces = new Spaces(Wire.readSpace(data), Wire.readSpace(data));
                memory = WorkerMemory.map(
                        folder.resolve(memoryFile(first)), count, spaces.observations(), spaces.actions());
                bell = Bell.ofTrainer(memory, in, out);
                return spaces;
            }
        } catch (IOException e) {
            throw lost("failed: " + e.getMessage());
        }
    }

    void send(Command command, long argument) throws WorkerLostException {
        memory().command(command.ordinal(), argument);
        expectAnswer(options.timeout());
        try {
            int next = number + 1;
            number = next;
            bell().announce(next);
        } catch (IOException e) {
            throw lost("ended");
        }
    }

    private void expectAnswer(Duration within) {
        patience = within;
        deadline = nanoTime.getAsLong() + within.toNanos();
    }

    /** Waits for the end of the last command. */
    void await(int looks) throws WorkerLostException {
        try {
            bell().await(number, looks);
        } catch (EOFException e) {
            throw lost("ended");
        } catch (IOException e) {
            throw lost("failed: " + e.getMessage());
        } finally {
            deadline = Long.MAX_VALUE;
        }
        Status status = Status.values()[memory().status()];
        if (status != Status.DONE) {
            try (DataInputStream data = data(folder.resolve(fileOf(first, "failure")))) {
                throw failure(Status.values()[data.readByte()], data);
            } catch (IOException e) {
                throw lost("failed: " + e.getMessage());
            }
        }
    }

    private static DataInputStream data(Path file) throws IOException {
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    }

    private WorkerLostException failure(Status status, DataInputStream data) throws IOException {
        int environment = data.readInt();
        String message = Wire.text(data);
        return switch (status) {
            case NOT_FINITE -> throw new NonFiniteException(message);
            case BROKEN -> throw new EnvironmentException(environment, message, null);
            default -> lost("had an exception: " + message);
        };
    }

    List<EnvironmentState> readStates() {
        try (DataInputStream data = data(folder.resolve(fileOf(first, "states")))) {
            return Wire.readStates(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves states for the command {@link Command#RESTORE}. */
    void writeStates(List<EnvironmentState> states, float[] observations) {
        try (DataOutputStream data = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(folder.resolve(fileOf(first, "restore")))))) {
            Wire.writeStates(data, states);
            Wire.floats(data, observations);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Bell bell() {
        return Objects.requireNonNull(bell, "greet comes first");
    }

    /**
     * Ends the process if an answer is late; the thread that waits for it will then see that. An answer that is there is not late, though
     * nobody may have looked at it yet: workers are waited for one after the other.
     */
    void endIfLate() {
        long limit = deadline;
        if (limit != Long.MAX_VALUE && nanoTime.getAsLong() - limit > 0 && !answered()) {
            late = true;
            kill();
        }
    }

    /** Ends the process and what its environments have started. */
    private void kill() {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }

    private boolean answered() {
        WorkerMemory shared = memory;
        return shared == null
                ? Files.exists(folder.resolve(fileOf(first, "hello")))
                : shared.acquire(WorkerMemory.DONE_NUMBER) == number;
    }

    /** Ends the process if it lives, and says why it is of no more use. */
    private WorkerLostException lost(String how) {
        // Give a process that is about to end the time to say how.
        boolean ended = waitFor(how.startsWith("ended") ? CLOSE_MILLIS : 0);
        StringBuilder reason = new StringBuilder("worker " + first + " (process " + process.pid() + ", environment");
        reason.append(count == 1 ? " " + first : "s " + first + " to " + (first + count - 1))
                .append(") ");
        if (late) {
            reason.append("was silent for more than ")
                    .append(patience.toMillis() / 1e3)
                    .append(" s");
        } else {
            reason.append(how);
            if (ended) {
                reason.append(", ").append(exit(process.exitValue()));
            }
        }
        close();
        synchronized (lastErrors) {
            if (!lastErrors.isEmpty()) {
                reason.append("; its last lines of standard error: ").append(String.join(" | ", lastErrors));
            }
        }
        return new WorkerLostException(reason.toString());
    }

    private static String exit(int code) {
        return switch (code) {
            case 137 -> "exit code 137 (SIGKILL)";
            case 139 -> "exit code 139 (SIGSEGV)";
            case 134 -> "exit code 134 (SIGABRT)";
            default -> "exit code " + code;
        };
    }

    private boolean waitFor(long millis) {
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (true) {
                try {
                    return process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void readErrors() {
        try (Reader reader =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = readLine(reader); line != null; line = readLine(reader)) {
                LOG.info("worker {}: {}", first, line);
                synchronized (lastErrors) {
                    lastErrors.addLast(line);
                    if (lastErrors.size() > STDERR_LINES) {
                        lastErrors.removeFirst();
                    }
                }
            }
        } catch (IOException e) {
            LOG.debug("the standard error of worker {} can't be read any more", first, e);
        }
    }

    /** Returns the next line, cut where it would fill the trainer's memory; null at the end. */
    private static @Nullable String readLine(Reader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = reader.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = reader.read()) {
            if (line.length() < STDERR_LINE_LENGTH) {
                line.append((char) next);
            }
        }
        return line.toString().stripTrailing();
    }

    /** Lets the worker close its environments. */
    void beginClose() {
        deadline = Long.MAX_VALUE;
        WorkerMemory shared = memory;
        if (shared != null) {
            shared.command(Command.CLOSE.ordinal(), 0);
        }
        try {
            out.close();
        } catch (IOException e) {
            LOG.debug("worker {} has closed its input", first, e);
        }
    }

    /** Ends the worker, by force if it doesn't by itself. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        beginClose();
        if (late || !waitFor(CLOSE_MILLIS)) {
            kill();
            waitFor(Long.MAX_VALUE / 2_000_000);
        }
        try {
            errorReader.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
