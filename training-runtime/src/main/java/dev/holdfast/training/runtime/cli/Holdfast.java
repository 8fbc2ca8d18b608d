package dev.holdfast.training.runtime.cli;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.config.Fields;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;

/** The {@code holdfast} command. */
@Command(
        name = "holdfast",
        description = "Trains reinforcement-learning policies in the JVM and never loses a run.",
        mixinStandardHelpOptions = true,
        versionProvider = Holdfast.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TrainCommand.class,
            ResumeCommand.class,
            EnjoyCommand.class,
            InspectCommand.class,
            BackendsCommand.class,
            EnvsCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Holdfast {
    private static final Logger LOG = LoggerFactory.getLogger(Holdfast.class);

    private Holdfast() {}

    /**
     * Runs the command and ends the JVM with its exit code: 0 for success (a stopped and saved run is one), 1 for a failed run, 2
     * for wrong usage.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /**
     * Makes the command line, with the subcommands that other modules on the class path add ({@link Subcommand}).
     *
     * @return ready to execute
     */
    public static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Holdfast());
        for (CommandLine subcommand : commandLine.getSubcommands().values()) {
            CommandSpec spec = subcommand.getCommandSpec();
            if (spec.userObject() instanceof TrainCommand) {
                TrainCommand.addOptions(spec, Fields.ALL);
            } else if (spec.userObject() instanceof ResumeCommand) {
                TrainCommand.addOptions(spec, ResumeCommand.fields());
            }
        }
        ServiceLoader.load(Subcommand.class).forEach(commandLine::addSubcommand);
        commandLine.getSubcommands().values().forEach(Holdfast::configure);
        configure(commandLine);
        return commandLine;
    }

    private static void configure(CommandLine commandLine) {
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setExecutionExceptionHandler((exception, command, parsed) -> {
            boolean expected = exception instanceof HoldfastException;
            command.getErr().println("holdfast: " + (expected ? exception.getMessage() : exception.toString()));
            if (expected) {
                LOG.debug("the command failed", exception);
            } else {
                LOG.error("the command failed in a way that it should not", exception);
            }
            return exception instanceof InvalidConfigurationException
                    ? CommandLine.ExitCode.USAGE
                    : CommandLine.ExitCode.SOFTWARE;
        });
        commandLine.setParameterExceptionHandler((exception, args) -> {
            CommandLine command = exception.getCommandLine();
            command.getErr().println("holdfast: " + exception.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(exception, command.getErr());
            command.getErr().println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
            return CommandLine.ExitCode.USAGE;
        });
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Holdfast.class.getPackage().getImplementationVersion();
            return new String[] {"holdfast " + (version == null ? "(not packaged)" : version)};
        }
    }
}
