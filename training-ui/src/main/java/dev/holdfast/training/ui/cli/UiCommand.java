package dev.holdfast.training.ui.cli;

import dev.holdfast.rl.api.Require;
import dev.holdfast.training.runtime.cli.Subcommand;
import dev.holdfast.training.runtime.job.ConfigSchema;
import dev.holdfast.training.runtime.job.DemoJobs;
import dev.holdfast.training.runtime.job.StateQuery;
import dev.holdfast.training.runtime.job.TrainingJobs;
import dev.holdfast.training.runtime.json.JsonText;
import dev.holdfast.training.ui.TrainingPage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast ui}. */
@Command(
        name = "ui",
        description = "Serves a page on this machine that starts, watches and controls training runs. They outlive it.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class UiCommand implements Subcommand {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--ui-port",
            paramLabel = "PORT",
            defaultValue = "8767",
            description = "The port on 127.0.0.1; 0 takes any that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--outputs",
            paramLabel = "FOLDER",
            defaultValue = "runs",
            description = "Where new runs go, and earlier ones are listed from. Default: ${DEFAULT-VALUE}.")
    private Path outputs;

    @Option(
            names = "--lang",
            paramLabel = "LANGUAGE",
            description = "en or zh-CN for all texts. Default: what the browser asks for.")
    private @Nullable String language;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "How long a run that was told to stop may take to save before it is killed. Default: ${DEFAULT-VALUE}.")
    private int grace;

    @Option(names = "--print-schema", description = "Prints what can be configured as JSON, and ends.")
    private boolean printSchema;

    @Option(
            names = "--print-preview",
            paramLabel = "SCENARIO",
            arity = "0..1",
            fallbackValue = "healthy",
            completionCandidates = Scenarios.class,
            description = "Prints a demo job as JSON, and ends. One of: ${COMPLETION-CANDIDATES}.")
    private @Nullable String preview;

    /** What picocli shows in the help. */
    private static final class Scenarios implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return DemoJobs.SCENARIOS.iterator();
        }
    }

    /** Made by the service loader. */
    public UiCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Require.that(port >= 0 && port <= 65_535, "--ui-port", "must be in [0, 65535]", port);
        Require.that(grace >= 0, "--grace", "must be at least 0", grace);
        Locale locale = locale();
        if (printSchema) {
            out.println(JsonText.write(ConfigSchema.describe()));
            return 0;
        } else if (preview != null) {
            StateQuery query = StateQuery.DEFAULT.in(locale == null ? Locale.ENGLISH : locale);
            out.println(JsonText.write(Map.of("job", DemoJobs.snapshot(preview, query))));
            return 0;
        }
        try (TrainingJobs jobs = TrainingJobs.in(outputs)
                        .grace(Duration.ofSeconds(grace))
                        .open();
                TrainingPage page = new TrainingPage(jobs, port, locale)) {
            out.println("Training page: " + page.startUri());
            out.println("Runs go to " + outputs.toAbsolutePath().normalize()
                    + ". Ctrl+C closes the page; a run goes on, and is found again.");
            out.flush();
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private @Nullable Locale locale() {
        if (language == null) {
            return null;
        }
        Locale locale = Locale.forLanguageTag(language);
        Require.that(
                locale.getLanguage().equals("en") || locale.getLanguage().equals("zh"),
                "--lang",
                "must be en or zh-CN",
                language);
        return locale;
    }
}
