package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.training.runtime.cli.Subcommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast bench}: compares the backends on the same work, from a forward pass to whole training runs, start and memory. */
@Command(
        name = "bench",
        description =
                "Compares the backends on the same work: forward passes, updates, whole training runs, start and memory.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class BenchCommand implements Subcommand {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Where results go; earlier ones there are replaced. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("runs", "bench");

    @Option(
            names = "--quick",
            description =
                    "Measure little: one JVM, one thread, less of everything. Good for a look, not for conclusions.")
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
            description = "Measure only these: forward, update, cartpole-default, cartpole-tuned, masked-1, masked-8,"
                    + " cartpole-wide, workers for environments in processes, or start for start and memory. A setting that"
                    + " is named is trained by all backends.")
    private List<String> only = List.of();

    @Option(
            names = "--backends",
            paramLabel = "NAME",
            split = ",",
            description = "Compare only these. Default: all that are on the class path.")
    private List<String> backends = List.of();

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            description = "Numbers of threads to measure with. Default: 1,2, or 1 with --quick.")
    private List<Integer> threads = List.of();

    /** Creates the command; for {@link java.util.ServiceLoader}. */
    public BenchCommand() {}

    @Override
    public Integer call() throws IOException {
        int count = Require.atLeast(forks == null ? quick ? 1 : 3 : forks, 1, "forks");
        Effort effort = quick ? Effort.quick(count) : Effort.full(count);
        checkAmong("only", only, Plan.names());
        Plan plan = Plan.of(only, chosenBackends(), chosenThreads(), ChildJvm.simdAvailable());
        createFolder();
        PrintWriter console = spec.commandLine().getOut();
        BenchmarkReport report = new BenchmarkRun(plan, effort)
                .run(
                        line -> {
                            console.println(line);
                            console.flush();
                        },
                        sofar -> sofar.write(out));
        console.println();
        console.print(new ReportPage(report).markdown());
        console.println();
        console.println("Results: " + out);
        console.flush();
        return 0;
    }

    private List<PpoBackend> chosenBackends() {
        List<PpoBackend> all = Backends.all();
        checkAmong("backends", backends, all.stream().map(PpoBackend::name).toList());
        return all.stream()
                .filter(backend -> backends.isEmpty() || backends.contains(backend.name()))
                .toList();
    }

    private List<Integer> chosenThreads() {
        threads.forEach(
                number -> Require.that(number >= 1 && number <= 1024, "threads", "must be in [1, 1024]", number));
        return threads.isEmpty()
                ? quick ? List.of(1) : List.of(1, 2)
                : threads.stream().distinct().toList();
    }

    private static void checkAmong(String option, List<String> chosen, List<String> there) {
        for (String name : chosen) {
            Require.that(there.contains(name), option, "must be among " + String.join(", ", there), name);
        }
    }

    private void createFolder() throws IOException {
        Require.that(!Files.exists(out) || Files.isDirectory(out), "out", "must be a folder", out);
        Files.createDirectories(out);
    }
}
