package dev.holdfast.training.runtime.cli;

import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.EnvironmentProvider.ConfigProfile;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Parameter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "envs",
        description = "Lists the environments on the class path with their parameters, problems, stages and profiles.",
        mixinStandardHelpOptions = true)
final class EnvsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<EnvironmentProvider> providers = Environments.all();
        if (providers.isEmpty()) {
            out.println("There is no environment on the class path; a module adds one by META-INF/services/"
                    + EnvironmentProvider.class.getName() + ".");
        }
        for (EnvironmentProvider provider : providers) {
            out.println(provider.name() + "  " + provider.description());
            for (Parameter parameter : provider.parameters()) {
                out.println("  --env-arg " + parameter.name() + "=" + parameter.defaultValue() + "  " + range(parameter)
                        + parameter.description());
            }
            numbered(out, "--problem", provider.problems());
            numbered(out, "--stage", provider.stages());
            if (provider.rewardProfiles().size() > 1) {
                out.println("  --reward-profile one of " + provider.rewardProfiles());
            }
            for (ConfigProfile profile : provider.configProfiles()) {
                out.println("  --config-profile " + profile.name() + "  " + profile.description() + " "
                        + new TreeMap<>(profile.settings()));
            }
        }
        return 0;
    }

    private static String range(Parameter parameter) {
        return switch (parameter.type()) {
            case INTEGER -> String.format(Locale.ROOT, "(%.0f to %.0f) ", parameter.low(), parameter.high());
            case NUMBER -> "(" + parameter.low() + " to " + parameter.high() + ") ";
            case CHOICE -> parameter.choices() + " ";
            case BOOLEAN, TEXT -> "";
        };
    }

    private static void numbered(PrintWriter out, String flag, List<String> lines) {
        if (lines.size() > 1) {
            for (int i = 0; i < lines.size(); i++) {
                out.println("  " + flag + " " + (i + 1) + "  " + lines.get(i));
            }
        }
    }
}
