package dev.holdfast.examples.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentChecker;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.environment.wrapper.EnvironmentWrapper;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.training.runtime.Evaluation;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import dev.holdfast.training.runtime.job.StateQuery;
import dev.holdfast.training.runtime.job.TrainingJobs;
import dev.holdfast.training.runtime.metrics.Metric;
import dev.holdfast.training.runtime.metrics.MetricSink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the guides under {@code docs/how-to}, which quote it. */
class HowToTest {
    @TempDir
    Path folder;

    private Path model;
    private TrainingConfig config;

    @BeforeEach
    void aShortRun() {
        model = folder.resolve("shop.zip");
        config = TrainingConfig.builder()
                .set(Fields.MODEL, Optional.of(model))
                .set(Fields.TIMESTEPS, 512L)
                .set(Fields.ROLLOUT_STEPS, 128)
                .set(Fields.EVAL_EPISODES, 2)
                .build();
    }

    @Test
    void checkAnEnvironment() {
        EnvironmentChecker.Report report = EnvironmentChecker.check(() -> new Storeroom(0));
        report.throwIfErrors();
        assertThat(report.findings()).isEmpty();
        assertThat(EnvironmentChecker.check(Shop::new).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
    }

    @Test
    void wrapAnEnvironment() {
        Supplier<Environment> wrapped = () -> {
            Shop shop = new Shop();
            return EnvironmentWrapper.of(shop)
                    .maskActions(() -> Storeroom.ordersThatFit(shop.stock))
                    .timeLimit(14)
                    .scaleReward(0.01)
                    .frameStack(2);
        };
        assertThat(EnvironmentChecker.check(wrapped).findings(Severity.ERROR)).isEmpty();

        TrainingResult result = Trainer.of(config).environment(wrapped).build().train();
        Evaluation evaluation = Objects.requireNonNull(result.evaluation());
        assertThat(evaluation.meanLength()).isEqualTo(14);
        Action order = result.policy().act(new float[] {4, 5, 18, 6}, Storeroom.ordersThatFit(18), null);
        assertThat(order.index()).isBetween(0, 2);
    }

    @Test
    void superviseAJob() throws InterruptedException {
        List<Object> seen = new ArrayList<>();
        try (TrainingJobs jobs = TrainingJobs.in(folder).open()) {
            jobs.start(Map.of("env", "CartPole-v1", "timesteps", 10_000_000));
            awaitJob(jobs, job -> (long) Objects.requireNonNull(job.get("metric_total")) > 0);

            Map<String, @Nullable Object> job =
                    jobs.snapshot(StateQuery.DEFAULT).orElseThrow();
            seen.add(job.get("status")); // created, running, paused, stopping, stopped, exited or failed
            seen.add(job.get("metrics")); // the curve so far
            jobs.stop(); // the trainer saves and ends
            awaitJob(jobs, stopping -> Objects.equals(stopping.get("status"), "stopped"));
        }
        assertThat(seen.get(0)).isEqualTo("running");
        assertThat(folder.resolve("CartPole-v1_1").resolve("CartPole-v1.zip")).exists();
    }

    private static void awaitJob(TrainingJobs jobs, Predicate<Map<String, @Nullable Object>> condition)
            throws InterruptedException {
        while (!condition.test(jobs.snapshot(StateQuery.DEFAULT).orElseThrow())) {
            Thread.sleep(20);
        }
    }

    @Test
    void stopFromAnotherThread() throws Exception {
        config = config.toBuilder().set(Fields.TIMESTEPS, 1_000_000_000L).build();
        CountDownLatch started = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        TrainingResult stopped;
        try {
            RunControl control = new RunControl();
            Trainer trainer = Trainer.of(config)
                    .environment(Shop::new)
                    .control(control)
                    .sink(record -> started.countDown())
                    .build();
            Future<TrainingResult> training = executor.submit(trainer::train);

            started.await();
            control.requestStop("application");
            stopped = training.get(); // everything is saved
        } finally {
            executor.shutdownNow();
        }
        assertThat(stopped.stoppedBy()).isEqualTo("application");
        assertThat(stopped.timesteps()).isGreaterThanOrEqualTo(128);

        TrainingConfig resumed = config.toBuilder()
                .set(Fields.RESUME, true)
                .set(Fields.TIMESTEPS, stopped.timesteps() + 1)
                .build();
        TrainingResult finished =
                Trainer.of(resumed).environment(Shop::new).build().train();
        assertThat(finished.isFinished()).isTrue();
        assertThat(finished.timesteps()).isBetween(stopped.timesteps() + 1, stopped.timesteps() + 128);
    }

    @Test
    void handAPolicyOn() {
        Trainer.of(config).environment(Shop::new).build().train();

        TrainingConfig next = config.toBuilder()
                .set(Fields.INIT, Optional.of(model))
                .set(Fields.MODEL, Optional.of(folder.resolve("stage2/shop.zip")))
                .build();
        TrainingResult result = Trainer.of(next).environment(Shop::new).build().train();
        assertThat(result.timesteps()).isEqualTo(1024);
    }

    @Test
    void aScheduleOfYourOwn() {
        TrainingConfig warm = config.toBuilder()
                .set(Fields.LEARNING_RATE, remaining -> remaining > 0.5 ? 1e-3 : 1e-4)
                .build();
        List<Double> rates = new ArrayList<>();
        Trainer.of(warm)
                .environment(Shop::new)
                .sink(record -> rates.add(record.values().get(Metric.LEARNING_RATE)))
                .build()
                .train();
        assertThat(rates).containsExactly(1e-3, 1e-4, 1e-4, 1e-4);
    }

    @Test
    void aSinkOfYourOwn() {
        List<String> lines = new ArrayList<>();
        MetricSink sink = record -> {
            Double mean = record.values().get(Metric.EP_REW_MEAN);
            if (mean != null) {
                lines.add(record.timesteps() + " steps: " + mean);
            }
        };
        Trainer.of(config).environment(Shop::new).sink(sink).build().train();
        assertThat(lines).hasSize(4).first().asString().startsWith("128 steps: ");
    }

    @Test
    void useAPolicy() {
        Trainer.of(config).environment(Shop::new).build().train();

        Policy policy = new ZipCheckpointStore().load(model).policy();
        Action order = policy.act(new float[] {3, 5});
        float expected = policy.value(new float[] {3, 5});
        Policy forAnotherThread = policy.copy();

        assertThat(order.index()).isBetween(0, 10);
        assertThat(expected).isFinite();
        assertThat(forAnotherThread.act(new float[] {3, 5}).index()).isEqualTo(order.index());
    }

    @Test
    void useAMaskedPolicy() {
        Trainer.of(config).environment(() -> new Storeroom(0)).build().train();
        Policy policy = new ZipCheckpointStore().load(model).policy();
        try (Storeroom storeroom = new Storeroom(0)) {
            float[] observation = storeroom.reset(1);
            Action order = policy.act(observation, storeroom.actionMask(), null);
            assertThat(order.index()).isBetween(0, 10);
        }
    }
}
