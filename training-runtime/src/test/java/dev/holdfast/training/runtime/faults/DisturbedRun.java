package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.RunFiles;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.Recovery;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** A run that saves whenever it can, to be disturbed and compared with one that nobody has disturbed. */
final class DisturbedRun {
    /** Of an iteration: 8 steps of 2 environments. */
    static final int SAMPLES = 16;

    private static final int ENVS = 2;

    private final Path model;
    private final long timesteps;
    private final Map<String, String> options = new LinkedHashMap<>();

    DisturbedRun(Path folder, long timesteps) {
        model = folder.resolve("q3.zip");
        this.timesteps = timesteps;
        option("env", "Drift-v0");
        option("env_args", "masked=true");
        option("seed", "7");
        option("timesteps", Long.toString(timesteps));
        option("envs", Integer.toString(ENVS));
        option("rollout_steps", Integer.toString(SAMPLES / ENVS));
        option("batch_size", "8");
        option("n_epochs", "2");
        option("net_arch", "8");
        option("learning_rate", "linear(0.003)");
        option("normalize_observation", "true");
        option("normalize_reward", "true");
        option("eval_every", Integer.toString(2 * SAMPLES));
        option("eval_episodes", "2");
        option("recovery_every", "1");
        option("checkpoint_every", "1");
        option("checkpoint_keep", "2");
        option("tensorboard", "false");
        option("worker_jvm_options", mark());
    }

    DisturbedRun option(String key, String value) {
        options.put(key, value);
        return this;
    }

    Path folder() {
        return model.getParent();
    }

    /** Asserts that it has come to the same end as another one, byte for byte, and has recorded everything on its way once. */
    void assertSameAs(DisturbedRun other) throws IOException {
        assertEachIterationOnce();
        assertThat(RunFiles.monitors(model)).isEqualTo(RunFiles.monitors(other.model));
        assertThat(Files.readAllBytes(model)).isEqualTo(Files.readAllBytes(other.model));
    }

    /** Asserts that the steps in progress.csv rise by those of an iteration, up to the end. */
    void assertEachIterationOnce() throws IOException {
        List<String> rows = Files.readAllLines(model.resolveSibling("progress.csv"));
        int column = Arrays.asList(rows.get(0).split(",", -1)).indexOf("time/total_timesteps");
        assertThat(rows.stream().skip(1).map(row -> Long.parseLong(row.split(",", -1)[column])))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, timesteps / SAMPLES)
                        .mapToObj(iteration -> iteration * SAMPLES)
                        .toList());
    }

    Recovery recover() {
        return new CheckpointDirectory(model, Clock.systemUTC()).recover();
    }

    private String mark() {
        return "-Drun=" + model;
    }

    /** Returns the processes that have to do with this run, a worker that is only about to start among them. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(mark()))
                .toList();
    }

    /** Begins in a JVM of its own, or goes on if there is something to go on from. */
    ChildTrainer start(List<String> jvmOptions) throws IOException {
        List<String> arguments = new ArrayList<>();
        if (recover().canResume()) {
            arguments.addAll(List.of("resume", folder().toString()));
        } else {
            arguments.addAll(List.of("train", "--model", model.toString()));
            options.forEach((key, value) -> arguments.add(flag(key) + "=" + value));
        }
        arguments.addAll(List.of("--progress-json", "--verbose=0"));
        return ChildTrainer.start(jvmOptions, arguments);
    }

    private static String flag(String key) {
        return key.equals("env_args")
                ? "--env-arg"
                : Fields.named(key).orElseThrow().flag();
    }

    /** Goes on to the planned end in this JVM; from the beginning if there is nothing to go on from. */
    TrainingResult finish() {
        TrainingConfig.Builder config = TrainingConfig.builder().set(Fields.MODEL, Optional.of(model));
        if (recover().canResume()) {
            config.set(Fields.RESUME, true);
        } else {
            options.forEach(config::text);
        }
        return Trainer.of(config.build()).build().train();
    }
}
