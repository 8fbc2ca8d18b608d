package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.faults.WorkerFaultInjector.Fault;
import dev.holdfast.training.runtime.vector.WorkerProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers are killed, stopped, and fail by themselves at random instants of a run, which learns its task all the same. */
class WorkerFaultsTest {
    private static final int ENVIRONMENTS = 4;
    private static final int ROLLOUT_STEPS = 32;
    /** Enough for each fault to be noticed, and for two iterations without one. */
    private static final int ITERATIONS_PER_FAULT = 10;

    @TempDir
    private Path folder;

    @Test
    @DisplayName("8 faults in one run that reaches its target return")
    void fewFaults() throws IOException {
        // One hang, which takes the whole timeout.
        List<Fault> faults = List.of(
                Fault.KILLED,
                Fault.THROWS,
                Fault.EXITS,
                Fault.STOPPED,
                Fault.OVERFLOWS,
                Fault.RESET_THROWS,
                Fault.PRINTS,
                Fault.KILLED);
        survives(new WorkerFaultInjector(folder, new Random(1), faults, i -> i == 7), 5);
    }

    @Test
    @Tag("faults")
    @DisplayName("100 random faults in one run that reaches its target return; -Dfaults.seed=N for others")
    void hundredFaults() throws IOException {
        long seed = Long.getLong("faults.seed", 1);
        Random random = new Random(seed);
        Fault[] kinds = Fault.values();
        List<Fault> faults =
                random.ints(100, 0, kinds.length).mapToObj(i -> kinds[i]).toList();
        boolean[] all = new boolean[faults.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = random.nextInt(6) == 0;
        }
        System.out.println("faults.seed = " + seed);
        survives(new WorkerFaultInjector(folder, random, faults, i -> all[i]), 10);
    }

    private void survives(WorkerFaultInjector injector, double timeout) throws IOException {
        WorkerProcesses.assumeSignals();
        int iterations = injector.faults() * ITERATIONS_PER_FAULT;
        long steps = (long) iterations * ROLLOUT_STEPS;
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "Corridor-v0")
                .set(Fields.ENV_ARGS, Map.of("folder", injector.folder().toString()))
                .set(Fields.MODEL, Optional.of(folder.resolve("run/m.zip")))
                .set(Fields.SEED, 3L)
                .set(Fields.ENVS, ENVIRONMENTS)
                .set(Fields.VEC_ENV, "process")
                .set(Fields.WORKER_TIMEOUT, timeout)
                .set(Fields.WORKER_RESTARTS, 1_000)
                .set(Fields.WORKER_JVM_OPTIONS, "-Xmx32m -XX:TieredStopAtLevel=1")
                .set(Fields.TIMESTEPS, steps * ENVIRONMENTS)
                .set(Fields.ROLLOUT_STEPS, ROLLOUT_STEPS)
                .set(Fields.BATCH_SIZE, 64)
                .set(Fields.N_EPOCHS, 4)
                .set(Fields.NET_ARCH, List.of(16))
                .text("learning_rate", "0.003")
                .set(Fields.EVAL_EVERY, 5L * ROLLOUT_STEPS * ENVIRONMENTS)
                .set(Fields.EVAL_EPISODES, 4)
                .set(Fields.RECOVERY_EVERY, (long) ROLLOUT_STEPS * ENVIRONMENTS)
                .set(Fields.TENSORBOARD, false)
                .build();
        Thread thread = new Thread(injector, "fault-injector");
        thread.setDaemon(true);
        thread.start();
        TrainingResult result;
        try {
            result = Trainer.of(config).sink(injector).build().train();
        } finally {
            injector.end(thread);
        }
        report(injector, result);

        assertThat(result.isFinished()).isTrue();
        assertThat(result.timesteps()).isEqualTo(steps * ENVIRONMENTS);
        assertThat(result.evaluation()).isNotNull();
        assertThat(result.evaluation().meanReturn()).isEqualTo(CorridorProvider.BEST_RETURN);

        injector.assertReasons(result.workerLosses());
        assertThat(injector.events("worker_replaced"))
                .isEqualTo(injector.losses().size());

        Checkpoint saved = new ZipCheckpointStore().load(result.model());
        assertThat(saved.environments())
                .allSatisfy(environment -> assertThat(environment.steps()).isEqualTo(steps));
        for (Tensor weights : saved.learner().weights()) {
            for (float weight : weights.floats()) {
                assertThat(weight).isFinite();
            }
        }
        Path run = folder.resolve("run");
        assertThat(run.resolve("training_failure.json")).doesNotExist();
        List<String> rows = Files.readAllLines(run.resolve("progress.csv"));
        assertThat(rows).hasSize(1 + iterations).noneMatch(row -> row.matches(".*(?i)(nan|inf).*"));
        assertThat(rows.get(0).split(",")).contains("rollout/worker_restarts");
        injector.assertNothingIsLeft();
    }

    private static void report(WorkerFaultInjector injector, TrainingResult result) {
        Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
        injector.losses().forEach(loss -> counts.merge(loss.fault(), 1, Integer::sum));
        System.out.println("faults: " + injector.faults() + ", workers lost: "
                + result.workerLosses().size() + ": " + counts + ", timesteps " + result.timesteps());
    }
}
