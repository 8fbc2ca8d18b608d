package dev.holdfast.examples.benchmark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.HoldfastException;
import java.io.BufferedReader;
import java.io.File;
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
    static final String SIMD_MODULE = "jdk.incubator.vector";

    /** The properties that say where PyTorch and ND4J unpack their native libraries. */
    private static final List<String> NATIVES = List.of("ENGINE_CACHE_DIR", "org.bytedeco.javacpp.cachedir");

    private static final int ERROR_LINES = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Duration limit;

    ChildJvm(Duration limit) {
        this.limit = limit;
    }

    static boolean simdAvailable() {
        return ModuleFinder.ofSystem().find(SIMD_MODULE).isPresent();
    }

    /** Returns options that have native libraries unpacked to a folder. */
    static List<String> nativesIn(Path folder) {
        return NATIVES.stream().map(name -> "-D" + name + "=" + folder).toList();
    }

    /** Returns options that add a folder to the class path. */
    static List<String> withOnClassPath(Path folder) {
        return List.of("-cp", folder + File.pathSeparator + System.getProperty("java.class.path"));
    }

    /**
     * Runs to the end.
     *
     * @param options of the JVM; the last one of a kind counts
     * @param output takes each line of standard output when it comes
     * @throws HoldfastException if the JVM doesn't end in time or its exit code is not 0
     */
    void run(List<String> options, Class<?> main, List<String> arguments, Consumer<String> output) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xms32m", "-cp", System.getProperty("java.class.path")));
        for (String name : NATIVES) {
            String variable = System.getenv(name);
            String value = variable == null ? System.getProperty(name) : variable;
            if (value != null) {
                command.add("-D" + name + "=" + value);
            }
        }
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        try (TemporaryFolder folder = new TemporaryFolder()) {
            Path errors = folder.path().resolve("stderr");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            // A variable would win over the property of the same name that is among the options.
            NATIVES.forEach(builder.environment()::remove);
            Process process = builder.start();
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

    /** Runs to the end and returns what {@link #print} printed there; natives may have written to standard output before. */
    <T> T result(List<String> options, Class<?> main, List<String> arguments, Class<T> type) throws IOException {
        List<String> lines = new ArrayList<>();
        run(options, main, arguments, lines::add);
        return JSON.readValue(lines.get(lines.size() - 1), type);
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

    /** In a child: prints a result as one line. */
    static void print(Object result) {
        try {
            System.out.println(JSON.writeValueAsString(result));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
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
