package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.training.runtime.metrics.EpisodeStatistics;
import dev.holdfast.training.runtime.metrics.Metric;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The training loop as a state machine whose whole state can be saved between any two environment steps or mini-batches.
 *
 * <pre>
 *   COLLECT ── rollout full ──▶ UPDATE ── epochs done ──▶ REPORT ──▶ COLLECT …
 *      │ between two steps         │ between two mini-batches  │ in an evaluation
 *      ╰──────────── interrupted: {@link #run} returns, {@link #checkpoint} saves ──╯
 * </pre>
 *
 * What a resumed run needs to be byte-identical is all here: weights and moments (learner), counters, the random streams, the
 * normaliser, the rollout and how far it is filled or learned from, the environments, and the statistics that are logged.
 */
final class TrainingRun {
    private final NetworkSpec network;
    private final PpoHyperparameters hyperparameters;
    private final VectorEnvironment environments;
    private final PpoLearner learner;
    private final Normalization normalization;
    private final EpisodeStatistics episodes;
    private final RolloutBuffer rollout;
    private final PpoUpdate update;
    private final MlpPolicy policy;
    private final Stopwatch stopwatch;
    private final long seed;
    private final RandomStream actionRandom;
    private final RandomStream shuffleRandom;

    private final float[] weights;
    private final int logStd;
    private final float[] rawObservations;
    private final float[] observations;
    private final boolean[] episodeStarts;
    private final float[] actions;
    private final float[] boundedActions;
    private final float[] rewards;
    private final float[] values;
    private final float[] logProbabilities;

    private Phase phase = Phase.COLLECT;
    private int step;
    private long timesteps;
    private long startTimesteps;
    private long totalTimesteps;
    private long iterations;
    private long updates;

    /** True while the environments may be ahead of what is stored: their states are of no use then. */
    private boolean stepping;

    /** Episodes that ended and of which the reporter doesn't know: each is told of once, whatever comes between. */
    private final Deque<Episode> untold = new ArrayDeque<>();

    private double bestMeanReturn = Double.NEGATIVE_INFINITY;

    private record Episode(int environment, double episodeReturn, long length) {}

    /** What happens around an update. */
    interface Reporter {
        /** An episode ended. If that can't be written down, a resumed run tells of it again. */
        void episode(int environment, double episodeReturn, long length);

        /**
         * Evaluates if it is time to; called between an update and its report.
         *
         * @param metrics may be added to
         * @return false if it was interrupted, and will be called again
         */
        boolean evaluate(Map<Metric, Double> metrics);

        /**
         * Writes down an iteration. If that fails, the state is still the one before, and a resumed run reports it again.
         *
         * @param metrics may be added to
         */
        void report(Map<Metric, Double> metrics);

        /** The iteration is part of the past now: time to save. */
        void iterationEnded(Map<Metric, Double> metrics);
    }

    TrainingRun(
            NetworkSpec network,
            PpoHyperparameters hyperparameters,
            VectorEnvironment environments,
            PpoLearner learner,
            Normalization normalization,
            long seed,
            long totalTimesteps,
            Stopwatch stopwatch) {
        this.network = network;
        this.hyperparameters = hyperparameters;
        this.environments = environments;
        this.learner = learner;
        this.normalization = normalization;
        this.seed = seed;
        this.totalTimesteps = totalTimesteps;
        this.stopwatch = stopwatch;
        int n = environments.count();
        episodes = new EpisodeStatistics(n, EpisodeStatistics.DEFAULT_WINDOW);
        rollout = new RolloutBuffer(network, hyperparameters.rolloutSteps(), n);
        actionRandom = new RandomStream(seed, "actions");
        shuffleRandom = new RandomStream(seed, "shuffle");
        update = new PpoUpdate(network, rollout, learner, hyperparameters, shuffleRandom::shuffle);
        policy = new MlpPolicy(network, n);
        ParameterLayout layout = new ParameterLayout(network);
        weights = new float[layout.size()];
        logStd = layout.logStdOffset();
        rawObservations = new float[n * network.observationSpace().size()];
        observations = new float[rawObservations.length];
        episodeStarts = new boolean[n];
        actions = new float[n * network.actionSpace().size()];
        boundedActions = new float[actions.length];
        rewards = new float[n];
        values = new float[n];
        logProbabilities = new float[n];
    }

    /** Starts a new run in environments that have just been reset. */
    void start(long firstTimestep) {
        timesteps = firstTimestep;
        startTimesteps = firstTimestep;
        Arrays.fill(episodeStarts, true);
        System.arraycopy(environments.observations(), 0, rawObservations, 0, rawObservations.length);
        normalization.observe(rawObservations, observations, environments.count());
        syncPolicy();
    }

    /**
     * Goes on.
     *
     * @param interrupted asked between any two steps of the environments, mini-batches, and steps of an evaluation
     * @return whether the run is finished; false if it was interrupted
     */
    boolean run(BooleanSupplier interrupted, Reporter reporter) {
        stopwatch.skip();
        tellOfEpisodes(reporter);
        while (true) {
            switch (phase) {
                case COLLECT -> {
                    if (step == 0 && timesteps - startTimesteps >= totalTimesteps) {
                        return true;
                    }
                    if (!collect(interrupted, reporter)) {
                        return false;
                    }
                    update.begin();
                    phase = Phase.UPDATE;
                }
                case UPDATE -> {
                    boolean finished = update.run(
                            UpdateSettings.at(hyperparameters, progress().remaining()), interrupted);
                    stopwatch.spent(Activity.UPDATE);
                    if (!finished) {
                        return false;
                    }
                    updates += update.epoch();
                    syncPolicy();
                    phase = Phase.REPORT;
                }
                case REPORT -> {
                    Map<Metric, Double> metrics = metrics();
                    boolean finished = reporter.evaluate(metrics);
                    stopwatch.spent(Activity.EVALUATION);
                    if (!finished) {
                        return false;
                    }
                    metrics.put(Metric.ITERATIONS, iterations + 1.0);
                    reporter.report(metrics);
                    iterations++;
                    step = 0;
                    phase = Phase.COLLECT;
                    reporter.iterationEnded(metrics);
                }
            }
        }
    }

    private boolean collect(BooleanSupplier interrupted, Reporter reporter) {
        int n = environments.count();
        while (step < hyperparameters.rolloutSteps()) {
            if (interrupted.getAsBoolean()) {
                stopwatch.skip();
                return false;
            }
            policy.act(n, observations, environments.masks(), actionRandom, actions, values, logProbabilities);
            rollout.store(step, observations, environments.masks(), episodeStarts, actions, values, logProbabilities);
            float[] taken = bounded(actions);
            stopwatch.spent(Activity.ACTING);

            stepping = true;
            environments.step(taken);
            while (anyMissed()) {
                stepMissed();
            }
            stopwatch.spent(Activity.ENVIRONMENT);

            boolean[] terminated = environments.terminated();
            boolean[] truncated = environments.truncated();
            System.arraycopy(environments.observations(), 0, rawObservations, 0, rawObservations.length);
            normalization.observe(rawObservations, observations, n);
            normalization.reward(environments.rewards(), terminated, truncated, rewards);
            rollout.storeRewards(step, rewards);
            bootstrapTruncated(terminated, truncated);
            timesteps += n;
            for (int i = 0; i < n; i++) {
                episodeStarts[i] = terminated[i] || truncated[i];
            }
            episodes.step(environments.rewards(), episodeStarts);
            for (int i = 0; i < n; i++) {
                if (episodeStarts[i]) {
                    untold.add(new Episode(i, episodes.finishedReturn(i), episodes.finishedLength(i)));
                }
            }
            step++;
            stepping = false;
            tellOfEpisodes(reporter);
            stopwatch.spent(Activity.ACTING);
        }
        policy.values(n, observations, values);
        rollout.computeAdvantages(values, episodeStarts, hyperparameters.gamma(), hyperparameters.gaeLambda());
        stopwatch.spent(Activity.ADVANTAGE);
        return true;
    }

    private void tellOfEpisodes(Reporter reporter) {
        while (!untold.isEmpty()) {
            Episode episode = untold.element();
            reporter.episode(episode.environment, episode.episodeReturn, episode.length);
            untold.remove();
        }
    }

    private boolean anyMissed() {
        for (boolean missed : environments.missed()) {
            if (missed) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes the current step anew in environments that were lost in it and have begun another episode. Their old episodes were cut at
     * the step before.
     */
    private void stepMissed() {
        boolean[] missed = environments.missed().clone();
        int[] rows = IntStream.range(0, missed.length).filter(i -> missed[i]).toArray();
        int size = network.observationSpace().size();
        for (int row : rows) {
            if (step > 0 && !episodeStarts[row]) {
                addValueOfCut(step - 1, row, rawObservations);
            }
            abandonEpisode(row);
            System.arraycopy(environments.observations(), row * size, rawObservations, row * size, size);
        }
        normalization.normalize(rawObservations, observations, environments.count());
        act(rows);
        rollout.store(step, observations, environments.masks(), episodeStarts, actions, values, logProbabilities);
        environments.step(bounded(actions));
    }

    /** Acts in some environments alone: the others keep their actions, and no random number is drawn for them. */
    private void act(int[] rows) {
        int actionSize = network.actionSpace().size();
        boolean[] masks = environments.masks();
        float[] chosen = new float[rows.length * actionSize];
        float[] chosenValues = new float[rows.length];
        float[] chosenLogProbabilities = new float[rows.length];
        policy.act(
                rows.length,
                rows(observations, rows),
                masks == null ? null : rows(masks, rows),
                actionRandom,
                chosen,
                chosenValues,
                chosenLogProbabilities);
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(chosen, i * actionSize, actions, rows[i] * actionSize, actionSize);
            values[rows[i]] = chosenValues[i];
            logProbabilities[rows[i]] = chosenLogProbabilities[i];
        }
    }

    private float[] rows(float[] all, int[] rows) {
        int size = all.length / environments.count();
        float[] some = new float[rows.length * size];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(all, rows[i] * size, some, i * size, size);
        }
        return some;
    }

    private boolean[] rows(boolean[] all, int[] rows) {
        int size = all.length / environments.count();
        boolean[] some = new boolean[rows.length * size];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(all, rows[i] * size, some, i * size, size);
        }
        return some;
    }

    private void abandonEpisode(int environment) {
        episodeStarts[environment] = true;
        episodes.abandonEpisode(environment);
        normalization.forget(environment);
    }

    /** An episode that was cut would have gone on: its last reward stands for the rest, too. */
    private void bootstrapTruncated(boolean[] terminated, boolean[] truncated) {
        for (int i = 0; i < truncated.length; i++) {
            if (truncated[i] && !terminated[i]) {
                addValueOfCut(step, i, environments.finalObservations());
            }
        }
    }

    /** Adds the discounted value of an environment's last observation to its reward. */
    private void addValueOfCut(int cutStep, int environment, float[] lastObservations) {
        int size = network.observationSpace().size();
        float[] last = Arrays.copyOfRange(lastObservations, environment * size, (environment + 1) * size);
        float[] value = new float[1];
        normalization.normalize(last, last, 1);
        policy.values(1, last, value);
        rollout.addReward(cutStep, environment, hyperparameters.gamma() * value[0]);
    }

    private float[] bounded(float[] sampled) {
        if (!(network.actionSpace() instanceof Box box)) {
            return sampled;
        }
        System.arraycopy(sampled, 0, boundedActions, 0, sampled.length);
        for (int offset = 0; offset < boundedActions.length; offset += box.size()) {
            box.clip(boundedActions, offset);
        }
        return boundedActions;
    }

    private void syncPolicy() {
        learner.copyWeights(weights);
        policy.setWeights(weights);
    }

    private Map<Metric, Double> metrics() {
        Map<Metric, Double> metrics = new EnumMap<>(Metric.class);
        UpdateSettings settings = UpdateSettings.at(hyperparameters, progress().remaining());
        metrics.put(Metric.EP_LEN_MEAN, episodes.meanLength());
        metrics.put(Metric.EP_REW_MEAN, episodes.meanReturn());
        metrics.put(Metric.START_TIMESTEPS, (double) startTimesteps);
        metrics.put(Metric.LEARNING_RATE, settings.learningRate());
        metrics.put(Metric.CLIP_RANGE, settings.clipRange());
        metrics.put(Metric.CLIP_RANGE_VF, settings.clipRangeVf());
        metrics.put(Metric.EXPLAINED_VARIANCE, rollout.explainedVariance());
        update.report(metrics);
        metrics.put(Metric.N_UPDATES, (double) updates);
        if (logStd >= 0) {
            double sum = 0;
            int size = network.actionSpace().size();
            for (int i = 0; i < size; i++) {
                sum += Math.exp(weights[logStd + i]);
            }
            metrics.put(Metric.STD, sum / size);
        }
        return metrics;
    }

    Progress progress() {
        return new Progress(
                timesteps,
                startTimesteps,
                totalTimesteps,
                iterations,
                updates,
                phase,
                phase == Phase.COLLECT ? step : 0,
                phase == Phase.UPDATE ? update.epoch() : 0,
                phase == Phase.UPDATE ? update.miniBatch() : 0);
    }

    /** The step count of the last reported iteration: rows of logs up to it belong to the past of this state. */
    long reportedTimesteps() {
        long unreported = phase == Phase.COLLECT ? step : hyperparameters.rolloutSteps();
        return timesteps - unreported * environments.count();
    }

    /** For each environment, how many of its finished episodes the reporter knows. */
    long[] reportedEpisodes() {
        long[] reported = episodes.finishedEpisodes();
        untold.forEach(episode -> reported[episode.environment]--);
        return reported;
    }

    /** Remembers the mean return of an evaluation, and returns whether it is the best one so far. */
    boolean isBest(double meanReturn) {
        if (meanReturn <= bestMeanReturn) {
            return false;
        }
        bestMeanReturn = meanReturn;
        return true;
    }

    int samplesPerIteration() {
        return rollout.samples();
    }

    MlpPolicy policy() {
        return policy;
    }

    Normalization normalization() {
        return normalization;
    }

    EpisodeStatistics episodes() {
        return episodes;
    }

    /** Returns everything that the rest of the run depends on. Not to be called while {@link #run} runs. */
    Checkpoint checkpoint(Map<String, String> settings, Map<String, String> provenance) {
        List<Tensor> tensors = new ArrayList<>();
        tensors.add(new Tensor(
                "last_observations",
                new int[] {environments.count(), network.observationSpace().size()},
                rawObservations.clone()));
        tensors.add(new Tensor("last_episode_starts", new int[] {environments.count()}, episodeStarts.clone()));
        tensors.add(new Tensor("best_mean_return", new int[] {1}, new double[] {bestMeanReturn}));
        tensors.addAll(episodes.exportState());
        if (!untold.isEmpty()) {
            tensors.add(new Tensor(
                    "untold_episodes",
                    new int[] {untold.size(), 3},
                    untold.stream()
                            .flatMapToDouble(e -> DoubleStream.of(e.environment, e.episodeReturn, (double) e.length))
                            .toArray()));
        }
        boolean collecting = phase == Phase.COLLECT;
        if (!collecting || step > 0) {
            tensors.addAll(rollout.save(collecting ? step : hyperparameters.rolloutSteps(), !collecting));
        }
        if (!collecting) {
            tensors.addAll(update.save());
        }
        return new Checkpoint(
                network,
                hyperparameters,
                settings,
                progress(),
                learner.exportState(),
                normalization.save(),
                Map.of("actions", actionRandom.state(), "shuffle", shuffleRandom.state()),
                tensors,
                stepping ? abandoned() : environments.save(),
                provenance);
    }

    /** States for environments that failed in the middle of a step: new episodes, of new seeds. */
    private List<EnvironmentState> abandoned() {
        int n = environments.count();
        long each = (timesteps - startTimesteps) / n;
        return IntStream.range(0, n)
                .mapToObj(i -> new EnvironmentState(
                        new RandomStream(seed, "environment-" + i + "-after-" + timesteps).state(), null, each))
                .toList();
    }

    /**
     * Goes on from a checkpoint of the same network and number of environments; restores the environments, too.
     *
     * @throws IllegalArgumentException if the checkpoint is inconsistent
     */
    void restore(Checkpoint checkpoint) {
        learner.importState(checkpoint.learner());
        syncPolicy();
        Progress progress = checkpoint.progress();
        phase = progress.phase();
        timesteps = progress.timesteps();
        startTimesteps = progress.startTimesteps();
        iterations = progress.iterations();
        updates = progress.updates();
        restoreRandom(checkpoint, "actions", actionRandom);
        restoreRandom(checkpoint, "shuffle", shuffleRandom);
        normalization.restore(checkpoint.normalizer());
        Map<String, Tensor> tensors =
                checkpoint.rollout().stream().collect(Collectors.toMap(Tensor::name, Function.identity()));
        episodes.importState(checkpoint.rollout());
        restoreUntold(tensors.get("untold_episodes"));
        double[] best = required(tensors, "best_mean_return").doubles();
        if (best.length != 1) {
            throw new IllegalArgumentException("best_mean_return must be one number, but is " + best.length);
        }
        bestMeanReturn = best[0];
        boolean collecting = phase == Phase.COLLECT;
        step = collecting ? progress.step() : hyperparameters.rolloutSteps();
        if (step > 0) {
            rollout.restore(tensors, step, !collecting);
        }
        if (!collecting) {
            update.restore(tensors, progress.epoch(), progress.miniBatch());
        }
        restoreEnvironments(checkpoint.environments(), tensors);
    }

    private void restoreUntold(@Nullable Tensor tensor) {
        if (tensor == null) {
            return;
        }
        double[] values = tensor.doubles();
        for (int i = 0; i + 2 < values.length; i += 3) {
            int environment = (int) values[i];
            if (environment < 0 || environment >= environments.count()) {
                throw new IllegalArgumentException("untold_episodes must be of environments in [0, "
                        + environments.count() + "), but has " + environment);
            }
            untold.add(new Episode(environment, values[i + 1], (long) values[i + 2]));
        }
    }

    private void restoreEnvironments(List<EnvironmentState> states, Map<String, Tensor> tensors) {
        int n = environments.count();
        float[] last = required(tensors, "last_observations").floats();
        boolean[] starts = required(tensors, "last_episode_starts").booleans();
        if (last.length != rawObservations.length || starts.length != n) {
            throw new IllegalArgumentException(
                    "there must be " + n + " last observations, but there are " + starts.length);
        }
        RolloutBuffer.check("last_observations", network.observationSpace(), last, n);
        System.arraycopy(starts, 0, episodeStarts, 0, n);
        environments.restore(states, last);
        for (int i = 0; i < n; i++) {
            if (states.get(i).state() == null) {
                // The environment couldn't save its state and has been reset: its episode was cut at the last step.
                if (phase == Phase.COLLECT && step > 0 && !starts[i]) {
                    addValueOfCut(step - 1, i, last);
                }
                abandonEpisode(i);
            }
        }
        System.arraycopy(environments.observations(), 0, rawObservations, 0, rawObservations.length);
        normalization.normalize(rawObservations, observations, n);
    }

    private static Tensor required(Map<String, Tensor> tensors, String name) {
        Tensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("the rollout must hold " + name + ", but holds " + tensors.keySet());
        }
        return tensor;
    }

    private static void restoreRandom(Checkpoint checkpoint, String name, RandomStream stream) {
        long[] state = checkpoint.random().get(name);
        if (state == null) {
            throw new IllegalArgumentException("the random stream " + name + " is missing");
        }
        stream.restore(state);
    }
}
