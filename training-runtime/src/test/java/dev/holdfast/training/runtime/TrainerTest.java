package dev.holdfast.training.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import dev.holdfast.training.runtime.metrics.EpisodeRecord;
import dev.holdfast.training.runtime.metrics.Metric;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainerTest {
    @TempDir
    private Path folder;

    private TrainingConfig.Builder config() {
        return TrainingConfig.builder()
                .set(Fields.ENV, "Drift-v0")
                .set(Fields.ENVS, 2)
                .set(Fields.EVAL_EPISODES, 2)
                .set(Fields.TENSORBOARD, false)
                .set(Fields.MODEL, Optional.of(model()));
    }

    private Path model() {
        return folder.resolve("run/q3.zip");
    }

    private static TrainingResult train(TrainingConfig.Builder config) {
        return Trainer.of(config.build()).build().train();
    }

    private JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(folder.resolve("run").resolve(name).toFile());
    }

    /** Name and content of every file of the run. */
    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), new String(Files.readAllBytes(file), ISO_8859_1));
            }
        }
        return files;
    }

    @Test
    void leavesTheFilesOfARun() throws IOException {
        TrainingResult result = train(config());
        assertThat(result.isFinished()).isTrue();
        assertThat(result.timesteps()).isEqualTo(640);
        assertThat(result.evaluation()).isNotNull();
        assertThat(files().keySet())
                .contains(
                        "run/q3.zip",
                        "run/q3.json",
                        "run/q3_env0.monitor.csv",
                        "run/q3_env1.monitor.csv",
                        "run/progress.csv",
                        "run/config.json",
                        "run/resume.json");
        assertThat(json("q3.json").required("timesteps").intValue()).isEqualTo(640);
        assertThat(json("config.json").required("batch_size").textValue()).isEqualTo("32");
        assertThat(new ZipCheckpointStore().load(model()).progress().phase()).isEqualTo(Phase.COLLECT);
    }

    @Test
    @DisplayName("A3 after a resume the metadata has the values of the checkpoint, schedules at their current value")
    void effectiveHyperparameters() throws IOException {
        train(config().set(Fields.LEARNING_RATE, Schedule.linear(1e-3)));
        train(config().set(Fields.RESUME, true)
                .set(Fields.TIMESTEPS, 1280L)
                .set(Fields.ROLLOUT_STEPS, 64)
                .set(Fields.GAMMA, 0.5));
        JsonNode parameters = json("q3.json").required("ppo_hyperparams");
        assertThat(parameters.required("n_steps").intValue()).isEqualTo(32);
        assertThat(parameters.required("gamma").doubleValue()).isEqualTo(0.99);
        assertThat(parameters.required("learning_rate").doubleValue()).isEqualTo(0);
        assertThat(json("q3.json").required("timesteps").intValue()).isEqualTo(1280);
    }

    @Test
    void anExistingRunIsOnlyReplacedByForce() throws IOException {
        train(config());
        Map<String, String> before = files();
        assertThatThrownBy(() -> train(config()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("already exists")
                .hasMessageContaining("--resume")
                .hasMessageContaining("--force");
        assertThat(files()).isEqualTo(before);

        TrainingResult replaced =
                train(config().set(Fields.FORCE, true).set(Fields.SEED, 1L).set(Fields.ENVS, 1));
        assertThat(replaced.timesteps()).isEqualTo(640);
        assertThat(files()).as("of the environment that is no more").doesNotContainKey("run/q3_env1.monitor.csv");
    }

    @ParameterizedTest
    @CsvSource({
        "envs, 3, envs must be the resumed run's '2'",
        "net_arch, '8,8', net_arch must be the resumed run's '8'",
        "stage, 2, stage must be the resumed run's '1'",
        "normalize_reward, true, normalize_reward must be the resumed run's 'false'",
    })
    void aResumedRunRefusesOtherValues(String key, String value, String message) throws IOException {
        train(config());
        Map<String, String> before = files();
        assertThatThrownBy(() -> train(config().set(Fields.RESUME, true).text(key, value)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(message);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aDamagedRunIsNeverSilentlyStartedAnew() throws IOException {
        train(config().set(Fields.CHECKPOINT_EVERY, 320L));
        byte[] whole = Files.readAllBytes(model());
        Files.write(model(), Arrays.copyOf(whole, whole.length / 2));
        Files.delete(folder.resolve("run/checkpoints/q3_ckpt_latest.zip"));

        TrainingResult older = train(config().set(Fields.RESUME, true).set(Fields.TIMESTEPS, 704L));
        assertThat(older.timesteps()).as("from the checkpoint before").isEqualTo(704);

        for (String name : files().keySet()) {
            if (name.endsWith(".zip")) {
                Files.writeString(folder.resolve(name), "garbage");
            }
        }
        Map<String, String> before = files();
        assertThatThrownBy(() -> train(config().set(Fields.RESUME, true)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("there is no complete checkpoint")
                .hasMessageContaining("q3.zip");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aResumedRunRefusesOtherSpaces() throws IOException {
        Environment other = new DriftEnvironment(false, true) {
            @Override
            public Space actionSpace() {
                return new Discrete(4);
            }
        };
        train(config());
        Map<String, String> before = files();
        Trainer trainer = Trainer.of(config().set(Fields.RESUME, true).build())
                .environment(() -> other)
                .build();
        assertThatThrownBy(trainer::train)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(
                        "action_space must be the model's Discrete(3), but the environment's was Discrete(4)");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void howARunWasBegunIsNotKept() throws IOException {
        train(config());
        Path control = folder.resolve("control.json");
        Path second = folder.resolve("second/m.zip");
        TrainingConfig.Builder begun = config().set(Fields.FORCE, true)
                .set(Fields.INIT, Optional.of(model()))
                .set(Fields.CONTROL_FILE, Optional.of(control))
                .set(Fields.MAX_WALL_S, 1000.0)
                .set(Fields.CHECKPOINT_EVERY, 128L)
                .set(Fields.MODEL, Optional.of(second));
        Files.writeString(control, "{\"stop\": true}");
        assertThat(train(begun).stoppedBy()).isEqualTo("control_file");

        // Without the control file, which still says stop; and without a second look at --init and --force.
        TrainingResult resumed = train(
                TrainingConfig.builder().set(Fields.MODEL, Optional.of(second)).set(Fields.RESUME, true));
        assertThat(resumed.isFinished()).isTrue();
        assertThat(resumed.timesteps()).isEqualTo(1280);
        assertThat(files().keySet())
                .as("how often to save is kept")
                .contains("second/checkpoints/m_ckpt_000001280.zip");
    }

    @Test
    @DisplayName("B15 with init the counter goes on from the earlier stage, and schedules begin anew")
    void transfer() {
        train(config());
        List<MetricRecord> records = new ArrayList<>();
        Path second = folder.resolve("second/m.zip");
        TrainingResult result = Trainer.of(config().set(Fields.INIT, Optional.of(model()))
                        .set(Fields.MODEL, Optional.of(second))
                        .set(Fields.LEARNING_RATE, Schedule.linear(1e-3))
                        .build())
                .sink(records::add)
                .build()
                .train();
        assertThat(result.timesteps()).isEqualTo(1280);
        assertThat(records.get(0).timesteps()).isEqualTo(704);
        assertThat(records.get(0).values().get(Metric.START_TIMESTEPS)).isEqualTo(640);
        assertThat(records.get(0).values().get(Metric.LEARNING_RATE)).isCloseTo(9e-4, within(1e-12));
        assertThat(new ZipCheckpointStore().load(second).learner().step())
                .as("a new optimiser: 10 rollouts of 2 epochs of 2 mini-batches")
                .isEqualTo(40);
    }

    @Test
    void keepsTheBestModelAndTheNewestCheckpoints() throws IOException {
        train(config().set(Fields.EVAL_EVERY, 64L)
                .set(Fields.CHECKPOINT_EVERY, 64L)
                .set(Fields.CHECKPOINT_KEEP, 3));
        assertThat(files().keySet())
                .contains("run/checkpoints/q3_ckpt_000000640.zip", "run/checkpoints/q3_ckpt_000000512.zip")
                .doesNotContain("run/checkpoints/q3_ckpt_000000448.zip")
                .anyMatch(name -> name.endsWith("q3_best.zip"));
    }

    @ParameterizedTest
    @CsvSource({
        "exception, environment 0 at its step 99, the drift has run dry",
        "nan_reward, environment 0 at its step 100, the reward must be finite but was NaN",
        "nan_observation, environment 0 at its step 100, element 0 is NaN",
        "empty_mask, environment 0 at its step 100, leaves none in branch 0"
    })
    @DisplayName("A6 a failing environment is named and recorded, and what was collected is saved")
    void failure(String failure, String where, String what) throws IOException {
        TrainingConfig.Builder failing = config().text("env_args", "fail_at=100\nfailure=" + failure);
        assertThatThrownBy(() -> train(failing))
                .isInstanceOf(HoldfastException.class)
                .isInstanceOfAny(EnvironmentException.class, NonFiniteException.class)
                .hasMessageContaining(where)
                .satisfies(e -> assertThat(e.getMessage().replace(",", "")).contains(what));
        JsonNode record = json("training_failure.json");
        assertThat(record.required("error").textValue()).contains(where);
        assertThat(record.required("timesteps").intValue()).isEqualTo(198);
        assertThat(record.required("can_resume").booleanValue()).isTrue();
        Checkpoint saved = new ZipCheckpointStore()
                .load(folder.resolve("run")
                        .resolve(record.required("last_checkpoint").textValue()));
        assertThat(saved.progress().timesteps()).isEqualTo(198);
        assertThat(saved.progress().step()).isEqualTo(3);
        assertThat(saved.environments()).allMatch(state -> state.state() == null);

        // Fresh environments take 100 steps again before they fail: the run gets further.
        assertThatThrownBy(() -> train(TrainingConfig.builder()
                        .set(Fields.MODEL, Optional.of(model()))
                        .set(Fields.RESUME, true)))
                .isInstanceOf(HoldfastException.class);
        assertThat(json("training_failure.json").required("timesteps").intValue())
                .isEqualTo(396);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aLogThatCannotBeWrittenDoesNotCostWhatWasLearned(boolean alsoFlushed) {
        List<Long> taken = new ArrayList<>();
        MetricSink full = new MetricSink() {
            @Override
            public void record(MetricRecord record) {
                taken.add(record.timesteps());
                if (record.timesteps() == 256) {
                    throw new HoldfastException("can't write the log: no space left");
                }
            }

            @Override
            public void flush() {
                if (alsoFlushed && taken.contains(256L)) {
                    throw new HoldfastException("can't write the log: no space left");
                }
            }
        };
        assertThatThrownBy(() -> Trainer.of(config().build()).sink(full).build().train())
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("can't write the log");
        Checkpoint saved = new ZipCheckpointStore().load(folder.resolve("run/checkpoints/q3_ckpt_latest.zip"));
        assertThat(saved.progress().timesteps()).isEqualTo(256);
        assertThat(saved.progress().phase()).as("to be reported again").isEqualTo(Phase.REPORT);
    }

    @Test
    void aLogThatCannotTakeAnEpisodeCostsNothing() throws IOException {
        train(config());
        byte[] archive = Files.readAllBytes(model());
        List<String> episodes = RunFiles.monitors(model());
        for (int failing : new int[] {1, 2, 5, 30}) {
            int[] told = new int[1];
            MetricSink full = new MetricSink() {
                @Override
                public void record(MetricRecord record) {}

                @Override
                public void episode(EpisodeRecord episode) {
                    if (++told[0] == failing) {
                        throw new HoldfastException("can't write the log: no space left");
                    }
                }
            };
            TrainingConfig config = config().set(Fields.FORCE, true).build();
            assertThatThrownBy(() -> Trainer.of(config).sink(full).build().train())
                    .isInstanceOf(HoldfastException.class);
            Checkpoint saved = new ZipCheckpointStore().load(folder.resolve("run/checkpoints/q3_ckpt_latest.zip"));
            assertThat(saved.progress().step() * 2L)
                    .as("of the first rollout")
                    .isEqualTo(saved.progress().timesteps() % 64);
            train(config().set(Fields.RESUME, true));
            assertThat(model()).as("episode %d", failing).hasBinaryContent(archive);
            assertThat(RunFiles.monitors(model())).as("episode %d", failing).isEqualTo(episodes);
        }
    }

    @Test
    void anErrorIsRecordedButNotSavedOver() throws IOException {
        Environment overflowing = new DriftEnvironment(false, true) {
            private int taken;

            @Override
            public Step step(Action action) {
                if (++taken == 100) {
                    throw new StackOverflowError("too deep");
                }
                return super.step(action);
            }
        };
        assertThatThrownBy(() -> Trainer.of(config().set(Fields.ENVS, 1)
                                .set(Fields.ROLLOUT_STEPS, 32)
                                .set(Fields.BATCH_SIZE, 32)
                                .set(Fields.NET_ARCH, List.of(8))
                                .set(Fields.RECOVERY_EVERY, 32L)
                                .build())
                        .environment(() -> overflowing)
                        .build()
                        .train())
                .isInstanceOf(StackOverflowError.class);
        assertThat(json("training_failure.json").required("error").textValue()).contains("StackOverflowError");
        assertThat(new ZipCheckpointStore()
                        .load(folder.resolve("run/checkpoints/q3_ckpt_latest.zip"))
                        .progress()
                        .timesteps())
                .isEqualTo(96);
    }

    @Test
    void aLossThatIsNotFiniteStopsTheRunBeforeItIsLearnedFrom() throws IOException {
        Environment huge = new DriftEnvironment(false, true) {
            @Override
            public Step step(Action action) {
                Step step = super.step(action);
                return new Step(step.observation(), 3e38, step.terminated(), step.truncated());
            }
        };
        assertThatThrownBy(
                        () -> Trainer.of(config().set(Fields.TIMESTEPS, 2048L).build())
                                .environment(() -> huge)
                                .build()
                                .train())
                .isInstanceOf(NonFiniteException.class)
                .hasMessageContaining("train/");
        Checkpoint saved = new ZipCheckpointStore().load(folder.resolve("run/checkpoints/q3_ckpt_latest.zip"));
        for (Tensor weights : saved.learner().weights()) {
            for (float weight : weights.floats()) {
                assertThat(weight).isFinite();
            }
        }
        assertThat(saved.progress().phase()).isEqualTo(Phase.UPDATE);
    }

    @Test
    @DisplayName("B29 stops through the control file")
    void stopsThroughTheControlFile() throws IOException {
        Path file = folder.resolve("control.json");
        List<String> events = new ArrayList<>();
        TrainingResult result = Trainer.of(config().set(Fields.CONTROL_FILE, Optional.of(file))
                        .set(Fields.TIMESTEPS, 1_000_000_000L)
                        .build())
                .sink(new MetricSink() {
                    @Override
                    public void record(MetricRecord record) {
                        if (record.timesteps() == 256) {
                            write(file, "{\"paused\": false, \"stop\": true}");
                        }
                    }

                    @Override
                    public void event(RunEvent event) {
                        events.add(event.event());
                    }
                })
                .build()
                .train();
        assertThat(result.stoppedBy()).isEqualTo("control_file");
        assertThat(events).containsExactly("stop_requested", "saved_after_stop", "metadata");
        assertThat(json("q3.json").required("stop_signal").textValue()).isEqualTo("control_file");
        assertThat(json("q3.json").required("checkpoint_files")).isNotEmpty();
        assertThat(Files.exists(folder.resolve("run/training_failure.json"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1", "5, 5, 6", "39, 32, 32"})
    @DisplayName(
            "B29 the control file counts at every step: before the first one, before the first update, in an evaluation")
    void followsTheControlFileAtEveryStep(int pausedAt, long pausedTimesteps, long stoppedTimesteps)
            throws IOException {
        Path file = folder.resolve("control.json");
        // Also those of evaluations: the first 32 are of the first rollout, the next ones of the first evaluation.
        int[] steps = new int[1];
        if (pausedAt == 0) {
            Files.writeString(file, "{\"paused\": true}");
        }
        Supplier<Environment> pausing = () -> new DriftEnvironment(false, true) {
            @Override
            public Step step(Action action) {
                if (++steps[0] == pausedAt) {
                    write(file, "{\"paused\": true}");
                }
                return super.step(action);
            }
        };
        List<String> events = new ArrayList<>();
        MetricSink listener = new MetricSink() {
            @Override
            public void record(MetricRecord record) {}

            @Override
            public void event(RunEvent event) {
                events.add(event.event() + " at " + steps[0] + ", "
                        + event.details().get("timesteps"));
                if (event.event().equals("paused")) {
                    write(file, "{\"paused\": false}");
                } else if (event.event().equals("resumed")) {
                    write(file, "{\"stop\": true}");
                }
            }
        };
        TrainingConfig.Builder config = config().set(Fields.ENVS, 1)
                .set(Fields.TIMESTEPS, 96L)
                .set(Fields.ROLLOUT_STEPS, 32)
                .set(Fields.BATCH_SIZE, 32)
                .set(Fields.EVAL_EVERY, 32L);
        long[] now = new long[1];
        Trainer.of(config.set(Fields.CONTROL_FILE, Optional.of(file)).build())
                .environment(pausing)
                .sink(listener)
                // Every look at the clock comes a second later: none comes too early for another look at the file.
                .clocks(Clock.systemUTC(), () -> now[0] += 1_000_000_000)
                .build()
                .train();
        assertThat(events)
                .containsExactly(
                        "paused at " + pausedAt + ", " + pausedTimesteps,
                        "resumed at " + pausedAt + ", " + pausedTimesteps,
                        "stop_requested at " + (pausedAt + 1) + ", null",
                        "saved_after_stop at " + (pausedAt + 1) + ", " + stoppedTimesteps,
                        "metadata at " + (pausedAt + 1) + ", " + stoppedTimesteps);

        Supplier<Environment> drift = () -> new DriftEnvironment(false, true);
        config.set(Fields.CONTROL_FILE, Optional.empty());
        Trainer.of(config.set(Fields.RESUME, true).build())
                .environment(drift)
                .build()
                .train();
        Path whole = folder.resolve("whole/q3.zip");
        Trainer.of(config.set(Fields.RESUME, false)
                        .set(Fields.MODEL, Optional.of(whole))
                        .build())
                .environment(drift)
                .build()
                .train();
        assertThat(RunFiles.progress(model())).isEqualTo(RunFiles.progress(whole));
        assertThat(Files.readAllBytes(model())).isEqualTo(Files.readAllBytes(whole));
    }

    @Test
    @DisplayName("B29 stop before the first step")
    void stopsBeforeTheFirstStep() throws IOException {
        Path file = folder.resolve("control.json");
        Files.writeString(file, "{\"stop\": true}");
        TrainingResult result = train(config().set(Fields.CONTROL_FILE, Optional.of(file)));
        assertThat(result.stoppedBy()).isEqualTo("control_file");
        assertThat(result.timesteps()).isZero();
        assertThat(train(config().set(Fields.RESUME, true)).timesteps()).isEqualTo(640);
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void twoRunsCannotWriteTheSameModel() {
        RunControl control = new RunControl();
        Trainer.of(config().set(Fields.TIMESTEPS, 1_000_000_000L).build())
                .control(control)
                .sink(record -> {
                    assertThatThrownBy(() -> train(config().set(Fields.FORCE, true)))
                            .isInstanceOf(HoldfastException.class)
                            .hasMessageContaining("another run is writing");
                    control.requestStop("test");
                })
                .build()
                .train();
    }

    @ParameterizedTest
    @CsvSource({
        "rollout_steps, 1000, rollout_steps must be at most timesteps = 640",
        "batch_size, 65, batch_size must be at most rollout_steps times envs = 32 * 2 = 64",
        "problem, 5, 'problem must be in [1, 4]'",
        "stage, 9, 'stage must be in [1, 2]'",
        "config_profile, tuned, config_profile must be none or one of [small]",
        "reward_profile, odd, reward_profile must be one of [default]",
        "env, Drift-v9, 'env must be one of [Corridor-v0, Counter-v0, Drift-v0, Mischief-v0], but was ''Drift-v9'''",
        "env, custom, 'env must name an environment on the class path, but was ''custom'', an application''s own'",
        "env_args, wind=3, has no parameter 'wind'",
        "env_args, fail_at=x, environment parameter fail_at must be a whole number",
        "backend, torch, 'backend must be one of [java], but was ''torch'''",
        "device, gpu, gpu",
        "device, tpu, 'device must be cpu, gpu, gpu:N or auto, but was tpu'",
        "vec_env, cloud, vec_env must be one of",
        "normalize_observation, maybe, normalize_observation must be true or false",
        "clip_range, 0, clip_range must start above 0",
        "log_std_init, 30, log_std_init",
    })
    void wrongValuesAreRefusedBeforeAnythingIsWritten(String key, String value, String message) throws IOException {
        assertThatThrownBy(() -> train(config().text(key, value)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(message);
        assertThat(files()).isEmpty();
        assertThat(folder.resolve("run")).doesNotExist();
    }

    @Test
    void bootstrapsTruncatedEpisodesFromTheirLastObservation() {
        // One observation throughout, reward 1, cut every second step: the value V is the same for all.
        Environment constant = new Environment() {
            private int steps;

            @Override
            public Space observationSpace() {
                return Box.of(0, 1, 1);
            }

            @Override
            public Space actionSpace() {
                return new Discrete(2);
            }

            @Override
            public float[] reset(long seed) {
                steps = 0;
                return new float[] {0.5f};
            }

            @Override
            public Step step(Action action) {
                steps++;
                return new Step(new float[] {0.5f}, 1, false, steps == 2);
            }

            @Override
            public byte[] saveState() {
                return new byte[] {(byte) steps};
            }

            @Override
            public void restoreState(byte[] state) {
                steps = state[0];
            }
        };
        // Stopped by the clock, in the middle of the first rollout.
        int[] reads = new int[1];
        RunControl later = new RunControl();
        Trainer.of(config().set(Fields.ENVS, 1)
                        .set(Fields.ROLLOUT_STEPS, 32)
                        .set(Fields.BATCH_SIZE, 32)
                        .build())
                .environment(() -> constant)
                .control(later)
                .clocks(Clock.systemUTC(), () -> {
                    if (++reads[0] == 40) {
                        later.requestStop("test");
                    }
                    return reads[0];
                })
                .build()
                .train();
        Checkpoint saved = new ZipCheckpointStore().load(model());
        float[] values = tensor(saved, "values").floats();
        float[] rewards = tensor(saved, "rewards").floats();
        assertThat(rewards.length).isGreaterThan(3);
        for (int t = 0; t < rewards.length; t++) {
            float expected = t % 2 == 0 ? 1 : 1 + (float) (0.99 * values[t]);
            assertThat(rewards[t]).as("step %d", t).isEqualTo(expected);
        }
    }

    private static Tensor tensor(Checkpoint checkpoint, String name) {
        return checkpoint.rollout().stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
