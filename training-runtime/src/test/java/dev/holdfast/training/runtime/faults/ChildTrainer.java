package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.training.runtime.cli.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The {@code holdfast} command in a JVM of its own, which leads a process group of its own where there is {@code setsid}. */
public final class ChildTrainer implements AutoCloseable {
    private static final long SIGINT_BIT = 1L << (2 - 1);

    /** For what must come: far longer than it takes. */
    static final long PATIENCE_SECONDS = 120;

    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private final Process process;
    /** What it prints on standard output and standard error; empty at the end. */
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

    private final List<String> output = new ArrayList<>();

    /** How it ended, and all that it printed. */
    public record Ended(int code, List<String> output) {
        /** Returns the output as one text. */
        public String text() {
            return String.join("\n", output);
        }
    }

    private ChildTrainer(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "child-trainer-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the command. */
    public static ChildTrainer start(String... arguments) throws IOException {
        return start(List.of(), List.of(arguments));
    }

    static ChildTrainer start(List<String> jvmOptions, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            // It becomes the command: the process keeps its number, which is that of the group, too.
            command.add(SETSID.toString());
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx128m"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Holdfast.class.getName()));
        command.addAll(arguments);
        return new ChildTrainer(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Runs the command to its end. */
    public static Ended run(String... arguments) throws IOException, InterruptedException {
        try (ChildTrainer trainer = start(arguments)) {
            return trainer.awaitEnd();
        }
    }

    /** What a shell without job control starts in the background ignores SIGINT, and so do its children. */
    static void assumeInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        boolean ignored = Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line -> (Long.parseUnsignedLong(
                                                line.substring("SigIgn:".length())
                                                        .strip(),
                                                16)
                                        & SIGINT_BIT)
                                != 0);
        if (ignored) {
            System.out.println("skipped: this process was started with SIGINT ignored");
        }
        assumeTrue(!ignored);
    }

    /** Skips the test where a whole process group can't be signalled. */
    public static void assumeProcessGroups() {
        boolean there = Files.isExecutable(SETSID);
        if (!there) {
            System.out.println("skipped: tests of signals to a process group need " + SETSID);
        }
        assumeTrue(there);
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().map(Optional::of).forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add(Optional.of("the output can't be read any more: " + e));
        }
        lines.add(Optional.empty());
    }

    /** Waits for a line of its output; null after the last one. */
    public @Nullable String nextLine() throws InterruptedException {
        Optional<String> line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(line)
                .as("the trainer has printed nothing more for %d s after %s", PATIENCE_SECONDS, output)
                .isNotNull();
        if (line.isEmpty()) {
            // Whoever asks again is told again.
            lines.add(line);
            return null;
        }
        output.add(line.get());
        return line.get();
    }

    /** Waits for the next line with a text; null if there is none up to the end. */
    @Nullable String nextLine(String text) throws InterruptedException {
        String line = nextLine();
        while (line != null && !line.contains(text)) {
            line = nextLine();
        }
        return line;
    }

    /** Waits for a line with a text, which must come. */
    public void awaitLine(String text) throws InterruptedException {
        assertThat(nextLine(text)).as("a line with %s in %s", text, output).isNotNull();
    }

    /** Waits until it has ended and its output is read. */
    public Ended awaitEnd() throws InterruptedException {
        while (nextLine() != null) {
            // It is kept.
        }
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), List.copyOf(output));
    }

    /** Sends a signal to its process group, if that still lives. */
    public void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-s", name, "--", "-" + process.pid()).start();
        if (kill.waitFor() != 0) {
            assertThat(process.isAlive()).isFalse();
        }
    }

    /** SIGKILL to it alone. */
    Ended kill() throws InterruptedException {
        process.destroyForcibly();
        return awaitEnd();
    }

    /** Returns the processes that it has started. */
    public List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    /** Ends it if it still lives; its workers follow. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
