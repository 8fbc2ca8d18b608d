package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a worker: makes its environments, and does what the trainer says until the trainer is gone.
 *
 * <p>The pipes to its trainer are bells (see {@link Bell}) once it has read what it is to do; what an environment prints goes to standard
 * error. It ends when its trainer does, however that ended: it finds its input closed, or, if an environment keeps it busy, sees
 * that it has another parent.
 */
@SuppressWarnings("EnumOrdinal") // never stored: both sides are of the same build
final class EnvironmentWorker {
    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentWorker.class);

    /** What the trainer can say. */
    enum Command {
        RESET,
        STEP,
        SAVE,
        RESTORE,
        /** The trainer is about to close the pipes. */
        CLOSE
    }

    /** How a command, or the start, can end. */
    enum Status {
        DONE,
        /** The environment threw something: another try may go well. */
        THREW,
        /** The environment broke its contract, and will again. */
        BROKEN,
        /** The environment gave something that isn't finite. */
        NOT_FINITE
    }

    private static final long PARENT_CHECK_MILLIS = 500;
    /** For so long a worker whose pipes fail waits to see if that is the trainer's end. */
    private static final long PARENT_END_MILLIS = 4 * PARENT_CHECK_MILLIS;
    /** For about this many microseconds an idle worker looks for the next command before it sleeps. */
    private static final int LOOKS = 50;

    private final Path folder;
    private final int first;
    private final int count;
    private final List<EnvironmentSlot> slots = new ArrayList<>();
    /** Whether the trainer is through with this process. */
    private boolean dismissed;

    private EnvironmentWorker(Path folder, int first, int count) {
        this.folder = folder;
        this.first = first;
        this.count = count;
    }

    /**
     * Runs the process.
     *
     * @param arguments the pipes from and to the trainer; none if they are standard input and output
     */
    public static void main(String[] arguments) throws IOException {
        boolean standard = arguments.length == 0;
        InputStream in = standard ? new FileInputStream(FileDescriptor.in) : new FileInputStream(arguments[0]);
        OutputStream out = standard ? new FileOutputStream(FileDescriptor.out) : new FileOutputStream(arguments[1]);
        Runtime.getRuntime().addShutdownHook(new Thread(EnvironmentWorker::endDescendants));
        // Environments may read and print what they like.
        System.setIn(InputStream.nullInputStream());
        PrintStream errors = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(errors);
        int code = 1;
        try {
            // Unbuffered: what follows is for the bell.
            DataInputStream start = new DataInputStream(in);
            Path folder = Path.of(Wire.text(start));
            Thread watch = endWithParent(folder);
            EnvironmentWorker worker = new EnvironmentWorker(folder, start.readInt(), start.readInt());
            try {
                worker.run(Wire.readSource(start), in, out);
            } finally {
                if (!worker.dismissed) {
                    watch.join(PARENT_END_MILLIS);
                }
            }
            code = 0;
        } catch (Throwable e) {
            LOG.error("the worker failed", e);
            // On standard error, whose last lines the trainer shows: there may be no memory left to tell it in another
            // way.
            errors.println("the worker failed: " + e);
        } finally {
            end(code);
        }
    }

    /** Not by exit: an environment may have left threads or hooks behind that never end. */
    private static void end(int code) {
        try {
            endDescendants();
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }

    /** Ends what the environments have started and left behind. */
    private static void endDescendants() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    private static Thread endWithParent(Path folder) {
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        Thread watch = new Thread(
                () -> {
                    while (parent.isPresent()
                            && parent.equals(ProcessHandle.current().parent())) {
                        try {
                            Thread.sleep(PARENT_CHECK_MILLIS);
                        } catch (InterruptedException e) {
                            break;
                        }
                    }
                    deleteFolder(folder);
                    end(1);
                },
                "holdfast-worker-parent-watch");
        watch.setDaemon(true);
        watch.start();
        return watch;
    }

    /** Deletes what a trainer that was killed has left behind; the other workers do the same. */
    static void deleteFolder(Path folder) {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException | UncheckedIOException e) {
            // Somebody else is at it.
        }
    }

    private void run(EnvironmentSource.Named source, InputStream in, OutputStream out) throws IOException {
        Buffers buffers;
        try {
            buffers = create(source);
        } catch (Throwable e) {
            answer("hello", data -> failure(data, e));
            out.write(1);
            dismissed = true;
            return;
        }
        WorkerMemory memory = WorkerMemory.map(
                folder.resolve(Worker.memoryFile(first)), count, buffers.observationSpace, buffers.actionSpace);
        memory.clear();
        answer("hello", data -> {
            data.writeByte(Status.DONE.ordinal());
            Wire.writeSpace(data, buffers.observationSpace);
            Wire.writeSpace(data, buffers.actionSpace);
        });
        out.write(1);
        Bell bell = Bell.ofWorker(memory, in, out);
        float[] actions = new float[count * buffers.actionSpace.size()];
        try {
            for (int number = 1; ; number++) {
                bell.await(number, LOOKS);
                memory.status(obey(memory, buffers, actions).ordinal());
                bell.announce(number);
            }
        } catch (EOFException e) {
            slots.forEach(EnvironmentSlot::close);
        } finally {
            dismissed = memory.command() == Command.CLOSE.ordinal();
        }
    }

    private Buffers create(EnvironmentSource.Named source) {
        EnvironmentProvider provider = Environments.named(source.provider());
        Environment firstEnvironment = provider.create(source.options());
        Buffers buffers = new Buffers(count, firstEnvironment.observationSpace(), firstEnvironment.actionSpace());
        slots.add(new EnvironmentSlot(first, 0, firstEnvironment, buffers));
        for (int i = 1; i < count; i++) {
            slots.add(new EnvironmentSlot(first + i, i, provider.create(source.options()), buffers));
        }
        return buffers;
    }

    private Status obey(WorkerMemory memory, Buffers buffers, float[] actions) throws IOException {
        try {
            switch (Command.values()[memory.command()]) {
                case STEP -> {
                    memory.getActions(actions);
                    for (EnvironmentSlot slot : slots) {
                        slot.step(actions);
                    }
                }
                case RESET -> slots.forEach(slot -> slot.reset(memory.argument()));
                case SAVE -> {
                    List<EnvironmentState> states =
                            slots.stream().map(EnvironmentSlot::save).toList();
                    answer("states", data -> Wire.writeStates(data, states));
                }
                case RESTORE -> restore();
                case CLOSE -> {}
            }
        } catch (Throwable e) {
            // Even an error of the JVM: the trainer is told, and ends this process.
            answer("failure", data -> failure(data, e));
            return statusOf(e);
        }
        memory.putResults(buffers);
        for (int i = 0; i < count; i++) {
            memory.putPosition(i, slots.get(i).seeds(), slots.get(i).steps());
        }
        return Status.DONE;
    }

    private void restore() throws IOException {
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(Files.newInputStream(folder.resolve(Worker.fileOf(first, "restore")))))) {
            List<EnvironmentState> states = Wire.readStates(in);
            float[] observations = Wire.floats(in);
            for (int i = 0; i < count; i++) {
                slots.get(i).restore(states.get(i), observations);
            }
        }
    }

    private static Status statusOf(Throwable e) {
        if (e instanceof NonFiniteException) {
            return Status.NOT_FINITE;
        }
        return e instanceof EnvironmentException && e.getCause() == null ? Status.BROKEN : Status.THREW;
    }

    private void failure(DataOutputStream out, Throwable e) throws IOException {
        out.writeByte(statusOf(e).ordinal());
        out.writeInt(e instanceof EnvironmentException at ? at.environment() : first);
        Wire.text(out, e instanceof HoldfastException ? String.valueOf(e.getMessage()) : e.toString());
    }

    /** Writes a file of which the trainer sees nothing or all. */
    private void answer(String name, Content content) throws IOException {
        Path file = folder.resolve(Worker.fileOf(first, name));
        Path unfinished = folder.resolve(Worker.fileOf(first, name + ".tmp"));
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(unfinished)))) {
            content.write(out);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private interface Content {
        void write(DataOutputStream out) throws IOException;
    }
}
