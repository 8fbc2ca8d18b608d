package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.environments.jobshop.Instances;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.examples.environments.jobshop.Schedule;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.training.runtime.cli.Subcommand;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast gantt}: schedules a public job-shop instance by a saved policy and draws the schedule. */
@Command(
        name = "gantt",
        description = "Schedules a public job-shop instance by a saved policy and draws the schedule as a Gantt chart.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class GanttCommand implements Subcommand {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MODEL", description = "The archive of a model of the environment job-shop.")
    private Path model;

    @Option(names = "--instance", description = "The instance's name. Default: ${DEFAULT-VALUE}.")
    private String instance = "ft06";

    @Option(
            names = "--samples",
            description =
                    "Draw the best of so many schedules whose jobs are drawn by their probability; 0 takes the most"
                            + " probable ones. Default: ${DEFAULT-VALUE}.")
    private int samples;

    @Option(names = "--seed", description = "Fixes the samples. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where the chart goes, .svg or .png; replaced if it is there. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("gantt.svg");

    /** Creates the command; for {@link java.util.ServiceLoader}. */
    public GanttCommand() {}

    @Override
    public Integer call() throws IOException {
        JobShopInstance chosen = Instances.all().get(instance);
        if (chosen == null) {
            throw new InvalidConfigurationException(
                    "instance must be the name of a public instance, but was " + instance);
        }
        Require.atLeast(samples, 0, "samples");
        Play play = Play.of(model);
        Schedule schedule = samples == 0 ? play.greedy(chosen) : play.bestOf(samples, chosen, seed);
        String text = GanttChart.title(chosen, schedule);
        new GanttChart(text, schedule).write(out);
        spec.commandLine().getOut().println(text + "; drawn to " + out);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
