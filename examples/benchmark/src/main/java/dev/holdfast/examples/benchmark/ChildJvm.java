package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.HoldfastException;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a main class of this class path in a JVM of its own, with the options that the launcher script gives. */
final class ChildJvm {
    private static final String SIMD_MODULE = "jdk.incubator.vector";
    private static final int ERROR_LINES = 20;

    private final Duration limit;

    ChildJvm(Duration limit) {
        this.limit = limit;
    }

    static boolean simdAvailable() {
        return ModuleFinder.ofSystem().find(SIMD_MODULE).isPresent();
    }

    /**
     * Runs to the end.
     *
     * @param output takes each line of standard output when it comes
     * @throws HoldfastException if the JVM doesn't end in time or its exit code is not 0
     */
    void run(boolean simd, Class<?> main, List<String> arguments, Consumer<String> output) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (simd) {
            command.addAll(List.of("--add-modules", SIMD_MODULE));
        }
        command.addAll(List.of("-XX:+UseSerialGC", "-Xms32m", "-cp", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(arguments);
        try (TemporaryFolder folder = new TemporaryFolder()) {
            Path errors = folder.path().resolve("stderr");
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            try (BufferedReader lines = process.inputReader()) {
                Thread watch = new Thread(() -> endInTime(process), "holdfast-bench-limit");
                watch.setDaemon(true);
                watch.start();
                lines.lines().forEach(output);
                int exitCode = process.waitFor();
                if (exitCode != 0) {
                    throw new HoldfastException(main.getSimpleName() + " must end with exit code 0 within "
                            + limit.toSeconds() + " s, but ended with " + exitCode + ":\n" + end(errors));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new HoldfastException("interrupted while measuring", e);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private void endInTime(Process process) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                // Unlike the process's own method, this leaves its output open to whoever reads it.
                process.toHandle().destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String end(Path errors) throws IOException {
        List<String> lines = Files.readAllLines(errors);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - ERROR_LINES), lines.size()));
    }

    /** In a child: ends it when its parent does, however that ends; standard input is a pipe from there. */
    static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // The parent writes nothing.
                        }
                    } catch (IOException e) {
                        // The pipe broke, which says the same.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "holdfast-bench-parent");
        watch.setDaemon(true);
        watch.start();
    }
}
