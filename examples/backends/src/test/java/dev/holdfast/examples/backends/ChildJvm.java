package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with the class path and the native libraries of this one. */
final class ChildJvm {
    private static final List<String> INHERITED = List.of("ENGINE_CACHE_DIR", "org.bytedeco.javacpp.cachedir");

    private ChildJvm() {}

    /** How a process ended. */
    record Ended(int code, List<String> output) {}

    /** Takes each line that a process prints. */
    interface Listener {
        void printed(Process process, String line) throws IOException, InterruptedException;
    }

    static Ended run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        return run(main, arguments, Path.of("").toAbsolutePath(), (process, line) -> {});
    }

    static Ended run(Class<?> main, List<String> arguments, Path directory, Listener listener)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx512m"));
        for (String property : INHERITED) {
            String value = System.getProperty(property);
            if (value != null) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            List<String> output = new ArrayList<>();
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    output.add(line);
                    listener.printed(process, line);
                }
            }
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
