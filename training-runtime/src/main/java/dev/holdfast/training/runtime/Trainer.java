package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import dev.holdfast.training.runtime.metrics.MetricSink;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains a policy: the entry point of an embedding application.
 *
 * <pre>{@code
 * TrainingResult result = Trainer.of(config).environment(MyEnvironment::new).build().train();
 * Action action = result.policy().act(observation);
 * }</pre>
 *
 * <p>A run writes its files into the folder of {@link Fields#MODEL}: the model, checkpoints, a recovery point, logs. It takes a lock
 * there; it never ends the JVM, installs no signal handler, and writes nothing to standard output.
 *
 * <p><em>Threads.</em> {@link #train} blocks its caller, which is the training thread. {@link RunControl} may be used by any
 * thread. Any number of trainers may run at once on different models.
 */
public final class Trainer {
    private final TrainingConfig config;
    private final @Nullable Supplier<? extends Environment> environment;
    private final RunControl control;
    private final List<MetricSink> sinks;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final DurableFiles files;

    private Trainer(Builder builder) {
        config = builder.config;
        environment = builder.environment;
        control = builder.control;
        sinks = List.copyOf(builder.sinks);
        clock = builder.clock;
        nanoTime = builder.nanoTime;
        files = builder.files;
    }

    /**
     * Begins a trainer.
     *
     * @param config the configuration; {@link Fields#MODEL} must be given
     * @return a builder
     */
    public static Builder of(TrainingConfig config) {
        return new Builder(config);
    }

    /**
     * Trains until the planned end or until a stop is requested; in both cases everything is saved before it returns.
     *
     * @return what the run ended with
     * @throws InvalidConfigurationException if a setting is not allowed, or the model exists and neither {@code resume} nor {@code
     *     force} is set; nothing on disk has changed then
     * @throws dev.holdfast.rl.api.HoldfastException if the run fails: what had been learned is saved if it can be, and {@code
     *     training_failure.json} in the run's folder says what happened
     */
    public TrainingResult train() {
        return new TrainingSession(config, model(), environment, control, sinks, clock, nanoTime, files).train();
    }

    /**
     * Checks everything that {@link #train} checks before it begins and that takes neither an environment nor a backend. Nothing on
     * disk changes.
     *
     * @return the configuration in force: the environment's profile, or what the resumed run had, is worked in
     * @throws InvalidConfigurationException if a setting is not allowed, or the model exists and neither {@code resume} nor {@code
     *     force} is set
     */
    public TrainingConfig check() {
        return RunPlan.of(config, environment, new CheckpointDirectory(model(), clock, files))
                .config();
    }

    private Path model() {
        return config.get(Fields.MODEL)
                .orElseThrow(() -> new InvalidConfigurationException(
                        "model must be given: the file that the model is saved to, for example runs/lift/lift.zip"));
    }

    /** Collects what a trainer needs beside its configuration. */
    public static final class Builder {
        private final TrainingConfig config;
        private @Nullable Supplier<? extends Environment> environment;
        private RunControl control = new RunControl();
        private final List<MetricSink> sinks = new ArrayList<>();
        private Clock clock = Clock.systemUTC();
        private LongSupplier nanoTime = System::nanoTime;
        private DurableFiles files = new DurableFiles();

        private Builder(TrainingConfig config) {
            this.config = config;
        }

        /**
         * Sets where environments come from; without it, {@link Fields#ENV} names a provider on the class path.
         *
         * @param factory makes one environment at each call
         * @return this
         */
        public Builder environment(Supplier<? extends Environment> factory) {
            environment = factory;
            return this;
        }

        /**
         * Sets the means by which other threads stop and pause the run.
         *
         * @param control a control of this run alone
         * @return this
         */
        public Builder control(RunControl control) {
            this.control = control;
            return this;
        }

        /**
         * Adds a receiver of metrics, beside the files of the run.
         *
         * @param sink closed when the run ends
         * @return this
         */
        public Builder sink(MetricSink sink) {
            sinks.add(sink);
            return this;
        }

        /**
         * Sets the clocks, for tests.
         *
         * @param clock for dates in files
         * @param nanoTime for durations, in nanoseconds
         * @return this
         */
        public Builder clocks(Clock clock, LongSupplier nanoTime) {
            this.clock = clock;
            this.nanoTime = nanoTime;
            return this;
        }

        /** Sets what writes the run's files, for tests. */
        Builder files(DurableFiles files) {
            this.files = files;
            return this;
        }

        /**
         * Builds the trainer.
         *
         * @return a trainer for one run
         */
        public Trainer build() {
            return new Trainer(this);
        }
    }
}
