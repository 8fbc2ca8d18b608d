package dev.holdfast.training.runtime.cli;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.control.RunControl;
import java.util.ServiceLoader;
import java.util.Set;
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

    /** The commands that a signal asks to stop and save; it ends the others. */
    private static final Set<String> STOPPABLE = Set.of("train", "resume");

    private final RunControl control;

    private Holdfast(RunControl control) {
        this.control = control;
    }

    /**
     * Runs the command and ends the JVM with its exit code: 0 for success (a stopped and saved run is one), 1 for a failed run, 2
     * for wrong usage.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        RunControl control = new RunControl();
        if (args.length > 0 && STOPPABLE.contains(args[0])) {
            // First of all: the rest of the start takes longer than that of the JVM.
            Signals.install(control, message -> System.err.println("holdfast: " + message));
        }
        System.exit(commandLine(control).execute(args));
    }

    /**
     * Makes the command line, with the subcommands that other modules on the class path add ({@link Subcommand}). It leaves signals
     * alone: only {@link #main} handles them.
     *
     * @return ready to execute
     */
    public static CommandLine commandLine() {
        return commandLine(new RunControl());
    }

    private static CommandLine commandLine(RunControl control) {
        CommandLine commandLine = new CommandLine(new Holdfast(control));
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

    /** Stops and pauses the run of the command. */
    RunControl control() {
        return control;
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
