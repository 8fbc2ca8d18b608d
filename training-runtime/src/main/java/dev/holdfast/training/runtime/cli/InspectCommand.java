package dev.holdfast.training.runtime.cli;

import dev.holdfast.training.runtime.checkpoint.CheckpointDescription;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "inspect",
        description = "Checks a model or checkpoint and prints what it holds.",
        mixinStandardHelpOptions = true)
final class InspectCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MODEL", description = "The archive.")
    private Path model;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CheckpointDescription description = new CheckpointDescription(new ZipCheckpointStore().load(model));
        if (json) {
            out.println(description.json());
        } else {
            description.lines().forEach(out::println);
        }
        return 0;
    }
}
