package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.Parameter;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What environments are to do wrong: a file {@code <call>.<what>} in a folder has the first environment that finds it do that in that
 * call, once. {@code <what>} may end in a number, to have it done several times.
 */
public final class Mischief {
    /** For an environment's folder; none of the calls below does anything where it is empty. */
    static final Parameter FOLDER = Parameter.text("folder", "", "Where the files are that say what to do wrong");

    private static final String TAKEN = "taken-";

    private final @Nullable Path folder;
    private long seed;
    private int step;

    /** For the one who plans. */
    public Mischief(Path folder) {
        this.folder = folder;
    }

    /** For an environment that has the parameter {@link #FOLDER}. */
    public Mischief(EnvironmentOptions options) {
        String text = options.text(FOLDER.name());
        folder = text.isEmpty() ? null : Path.of(text);
    }

    /** Returns {@link #FOLDER}. */
    public static Parameter parameter() {
        return FOLDER;
    }

    /** Has one environment do something at its next {@code create}, {@code reset}, {@code step}, {@code save} or {@code close}. */
    public void plan(String call, String what) {
        try {
            Files.createFile(folder().resolve(call + "." + what));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the environment whose episode has a seed do something in a step of it; step 0 is its reset. */
    public void plan(long seed, int step, String what) {
        plan(seed + "@" + step, what);
    }

    private Path folder() {
        return Objects.requireNonNull(folder);
    }

    /** Returns who has done what was planned, or is at it. */
    public List<Taken> taken() {
        List<Taken> taken = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), TAKEN + "*")) {
            for (Path file : files) {
                String[] parts = file.getFileName().toString().split("-", 3);
                taken.add(new Taken(parts[2], Long.parseLong(parts[1])));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return taken;
    }

    /** Forgets what was taken. */
    public void forget() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), TAKEN + "*")) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Who did it.
     *
     * @param plan the name of the file
     * @param process the number of the process
     */
    public record Taken(String plan, long process) {}

    /** Called by an environment that is made. */
    public void create() {
        at("create.");
    }

    /** Called by an environment that begins an episode. */
    public void reset(long seed) {
        this.seed = seed;
        step = 0;
        at("reset.", seed + "@0.");
    }

    /** Called by an environment that takes a step. */
    public void step() {
        step++;
        at("step.", seed + "@" + step + ".");
    }

    /** Called by an environment that saves its state. */
    public void save() {
        at("save.");
    }

    /** Called by an environment that is closed. */
    public void close() {
        at("close.");
    }

    private void at(String... calls) {
        if (folder == null) {
            return;
        }
        try (DirectoryStream<Path> plans = Files.newDirectoryStream(folder)) {
            for (Path plan : plans) {
                String name = plan.getFileName().toString();
                if (Arrays.stream(calls).noneMatch(name::startsWith)) {
                    continue;
                }
                try {
                    Files.move(
                            plan,
                            plan.resolveSibling(TAKEN + ProcessHandle.current().pid() + "-" + name));
                } catch (NoSuchFileException e) {
                    // Somebody else was faster.
                    continue;
                }
                misbehave(name.substring(name.indexOf('.') + 1).replaceAll("\\d+$", ""));
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void misbehave(String what) throws IOException {
        switch (what) {
            case "throws" -> throw new IllegalStateException("oops");
            case "exits" -> {
                System.err.println("about to exit");
                System.exit(3);
            }
            case "halts" -> Runtime.getRuntime().halt(4);
            case "overflows" -> overflow(0);
            case "exhausts" -> exhaust(false);
            case "exhausts_native" -> exhaust(true);
            case "sleeps" -> sleep(700);
            case "hangs" -> sleep(Long.MAX_VALUE);
            case "prints" -> print();
            case "closes_streams" -> closeStreams();
            case "starts_child" -> startChild();
            case "tells_variables" ->
                Files.write(folder().resolve("variables"), System.getenv().keySet());
            default -> throw new IllegalArgumentException(what);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    private static void exhaust(boolean nativeMemory) {
        List<Object> kept = new ArrayList<>();
        while (kept.add(nativeMemory ? ByteBuffer.allocateDirect(1 << 24) : new byte[1 << 24])) {
            Thread.onSpinWait();
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Two megabytes without an end of line, also as a native library would, past Java's streams. */
    private static void print() throws IOException {
        System.out.println("hello");
        byte[] garbage = new byte[1 << 20];
        Arrays.fill(garbage, (byte) 'x');
        for (FileDescriptor stream : List.of(FileDescriptor.out, FileDescriptor.err)) {
            // Not closed: it is not ours.
            OutputStream out = new FileOutputStream(stream);
            out.write(garbage);
        }
    }

    private static void closeStreams() throws IOException {
        System.in.close();
        System.out.close();
        System.err.close();
        new FileInputStream(FileDescriptor.in).close();
        new FileOutputStream(FileDescriptor.out).close();
        new FileOutputStream(FileDescriptor.err).close();
    }

    /** A process that knows nothing of its parent's end, and holds its standard streams. */
    private void startChild() throws IOException {
        Process child = new ProcessBuilder("sleep", "600").inheritIO().start();
        Files.writeString(folder().resolve("child"), Long.toString(child.pid()));
    }
}
