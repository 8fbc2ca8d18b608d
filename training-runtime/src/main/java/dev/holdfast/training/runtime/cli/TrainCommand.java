package dev.holdfast.training.runtime.cli;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.Evaluation;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.Recovery;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.ConfigField.Kind;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.MetricSinks;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code holdfast train}. Its options come from {@link Fields}, one a field. */
@Command(
        name = "train",
        description = "Trains a policy, or goes on training one. Ctrl+C stops and saves; --resume goes on from there.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class TrainCommand implements Callable<Integer> {
    private static final String ENV_ARG = "--env-arg";

    @ParentCommand
    private Holdfast holdfast;

    @Spec
    private CommandSpec spec;

    /** Adds the options; picocli can't be told of them by annotations, which would be a second declaration. */
    static void addOptions(CommandSpec spec, Collection<ConfigField<?>> fields) {
        for (ConfigField<?> field : fields) {
            OptionSpec.Builder option = OptionSpec.builder(field.flag())
                    .description(describe(field))
                    .type(String.class);
            if (field.kind() == Kind.FLAG) {
                option.arity("0..1").fallbackValue("true").paramLabel("true|false");
            } else if (field.kind() == Kind.PAIRS) {
                option = OptionSpec.builder(ENV_ARG)
                        .description(describe(field))
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("NAME=VALUE");
            } else {
                option.arity("1").paramLabel(label(field));
            }
            spec.addOption(option.build());
        }
    }

    private static String label(ConfigField<?> field) {
        return field.kind() == Kind.CHOICE
                ? String.join("|", field.choices())
                : field.kind().name();
    }

    private static <T> String describe(ConfigField<T> field) {
        String defaultText = field.format(field.defaultValue());
        boolean obvious = field.range().isEmpty()
                || field.kind() == Kind.CHOICE
                || field.kind() == Kind.FLAG
                || field.kind() == Kind.PAIRS;
        return (field.help()
                        + (obvious ? "" : " (" + field.range() + ")")
                        + (defaultText.isEmpty() || defaultText.equals("custom")
                                ? ""
                                : " Default: " + defaultText + "."))
                .replace("%", "%%");
    }

    @Override
    public Integer call() {
        return train(config(spec.commandLine().getParseResult()), holdfast, spec);
    }

    /** Trains and reports, as a command of its own does. */
    static int train(TrainingConfig config, Holdfast holdfast, CommandSpec spec) {
        PrintStream out = System.out;
        Trainer.Builder trainer = Trainer.of(config).control(holdfast.control());
        if (config.get(Fields.PROGRESS_JSON)) {
            trainer.sink(MetricSinks.progressEvents(out));
        }
        Path model = config.get(Fields.MODEL).orElseThrow();
        if (config.get(Fields.VERBOSE) > 0) {
            MetricSink table = MetricSinks.console(out);
            boolean all = config.get(Fields.VERBOSE) > 1 || config.get(Fields.PROGRESS_JSON);
            trainer.sink(new FirstRecord(() -> out.println("Run folder: " + model.getParent())));
            trainer.sink(all ? table : new ThrottledSink(table, System::nanoTime));
        }
        try {
            report(trainer.build().train(), out);
            return 0;
        } catch (InvalidConfigurationException e) {
            throw e;
        } catch (HoldfastException e) {
            try {
                Recovery recovery = new CheckpointDirectory(model, Clock.systemUTC()).recover();
                if (recovery.canResume()) {
                    spec.commandLine()
                            .getErr()
                            .println("holdfast: to go on from step " + recovery.timesteps() + ": " + resume(model));
                }
            } catch (HoldfastException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private static void report(TrainingResult result, PrintStream out) {
        Evaluation evaluation = result.evaluation();
        out.printf(
                Locale.ROOT,
                "%s after %,d steps.%s%n",
                result.isFinished() ? "Finished" : "Stopped (" + result.stoppedBy() + ") and saved",
                result.timesteps(),
                evaluation == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                " Mean return over %d episodes: %.1f +/- %.1f",
                                evaluation.episodes(),
                                evaluation.meanReturn(),
                                evaluation.stdReturn()));
        if (!result.workerLosses().isEmpty()) {
            out.println("Workers replaced: " + result.workerLosses().size() + ", the last one since "
                    + result.workerLosses().get(result.workerLosses().size() - 1));
        }
        String model = quoted(result.model());
        out.println("Model: " + model);
        if (result.isFinished()) {
            out.println("  play it:       " + command() + " enjoy " + model);
            out.println("  look into it:  " + command() + " inspect " + model);
            out.println("  train longer:  " + resume(result.model()) + " --timesteps " + 2 * result.timesteps());
        } else {
            out.println("  go on:         " + resume(result.model()));
        }
    }

    private static String resume(Path model) {
        return command() + " train --resume --model " + quoted(model);
    }

    /** What the user typed; the launcher knows. */
    private static String command() {
        return quoted(System.getProperty("holdfast.command", "holdfast"));
    }

    /** As a POSIX shell reads it. */
    private static String quoted(Path path) {
        Path here = Path.of("").toAbsolutePath();
        return quoted(path.startsWith(here) ? here.relativize(path).toString() : path.toString());
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._/+:,@%-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Sets the fields whose options were given. */
    static void setOptions(CommandLine.ParseResult parsed, TrainingConfig.Builder builder) {
        for (ConfigField<?> field : Fields.ALL) {
            if (field.kind() == Kind.PAIRS) {
                List<String> pairs = parsed.matchedOptionValue(ENV_ARG, List.of());
                if (!pairs.isEmpty()) {
                    builder.text(field.key(), String.join("\n", pairs));
                }
                continue;
            }
            String value = parsed.matchedOptionValue(field.flag(), (String) null);
            if (value != null) {
                builder.text(field.key(), value);
            }
        }
    }

    private TrainingConfig config(CommandLine.ParseResult parsed) {
        TrainingConfig.Builder builder = TrainingConfig.builder();
        setOptions(parsed, builder);
        TrainingConfig config = builder.build();
        if (!config.get(Fields.RESUME) && !config.isGiven(Fields.ENV)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "env must be given: --env NAME, one of those that `holdfast envs` lists");
        }
        if (config.get(Fields.RESUME) && config.get(Fields.MODEL).isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "resume needs model: --model FILE says which run to go on with");
        }
        return config.get(Fields.MODEL).isPresent()
                ? config
                : config.toBuilder()
                        .set(
                                Fields.MODEL,
                                Optional.of(CheckpointDirectory.freeModel(Path.of("runs"), config.get(Fields.ENV))))
                        .build();
    }

    /** Does something once, when the first record comes: only then has a run really begun. */
    private static final class FirstRecord implements MetricSink {
        private final Runnable action;
        private boolean done;

        FirstRecord(Runnable action) {
            this.action = action;
        }

        @Override
        public void record(MetricRecord record) {
            if (!done) {
                done = true;
                action.run();
            }
        }
    }
}
