package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.Require;
import dev.holdfast.training.runtime.cli.Subcommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast bench}: measures how fast whole training runs are, where their time goes, and how fast the command starts. */
@Command(
        name = "bench",
        description = "Measures the speed of training, where the time goes, and the command's start and memory.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class BenchCommand implements Subcommand {
    private static final String COMMAND = "command";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Where results go; earlier ones there are replaced. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("runs", "bench");

    @Option(names = "--quick", description = "Measure little: a fifth of the steps, one JVM, fewer repetitions.")
    private boolean quick;

    @Option(
            names = "--forks",
            paramLabel = "N",
            description = "JVMs of each measurement. Default: 3, or 1 with --quick.")
    private @Nullable Integer forks;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Measure only these: cartpole-default, cartpole-tuned, masked-1, masked-8, cartpole-wide, or"
                    + " command for start and memory.")
    private List<String> only = List.of();

    /** Creates the command; for {@link java.util.ServiceLoader}. */
    public BenchCommand() {}

    @Override
    public Integer call() throws IOException {
        BenchmarkRun.Effort effort = effort();
        List<String> chosen = chosen();
        createFolder();
        List<Variant> variants = Setting.ALL.stream()
                .filter(setting -> chosen.contains(setting.name()))
                .flatMap(setting -> Variant.of(setting, ChildJvm.simdAvailable()).stream())
                .toList();
        PrintWriter console = spec.commandLine().getOut();
        BenchmarkReport report = new BenchmarkRun(variants, chosen.contains(COMMAND), effort)
                .run(
                        line -> {
                            console.println(line);
                            console.flush();
                        },
                        sofar -> sofar.write(out));
        console.println();
        console.print(report.markdown());
        console.println();
        console.println("Results: " + out);
        console.flush();
        return 0;
    }

    private BenchmarkRun.Effort effort() {
        int count = Require.atLeast(forks == null ? quick ? 1 : 3 : forks, 1, "forks");
        return quick ? new BenchmarkRun.Effort(count, 1, 2, 5) : new BenchmarkRun.Effort(count, 2, 3, 1);
    }

    private List<String> chosen() {
        List<String> names = new ArrayList<>(Setting.names());
        names.add(COMMAND);
        for (String name : only) {
            Require.that(names.contains(name), "only", "must be one of " + String.join(", ", names), name);
        }
        return only.isEmpty() ? names : only;
    }

    private void createFolder() throws IOException {
        Require.that(!Files.exists(out) || Files.isDirectory(out), "out", "must be a folder", out);
        Files.createDirectories(out);
    }
}
