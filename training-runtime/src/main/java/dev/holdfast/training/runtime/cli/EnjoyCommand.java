package dev.holdfast.training.runtime.cli;

import dev.holdfast.training.runtime.Evaluation;
import dev.holdfast.training.runtime.PolicyPlayer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "enjoy",
        description = "Plays a saved policy and reports its return. Action masks are always applied.",
        mixinStandardHelpOptions = true)
final class EnjoyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MODEL", description = "The model's archive.")
    private Path model;

    @Option(names = "--episodes", defaultValue = "10", description = "Episodes to play. Default: ${DEFAULT-VALUE}.")
    private int episodes;

    @Option(names = "--seed", defaultValue = "0", description = "Fixes the episodes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--stochastic", description = "Sample actions instead of taking the most probable ones.")
    private boolean stochastic;

    @Option(
            names = "--env-arg",
            paramLabel = "NAME=VALUE",
            description = "A parameter of the environment other than the one that the model was trained with.")
    private Map<String, String> arguments = new LinkedHashMap<>();

    @Override
    public Integer call() {
        Evaluation evaluation = PolicyPlayer.play(model, arguments, episodes, seed, stochastic);
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "%d episodes: mean return %.2f +/- %.2f, mean length %.1f%n",
                        evaluation.episodes(),
                        evaluation.meanReturn(),
                        evaluation.stdReturn(),
                        evaluation.meanLength());
        return 0;
    }
}
