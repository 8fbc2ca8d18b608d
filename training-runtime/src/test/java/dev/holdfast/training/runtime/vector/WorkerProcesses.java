package dev.holdfast.training.runtime.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The workers of this JVM as the operating system sees them. */
public final class WorkerProcesses {
    private WorkerProcesses() {}

    /** Returns the workers that live. */
    public static List<ProcessHandle> live() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info()
                        .commandLine()
                        .map(line -> line.contains(EnvironmentWorker.class.getName()))
                        .orElse(false))
                .toList();
    }

    /** Returns the lines about this process's children in state Z: ended, but not yet waited for. */
    public static List<String> zombies() {
        List<String> zombies = new ArrayList<>();
        String parent = Long.toString(ProcessHandle.current().pid());
        for (File process : new File("/proc").listFiles((proc, name) -> Character.isDigit(name.charAt(0)))) {
            try {
                String line = Files.readString(process.toPath().resolve("stat"));
                // The name, in brackets, may hold anything; state and parent follow it.
                String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
                if (fields[0].equals("Z") && fields[1].equals(parent)) {
                    zombies.add(line);
                }
            } catch (IOException e) {
                // It is gone.
            }
        }
        return zombies;
    }

    /** Returns the files shared with workers, or their folders' others, that this process has mapped. */
    public static List<String> mapped() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/" + ProcessVectorEnvironment.FOLDER_PREFIX))
                .map(line -> line.substring(line.indexOf('/')))
                .toList();
    }

    /** Sends a signal by its name. */
    public static void signal(ProcessHandle process, String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid())).start();
            assertThat(kill.waitFor()).as("kill -s %s", signal).isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Skips a test where there are no signals. */
    public static void assumeSignals() {
        assume(!System.getProperty("os.name").startsWith("Windows"), "sends signals");
    }

    /** Skips a test where there is no Linux to look into. */
    public static void assumeLinux() {
        assume(Files.exists(Path.of("/proc/self/status")), "reads /proc");
    }

    private static void assume(boolean there, String what) {
        if (!there) {
            System.out.println("skipped: " + what);
        }
        assumeTrue(there, what);
    }

    /** Waits for what must come: far longer than it takes. */
    public static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end)
                    .as("waited for five minutes until %s", what)
                    .isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Returns whether a process is gone, or a zombie of somebody who doesn't care. */
    public static boolean ended(long process) {
        try {
            String line = Files.readString(Path.of("/proc/" + process + "/stat"));
            return line.charAt(line.lastIndexOf(')') + 2) == 'Z';
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return ProcessHandle.of(process).isEmpty();
        }
    }
}
