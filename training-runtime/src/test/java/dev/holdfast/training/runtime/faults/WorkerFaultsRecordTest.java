package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.cli.Holdfast;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.RunEvent;
import dev.holdfast.training.runtime.vector.Mischief;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What a run knows, saves and writes of episodes whose worker was lost. Every fault falls into a step that was chosen for it. */
class WorkerFaultsRecordTest {
    private static final long SEED = 5;
    private static final int ENVIRONMENTS = 4;

    @TempDir
    private Path folder;

    private Mischief mischief;

    @BeforeEach
    void mischief() throws IOException {
        mischief = new Mischief(Files.createDirectory(folder.resolve("mischief")));
    }

    private TrainingConfig.Builder config(String environment, String name) {
        return TrainingConfig.builder()
                .set(Fields.ENV, environment)
                .set(
                        Fields.ENV_ARGS,
                        Map.of("folder", folder.resolve("mischief").toString()))
                .set(Fields.MODEL, Optional.of(model(name)))
                .set(Fields.SEED, SEED)
                .set(Fields.ENVS, ENVIRONMENTS)
                .set(Fields.VEC_ENV, "process")
                .set(Fields.WORKER_JVM_OPTIONS, "-XX:TieredStopAtLevel=1")
                .set(Fields.TIMESTEPS, 1280L)
                .set(Fields.ROLLOUT_STEPS, 32)
                .set(Fields.BATCH_SIZE, 64)
                .set(Fields.N_EPOCHS, 2)
                .set(Fields.NET_ARCH, List.of(8))
                .set(Fields.EVAL_EPISODES, 0)
                .set(Fields.TENSORBOARD, false);
    }

    private Path model(String name) {
        return folder.resolve(name).resolve("m.zip");
    }

    private static TrainingResult train(TrainingConfig.Builder config, MetricSink... sinks) {
        Trainer.Builder trainer = Trainer.of(config.build());
        for (MetricSink sink : sinks) {
            trainer.sink(sink);
        }
        return trainer.build().train();
    }

    private TrainingResult resume(String name) {
        return train(TrainingConfig.builder()
                .set(Fields.MODEL, Optional.of(model(name)))
                .set(Fields.RESUME, true));
    }

    /** Returns the seed that an environment would begin an episode with, counted from 0. */
    private static long seedOf(long seed, int environment, int episode) {
        RandomStream seeds = new RandomStream(0);
        seeds.restore(new RandomStream(seed, "environment-" + environment).state());
        for (int i = 0; i < episode; i++) {
            seeds.nextLong();
        }
        return seeds.nextLong();
    }

    @ParameterizedTest(name = "{0} environment(s) a worker, normalized {1}")
    @CsvSource({"1,false", "2,false", "1,true", "2,true"})
    @DisplayName(
            "an episode ends as a truncation at the last good step; beyond the bound the run saves, and can be resumed")
    void truncation(int each, boolean normalized) throws IOException {
        // In an environment that counts its steps, with episodes of 10. Environment 2 is lost in the 4th step of its
        // second
        // episode, and in the 8th of the one after; the seed in between is left out.
        mischief.plan(seedOf(SEED, 2, 1), 4, "throws");
        mischief.plan(seedOf(SEED, 2, 3), 8, "exits");
        TrainingConfig.Builder config = config("Mischief-v0", "run")
                .set(
                        Fields.ENV_ARGS,
                        Map.of("folder", folder.resolve("mischief").toString(), "length", "10"))
                .set(Fields.WORKER_ENVS, each)
                .set(Fields.WORKER_RESTARTS, 1)
                .set(Fields.NORMALIZE_OBSERVATION, normalized)
                .set(Fields.NORMALIZE_REWARD, normalized);
        assertThatThrownBy(() -> train(config))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("worker 2 (process ")
                .hasMessageContaining("exit code 3; its last lines of standard error: about to exit")
                .hasMessageContaining("replaced 1 times within 10 minutes, as often as worker_restarts allows");
        assertThat(mischief.taken()).hasSize(2);

        JsonNode failure = new ObjectMapper()
                .readTree(folder.resolve("run/training_failure.json").toFile());
        assertThat(failure.required("error").textValue()).contains("exit code 3");
        assertThat(failure.required("environment").intValue()).isEqualTo(2);
        // 13 steps, the lost one taken again, and 7 more.
        assertThat(failure.required("timesteps").intValue()).isEqualTo(20 * ENVIRONMENTS);
        assertThat(failure.required("can_resume").booleanValue()).isTrue();
        Checkpoint saved = load("run/" + failure.required("last_checkpoint").textValue());
        assertThat(saved.progress().phase()).isEqualTo(Phase.COLLECT);
        assertThat(saved.progress().step()).isEqualTo(20);

        Rollout rollout = new Rollout(saved);
        for (int environment = 0; environment < ENVIRONMENTS; environment++) {
            boolean lost = environment == 2 || (environment == 3 && each == 2);
            assertThat(rollout.starts(13, environment)).isEqualTo(lost);
            assertThat(rollout.starts(12, environment) || rollout.starts(14, environment))
                    .isFalse();
            // Environment 0 goes through the same observations, and is never lost.
            for (int step = 0; step < 13; step++) {
                assertThat(rollout.observation(step, environment)).isEqualTo(rollout.observation(step, 0));
            }
            float reward = rollout.action(12, environment) * rollout.unitReward(12);
            float bootstrap = lost ? (float) (0.99 * rollout.value(13, 0)) : 0;
            assertThat(rollout.reward(12, environment)).isEqualTo(reward + bootstrap);
            if (!normalized) {
                assertThat(rollout.observation(12, environment)).isEqualTo(2);
                assertThat(rollout.observation(13, environment)).isEqualTo(lost ? 0 : 3);
                assertThat(rollout.observation(19, environment)).isEqualTo(lost ? 6 : 9);
            }
        }
        assertThat(lengths("run", 0)).containsExactly(10, 10);
        assertThat(lengths("run", 2))
                .as("an episode that was lost is no episode")
                .containsExactly(10);
        assertThat(lengths("run", 3)).hasSize(each == 2 ? 1 : 2);
        assertThat(returns("run", 2)).containsExactly(rollout.actions(0, 10, 2));

        TrainingResult resumed = resume("run");
        assertThat(resumed.isFinished()).isTrue();
        assertThat(resumed.timesteps()).isEqualTo(1280);
        assertThat(resumed.workerLosses()).isEmpty();
        assertThat(folder.resolve("run/training_failure.json")).doesNotExist();
        assertThat(load("run/m.zip").environments())
                .allSatisfy(state -> assertThat(state.steps()).isEqualTo(320));
        for (int environment = 0; environment < ENVIRONMENTS; environment++) {
            // All were cut after 20 steps, and have taken 300 more.
            assertThat(lengths("run", environment)).containsOnly(10).hasSizeGreaterThanOrEqualTo(30);
        }
        assertThat(Files.readAllLines(folder.resolve("run/progress.csv"))).hasSize(1 + 10);
    }

    private Checkpoint load(String file) {
        return new ZipCheckpointStore().load(folder.resolve(file));
    }

    private List<Integer> lengths(String run, int environment) throws IOException {
        return monitor(run, environment).stream()
                .map(row -> Integer.valueOf(row[1]))
                .toList();
    }

    private List<Float> returns(String run, int environment) throws IOException {
        return monitor(run, environment).stream()
                .map(row -> Float.valueOf(row[0]))
                .toList();
    }

    private List<String[]> monitor(String run, int environment) throws IOException {
        return Files.readAllLines(folder.resolve(run).resolve("m_env" + environment + ".monitor.csv")).stream()
                .skip(2)
                .map(line -> line.split(",", -1))
                .toList();
    }

    /** The half-filled rollout of a checkpoint. */
    private static final class Rollout {
        private final float[] observations;
        private final float[] rewards;
        private final float[] values;
        private final float[] actions;
        private final boolean[] starts;

        Rollout(Checkpoint checkpoint) {
            observations = tensor(checkpoint, "observations").floats();
            rewards = tensor(checkpoint, "rewards").floats();
            values = tensor(checkpoint, "values").floats();
            actions = tensor(checkpoint, "actions").floats();
            starts = tensor(checkpoint, "episode_starts").booleans();
        }

        private static Tensor tensor(Checkpoint checkpoint, String name) {
            return checkpoint.rollout().stream()
                    .filter(tensor -> tensor.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private static int row(int step, int environment) {
            return step * ENVIRONMENTS + environment;
        }

        float observation(int step, int environment) {
            return observations[row(step, environment)];
        }

        float reward(int step, int environment) {
            return rewards[row(step, environment)];
        }

        float value(int step, int environment) {
            return values[row(step, environment)];
        }

        float action(int step, int environment) {
            return actions[row(step, environment)];
        }

        boolean starts(int step, int environment) {
            return starts[row(step, environment)];
        }

        /** What action 1 pays in a step, of environments that go on. */
        float unitReward(int step) {
            int rewarded = action(step, 0) == 1 ? 0 : 1;
            assertThat(action(step, rewarded))
                    .as("an action to compare with, seed %d", SEED)
                    .isEqualTo(1);
            return reward(step, rewarded);
        }

        float actions(int from, int to, int environment) {
            float sum = 0;
            for (int step = from; step < to; step++) {
                sum += action(step, environment);
            }
            return sum;
        }
    }

    @Test
    @DisplayName("the command ends with exit code 1, and holdfast resume goes on")
    void exitCode() throws IOException {
        String run = folder.resolve("run").toString();
        String[] train = {
            "train",
            "--env",
            "Corridor-v0",
            "--env-arg",
            "folder=" + folder.resolve("mischief"),
            "--vec-env",
            "process",
            "--envs",
            "2",
            "--worker-envs",
            "2",
            "--worker-restarts",
            "0",
            "--rollout-steps",
            "32",
            "--batch-size",
            "32",
            "--timesteps",
            "256",
            "--eval-episodes",
            "0",
            "--verbose",
            "0",
            "--model",
            run + "/m.zip"
        };
        mischief.plan("step", "halts");
        StringWriter errors = new StringWriter();
        CommandLine command = Holdfast.commandLine().setErr(new PrintWriter(errors, true));
        assertThat(command.execute(train)).isEqualTo(1);
        assertThat(errors.toString())
                .contains("holdfast: worker 0 (process ")
                .contains("exit code 4; worker_restarts is 0");
        assertThat(folder.resolve("run/training_failure.json")).exists();
        assertThat(Holdfast.commandLine().execute("resume", run, "--verbose", "0"))
                .isZero();
        assertThat(folder.resolve("run/training_failure.json")).doesNotExist();
        assertThat(load("run/m.zip").progress().timesteps()).isEqualTo(256);
    }

    @Test
    @DisplayName("a worker that is lost while the run saves, and can't be replaced, costs no step")
    void lostWhileSaving() throws IOException {
        List<Long> reported = new ArrayList<>();
        TrainingConfig.Builder config =
                config("Corridor-v0", "run").set(Fields.WORKER_RESTARTS, 0).set(Fields.RECOVERY_EVERY, 256L);
        assertThatThrownBy(() -> train(config, record -> {
                    reported.add(record.timesteps());
                    if (record.timesteps() == 256) {
                        mischief.plan("save", "halts");
                    }
                }))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("exit code 4; worker_restarts is 0");
        assertThat(reported).containsExactly(128L, 256L);
        JsonNode failure = new ObjectMapper()
                .readTree(folder.resolve("run/training_failure.json").toFile());
        assertThat(failure.required("timesteps").intValue()).isEqualTo(256);
        assertThat(load("run/" + failure.required("last_checkpoint").textValue())
                        .progress()
                        .timesteps())
                .isEqualTo(256);
        assertThat(resume("run").timesteps()).isEqualTo(1280);
    }

    @Test
    @DisplayName("a stop saves the run though a worker is lost by it")
    void lostWhileStopping() {
        RunControl control = new RunControl();
        TrainingResult stopped = Trainer.of(config("Corridor-v0", "run")
                        .set(Fields.WORKER_RESTARTS, 0)
                        .build())
                .control(control)
                .sink(record -> {
                    mischief.plan("save", "throws" + record.timesteps());
                    mischief.plan("close", "hangs" + record.timesteps());
                    control.requestStop("test");
                })
                .build()
                .train();
        assertThat(stopped.stoppedBy()).isEqualTo("test");
        assertThat(mischief.taken()).hasSize(2);
        assertThat(load("run/m.zip").environments().stream().filter(state -> state.state() == null))
                .as("of the lost worker alone")
                .hasSize(1);
        assertThat(resume("run").timesteps()).isEqualTo(1280);
    }

    @Test
    @DisplayName("an evaluation whose worker is lost gives what it would have given")
    void lostWhileEvaluating() throws IOException {
        TrainingConfig.Builder config =
                config("Corridor-v0", "whole").set(Fields.EVAL_EPISODES, 3).set(Fields.EVAL_EVERY, 256L);
        TrainingResult whole = train(config);
        List<Map<String, Object>> told = new ArrayList<>();
        MetricSink sink = new MetricSink() {
            @Override
            public void record(MetricRecord record) {
                if (record.timesteps() == 384) {
                    // In the second episode of the next evaluation.
                    mischief.plan(seedOf(new RandomStream(SEED, "evaluation").nextLong(), 0, 1), 3, "halts");
                }
            }

            @Override
            public void event(RunEvent event) {
                if (event.event().equals("worker_replaced")) {
                    told.add(Map.copyOf(event.details()));
                }
            }
        };
        TrainingResult lost = train(config.set(Fields.MODEL, Optional.of(model("lost"))), sink);
        assertThat(mischief.taken()).hasSize(1);
        assertThat(lost.workerLosses()).singleElement().asString().contains("exit code 4");
        assertThat(told)
                .singleElement()
                .satisfies(details -> assertThat(details)
                        .containsEntry("timesteps", 512L)
                        .containsEntry("reason", lost.workerLosses().get(0)));
        assertThat(lost.evaluation()).isEqualTo(whole.evaluation());
        assertThat(Files.readAllBytes(model("lost"))).isEqualTo(Files.readAllBytes(model("whole")));
    }

    @Test
    @DisplayName(
            "faults in the same steps of the same episodes give the same run, byte for byte, also stopped and resumed")
    void determinism() throws IOException {
        planFaults();
        TrainingResult first = train(config("Corridor-v0", "first").set(Fields.WORKER_ENVS, 2));
        assertThat(first.workerLosses()).hasSize(4);

        planFaults();
        TrainingResult second = train(config("Corridor-v0", "second").set(Fields.WORKER_ENVS, 2));
        assertThat(withoutProcesses(second)).isEqualTo(withoutProcesses(first));
        assertThat(Files.readAllBytes(model("second"))).isEqualTo(Files.readAllBytes(model("first")));
        for (int environment = 0; environment < ENVIRONMENTS; environment++) {
            assertThat(lengths("second", environment)).isEqualTo(lengths("first", environment));
        }

        planFaults();
        RunControl control = new RunControl();
        TrainingResult stopped = Trainer.of(config("Corridor-v0", "third")
                        .set(Fields.WORKER_ENVS, 2)
                        .build())
                .control(control)
                .sink(record -> {
                    if (record.timesteps() == 768) {
                        control.requestStop("test");
                    }
                })
                .build()
                .train();
        assertThat(stopped.workerLosses()).as("all come before the stop").hasSize(4);
        resume("third");
        assertThat(Files.readAllBytes(model("third"))).isEqualTo(Files.readAllBytes(model("first")));
    }

    private void planFaults() {
        mischief.forget();
        mischief.plan(seedOf(SEED, 0, 0), 7, "throws");
        mischief.plan(seedOf(SEED, 2, 1), 0, "throws");
        mischief.plan(seedOf(SEED, 3, 3), 11, "overflows");
        // Of the episode after the one that is left out.
        mischief.plan(seedOf(SEED, 0, 2), 3, "exits");
    }

    private static List<String> withoutProcesses(TrainingResult result) {
        return result.workerLosses().stream()
                .map(reason -> reason.replaceAll("process \\d+", "process"))
                .toList();
    }
}
