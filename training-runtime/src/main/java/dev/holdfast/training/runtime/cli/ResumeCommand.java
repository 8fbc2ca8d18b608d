package dev.holdfast.training.runtime.cli;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.ConfigFile;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code holdfast resume}: {@code train --resume} for somebody who knows nothing but the run's folder. */
@Command(
        name = "resume",
        description = "Goes on with the run in a folder. Options as of train, for what is to change.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ResumeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ResumeCommand.class);

    /** What the folder says, or contradicts going on. */
    private static final List<ConfigField<?>> LEFT_OUT =
            List.of(Fields.MODEL, Fields.RESUME, Fields.FORCE, Fields.INIT);

    @ParentCommand
    private Holdfast holdfast;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FOLDER", description = "The run's folder, which holds config.json.")
    private Path folder;

    /** Returns the fields that are options of this command. */
    static Collection<ConfigField<?>> fields() {
        return Fields.ALL.stream().filter(field -> !LEFT_OUT.contains(field)).toList();
    }

    @Override
    public Integer call() {
        TrainingConfig.Builder builder = TrainingConfig.builder();
        TrainCommand.setOptions(spec.commandLine().getParseResult(), builder);
        TrainingConfig config = builder.set(Fields.RESUME, true)
                .set(Fields.MODEL, Optional.of(model()))
                .build();
        return TrainCommand.train(config, holdfast, spec);
    }

    /** The folder may have been moved: only the model's name counts. */
    private Path model() {
        Path absolute = folder.toAbsolutePath().normalize();
        Path file = absolute.resolve("config.json");
        if (Files.isRegularFile(file)) {
            try {
                Optional<String> model = ConfigFile.modelName(ConfigFile.read(file));
                if (model.isPresent()) {
                    return absolute.resolve(model.get());
                }
            } catch (HoldfastException e) {
                LOG.warn("looked for the names of checkpoints instead: {}", e.getMessage());
            }
        }
        List<Path> models = CheckpointDirectory.modelsIn(absolute);
        if (models.size() != 1) {
            throw new InvalidConfigurationException("FOLDER must be the folder of a run, but " + folder
                    + (models.isEmpty()
                            ? " has no config.json that names a model, and no checkpoint"
                            : " has no config.json that names a model, and checkpoints of several runs: " + models
                                    + "; go on with one of them by train --resume --model"));
        }
        return models.get(0);
    }
}
