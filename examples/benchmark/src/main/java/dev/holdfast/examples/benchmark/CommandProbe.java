package dev.holdfast.examples.benchmark;

import dev.holdfast.training.runtime.cli.Holdfast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the {@code holdfast} command given by its arguments and then prints the JVM's peak memory, which only Linux tells and only
 * while the process lives. Started in a JVM of its own by {@link BenchmarkRun}.
 */
final class CommandProbe {
    /** How the line with the peak of the resident set begins, in {@code /proc/self/status} and in what is printed. */
    static final String PEAK = "VmHWM:";

    private CommandProbe() {}

    public static void main(String[] arguments) throws IOException {
        ChildJvm.endWithParent();
        int exitCode = Holdfast.commandLine().execute(arguments);
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith(PEAK))
                    .forEach(System.out::println);
        }
        System.exit(exitCode);
    }
}
