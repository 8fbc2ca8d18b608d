package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.ConfigField.Kind;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a trainer: a list of arguments, which no shell sees. */
final class TrainerCommand {
    private static final String MAIN = "dev.holdfast.training.runtime.cli.Holdfast";

    /** Debuggers and agents listen to this JVM; a second one could not use the same port or file. */
    private static final List<String> NOT_INHERITED =
            List.of("-agentlib", "-agentpath", "-javaagent", "-Xrun", "-Xdebug");

    private TrainerCommand() {}

    /** {@code holdfast train} on this JVM's Java, class path and options. */
    static List<String> ofThisProgram() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> NOT_INHERITED.stream().noneMatch(option::startsWith))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, "train"));
        return List.copyOf(command);
    }

    /** The options for the fields that are given. */
    static List<String> options(TrainingConfig config) {
        List<String> options = new ArrayList<>();
        for (ConfigField<?> field : Fields.ALL) {
            if (!config.isGiven(field)) {
                continue;
            }
            String text = config.text(field);
            if (field.kind() == Kind.PAIRS) {
                text.lines().forEach(pair -> options.addAll(List.of("--env-arg", pair)));
            } else if (field.kind() == Kind.FLAG) {
                options.add(text.equals("true") ? field.flag() : field.flag() + "=" + text);
            } else {
                options.addAll(List.of(field.flag(), text));
            }
        }
        return options;
    }
}
