package dev.holdfast.rl.api.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every backend must do. A backend's own build runs it in a subclass that supplies the backend. What a backend doesn't
 * declare among its capabilities is skipped, and the report says why; that it refuses it is tested instead.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PpoBackendConformanceTest {
    private static final long SEED = 7;

    /**
     * Returns the backend under test.
     *
     * @return a new one or always the same
     */
    protected abstract PpoBackend backend();

    /**
     * Returns the devices to try: all that are usable.
     *
     * @return their names
     */
    protected List<String> devices() {
        return backend().devices().stream()
                .filter(Device::usable)
                .map(Device::name)
                .toList();
    }

    /**
     * Returns the thread counts to try.
     *
     * @return 1 alone unless the backend declares {@link Capability#THREADS}
     */
    protected List<Integer> threadCounts() {
        return backend().capabilities().contains(Capability.THREADS) ? List.of(1, 2, 3) : List.of(1);
    }

    private Stream<Arguments> goldenUpdates() {
        return GoldenUpdate.NAMES.stream()
                .flatMap(name -> engines().map(engine -> Arguments.of(name, engine.get()[0], engine.get()[1])));
    }

    private Stream<Arguments> engines() {
        return devices().stream()
                .flatMap(device -> threadCounts().stream().map(threads -> Arguments.of(device, threads)));
    }

    private Stream<Arguments> cases() {
        return LearnerCase.all().stream()
                .flatMap(learnerCase ->
                        engines().map(engine -> Arguments.of(learnerCase, engine.get()[0], engine.get()[1])));
    }

    // ---- the reference implementation's numbers

    @ParameterizedTest
    @MethodSource("goldenUpdates")
    void agreesWithTheReferenceImplementationAfterEveryMiniBatch(String name, String device, int threads) {
        GoldenUpdate golden = new GoldenUpdate(name);
        MiniBatch batch = golden.newBatch();
        UpdateStatistics statistics = new UpdateStatistics();
        try (PpoLearner learner = learner(golden.spec(), device, threads, batch.capacity())) {
            learner.importState(golden.initialState());
            int number = 0;
            for (JsonNode miniBatch : golden.miniBatches()) {
                String where = "mini-batch " + number++;
                golden.fill(miniBatch, batch);
                learner.update(batch, golden.settings(), statistics);
                ConformanceTolerance.close(statistics.policyLoss, miniBatch, "policy_loss", where);
                ConformanceTolerance.close(statistics.valueLoss, miniBatch, "value_loss", where);
                ConformanceTolerance.close(statistics.entropyLoss, miniBatch, "entropy_loss", where);
                ConformanceTolerance.close(statistics.loss, miniBatch, "loss", where);
                ConformanceTolerance.close(statistics.approxKl, miniBatch, "approx_kl_div", where);
                ConformanceTolerance.close(statistics.clipFraction, miniBatch, "clip_fraction", where);
                assertThat(statistics.stepped).as(where).isEqualTo(miniBatch.has("params_after"));
                if (statistics.stepped) {
                    ConformanceTolerance.close(statistics.gradientNorm, miniBatch, "grad_norm_before_clipping", where);
                    LearnerState state = learner.exportState();
                    double learningRate = golden.settings().learningRate();
                    ConformanceTolerance.weightsAgree(state, miniBatch.required("params_after"), learningRate, where);
                    // The files have Adam's moments after the first mini-batch and at the end only.
                    if (miniBatch.has("adam_after")) {
                        ConformanceTolerance.momentsAgree(state, miniBatch.required("adam_after"), where);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("goldenUpdates")
    void agreesWithTheReferenceImplementationAfterTheWholeUpdate(String name, String device, int threads) {
        GoldenUpdate golden = new GoldenUpdate(name);
        MiniBatch batch = golden.newBatch();
        UpdateStatistics statistics = new UpdateStatistics();
        List<JsonNode> miniBatches = golden.miniBatches();
        int lastEpoch =
                miniBatches.get(miniBatches.size() - 1).required("epoch").intValue();
        double policyLoss = 0;
        double valueLoss = 0;
        double entropyLoss = 0;
        double clipFraction = 0;
        double lastEpochKl = 0;
        int lastEpochCount = 0;
        try (PpoLearner learner = learner(golden.spec(), device, threads, batch.capacity())) {
            learner.importState(golden.initialState());
            for (JsonNode miniBatch : miniBatches) {
                golden.fill(miniBatch, batch);
                learner.update(batch, golden.settings(), statistics);
                policyLoss += statistics.policyLoss / miniBatches.size();
                valueLoss += statistics.valueLoss / miniBatches.size();
                entropyLoss += statistics.entropyLoss / miniBatches.size();
                clipFraction += statistics.clipFraction / miniBatches.size();
                if (miniBatch.required("epoch").intValue() == lastEpoch) {
                    lastEpochKl += statistics.approxKl;
                    lastEpochCount++;
                }
            }
            LearnerState state = learner.exportState();
            ConformanceTolerance.weightsAgree(
                    state,
                    golden.root().required("final_params"),
                    golden.settings().learningRate(),
                    "at the end");
            ConformanceTolerance.momentsAgree(state, golden.root().required("final_adam"), "at the end");
            JsonNode logged = golden.root().required("logged");
            ConformanceTolerance.close(policyLoss, logged, "train/policy_gradient_loss", "logged");
            ConformanceTolerance.close(valueLoss, logged, "train/value_loss", "logged");
            ConformanceTolerance.close(entropyLoss, logged, "train/entropy_loss", "logged");
            ConformanceTolerance.close(clipFraction, logged, "train/clip_fraction", "logged");
            ConformanceTolerance.close(lastEpochKl / lastEpochCount, logged, "train/approx_kl", "logged");
            ConformanceTolerance.close(statistics.loss, logged, "train/loss", "logged");
            if (golden.spec().actionSpace() instanceof Box) {
                float[] logStd = state.weights().get(0).floats();
                double std = 0;
                for (float log : logStd) {
                    std += Math.exp(log) / logStd.length;
                }
                ConformanceTolerance.close(std, logged, "train/std", "logged");
            }
        }
    }

    // ---- gradients

    @ParameterizedTest
    @MethodSource("cases")
    void gradientsAreThoseOfTheLossInDoublePrecision(LearnerCase learnerCase, String device, int threads) {
        NetworkSpec spec = learnerCase.spec();
        float[] weights = learnerCase.weights(SEED);
        ParameterLayout layout = new ParameterLayout(spec);
        UpdateStatistics statistics = new UpdateStatistics();
        try (PpoLearner learner = learner(spec, device, threads, 64)) {
            // The largest first: what it leaves in a buffer must not show in the smaller ones.
            for (int size : new int[] {64, 5, 1, 2, 37}) {
                MiniBatch batch = learnerCase.batch(size, weights, SEED + size);
                ReferencePpo.Result expected =
                        ReferencePpo.evaluate(spec, LearnerCase.doubles(weights), batch, learnerCase.settings());
                learner.importState(learnerCase.state(weights));
                learner.update(batch, learnerCase.limited(1e30, Double.POSITIVE_INFINITY), statistics);

                String where = size + " samples";
                assertThat(statistics.loss)
                        .as(where)
                        .isCloseTo(expected.loss(), within(ConformanceTolerance.of(expected.loss())));
                assertThat(statistics.approxKl)
                        .as(where)
                        .isCloseTo(expected.kl(), within(ConformanceTolerance.of(expected.kl())));
                assertThat(statistics.clipFraction).as(where).isCloseTo(expected.clipFraction(), within(1e-9));
                double norm = Math.sqrt(
                        Arrays.stream(expected.gradient()).map(g -> g * g).sum());
                assertThat(statistics.gradientNorm).as(where).isCloseTo(norm, within(1e-5 * norm));
                // After a step from moments of 0, the first moment is (1 - beta1) times the gradient.
                float[] moments = layout.join(learner.exportState().firstMoments());
                for (int i = 0; i < moments.length; i++) {
                    double gradient = expected.gradient()[i];
                    assertThat(moments[i] / (1 - UpdateSettings.BETA1))
                            .as("%s, parameter %s", where, i)
                            .isCloseTo(gradient, within(1e-5 * norm + 1e-4 * Math.abs(gradient)));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void evaluatesTheNetworkAsInDoublePrecision(LearnerCase learnerCase, String device, int threads) {
        NetworkSpec spec = learnerCase.spec();
        float[] weights = learnerCase.weights(SEED);
        int count = spec.distribution().parameterCount();
        try (PpoLearner learner = learner(spec, device, threads, 64)) {
            learner.importState(learnerCase.state(weights));
            for (int size : new int[] {64, 5, 1, 2, 37}) {
                float[] features = learnerCase.batch(size, weights, SEED + size).features();
                float[] expectedOutputs = new float[size * count];
                float[] expectedValues = new float[size];
                ReferencePpo.forward(
                        spec, LearnerCase.doubles(weights), size, features, expectedOutputs, expectedValues);
                float[] outputs = new float[size * count];
                float[] values = new float[size];
                learner.evaluate(size, features, outputs, values);
                String where = size + " rows";
                assertThat(outputs).as(where).containsExactly(expectedOutputs, within(1e-5f));
                assertThat(values).as(where).containsExactly(expectedValues, within(1e-5f));
            }
        }
    }

    // ---- state

    @ParameterizedTest
    @MethodSource("engines")
    void startsFromTheSharedInitialWeights(String device, int threads) {
        NetworkSpec spec =
                LearnerCase.of(new Discrete(4), false, Activation.TANH).spec();
        try (PpoLearner learner = learner(spec, device, threads, 8)) {
            ParameterLayout layout = new ParameterLayout(spec);
            float[] weights = new float[layout.size()];
            learner.copyWeights(weights);
            assertThat(weights).isEqualTo(Initializer.weights(spec, SEED));
            LearnerState state = learner.exportState();
            assertThat(state.weights()).isEqualTo(layout.split(weights));
            assertThat(state.firstMoments()).isEqualTo(layout.split(new float[layout.size()]));
            assertThat(state.secondMoments()).isEqualTo(layout.split(new float[layout.size()]));
            assertThat(state.step()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("smallCases")
    void continuesBitForBitFromAnExportedState(LearnerCase learnerCase, String device, int threads) {
        assumeDeterministic();
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16);
                PpoLearner other = create(learnerCase.spec(), device, threads, 16, SEED + 1)) {
            train(learner, learnerCase, 0, 5);
            LearnerState middle = learner.exportState();
            train(learner, learnerCase, 5, 10);
            LearnerState end = learner.exportState();
            assertThat(end).isNotEqualTo(middle);
            assertThat(end.step()).isEqualTo(10);

            learner.importState(middle);
            assertThat(learner.exportState()).isEqualTo(middle);
            train(learner, learnerCase, 5, 10);
            assertThat(learner.exportState()).isEqualTo(end);
            other.importState(middle);
            train(other, learnerCase, 5, 10);
            assertThat(other.exportState()).isEqualTo(end);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void sharesNoArrayWithAnExportedOrImportedState(String device, int threads) {
        LearnerCase learnerCase = LearnerCase.of(new Discrete(4), false, Activation.TANH);
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            train(learner, learnerCase, 0, 1);
            LearnerState before = learner.exportState();
            LearnerState exported = learner.exportState();
            scribble(exported);
            assertThat(learner.exportState()).isEqualTo(before);

            LearnerState imported = learner.exportState();
            learner.importState(imported);
            scribble(imported);
            assertThat(learner.exportState()).isEqualTo(before);
        }
    }

    private static void scribble(LearnerState state) {
        Stream.of(state.weights(), state.firstMoments(), state.secondMoments())
                .flatMap(List::stream)
                .forEach(tensor -> Arrays.fill(tensor.floats(), 99));
    }

    private Stream<Arguments> wrongStates() {
        String name = "mlp_extractor.value_net.2.weight";
        UnaryOperator<List<Tensor>> missing = tensors ->
                tensors.stream().filter(tensor -> !tensor.name().equals(name)).toList();
        UnaryOperator<List<Tensor>> twice = tensors -> Stream.concat(
                        tensors.stream(),
                        tensors.stream().filter(tensor -> tensor.name().equals(name)))
                .toList();
        UnaryOperator<List<Tensor>> unknown = tensors -> Stream.concat(
                        tensors.stream(), Stream.of(new Tensor(name + "s", new int[] {1}, new float[1])))
                .toList();
        UnaryOperator<List<Tensor>> reshaped = tensors -> tensors.stream()
                .map(tensor -> tensor.name().equals(name) ? new Tensor(name, new int[] {8, 32}, tensor.data()) : tensor)
                .toList();
        return Stream.of(
                        Arguments.of("missing", missing),
                        Arguments.of("twice", twice),
                        Arguments.of("unknown", unknown),
                        Arguments.of("reshaped", reshaped))
                .flatMap(wrong -> Stream.of("weights", "first moments", "second moments")
                        .flatMap(part -> engines()
                                .map(engine -> Arguments.of(
                                        wrong.get()[0], wrong.get()[1], part, engine.get()[0], engine.get()[1]))));
    }

    @ParameterizedTest(name = "{0} in {2}, {3} with {4}")
    @MethodSource("wrongStates")
    void refusesAStateThatDoesNotFitAndNamesTheTensor(
            String what, UnaryOperator<List<Tensor>> wrong, String part, String device, int threads) {
        LearnerCase learnerCase = LearnerCase.of(new Discrete(4), false, Activation.TANH);
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            train(learner, learnerCase, 0, 1);
            LearnerState before = learner.exportState();
            train(learner, learnerCase, 1, 2);
            LearnerState good = learner.exportState();
            learner.importState(before);
            LearnerState bad = new LearnerState(
                    part.equals("weights") ? wrong.apply(good.weights()) : good.weights(),
                    part.equals("first moments") ? wrong.apply(good.firstMoments()) : good.firstMoments(),
                    part.equals("second moments") ? wrong.apply(good.secondMoments()) : good.secondMoments(),
                    good.step());
            assertThatThrownBy(() -> learner.importState(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("mlp_extractor.value_net.2.weight");
            assertThat(learner.exportState()).isEqualTo(before);
        }
    }

    // ---- determinism and threads

    @ParameterizedTest
    @MethodSource("smallCases")
    void isTheSameForTheSameSeedAndThreadCount(LearnerCase learnerCase, String device, int threads) {
        assumeDeterministic();
        assertThat(trained(learnerCase, device, threads)).isEqualTo(trained(learnerCase, device, threads));
    }

    @ParameterizedTest
    @MethodSource("smallCases")
    void dependsLittleOnTheThreadCount(LearnerCase learnerCase, String device, int threads) {
        Assumptions.assumeTrue(threads > 1, "compared with one thread");
        ParameterLayout layout = new ParameterLayout(learnerCase.spec());
        float[] one = layout.join(trained(learnerCase, device, 1).weights());
        float[] several = layout.join(trained(learnerCase, device, threads).weights());
        for (int i = 0; i < one.length; i++) {
            assertThat((double) several[i]).isCloseTo(one[i], within(ConformanceTolerance.of(one[i])));
        }
    }

    @ParameterizedTest
    @MethodSource("smallCases")
    void learnersInSeveralThreadsDoNotDisturbEachOther(LearnerCase learnerCase, String device, int threads)
            throws Exception {
        assumeDeterministic();
        LearnerState expected = trained(learnerCase, device, threads);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            Future<LearnerState> first = executor.submit(() -> trained(learnerCase, device, threads));
            Future<LearnerState> second = executor.submit(() -> trained(learnerCase, device, threads));
            assertThat(first.get()).isEqualTo(expected);
            assertThat(second.get()).isEqualTo(expected);
        } finally {
            executor.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("smallCases")
    void mayBeUsedByAnotherThreadThanTheCreatingOne(LearnerCase learnerCase, String device, int threads)
            throws Exception {
        assumeDeterministic();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            executor.submit(() -> train(learner, learnerCase, 0, 10)).get();
            assertThat(learner.exportState()).isEqualTo(trained(learnerCase, device, threads));
            executor.submit(learner::close).get();
        } finally {
            executor.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("smallCases")
    void changesNothingInABatchButTheAdvantages(LearnerCase learnerCase, String device, int threads) {
        float[] weights = learnerCase.weights(SEED);
        MiniBatch batch = learnerCase.batch(16, weights, SEED);
        MiniBatch same = learnerCase.batch(16, weights, SEED);
        PpoLoss.normalize(same, learnerCase.settings());
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            learner.update(batch, learnerCase.settings(), new UpdateStatistics());
        }
        assertThat(batch.size()).isEqualTo(16);
        assertThat(batch.features()).isEqualTo(same.features());
        assertThat(batch.actions()).isEqualTo(same.actions());
        assertThat(batch.masks()).isEqualTo(same.masks());
        assertThat(batch.logProbabilities()).isEqualTo(same.logProbabilities());
        assertThat(batch.values()).isEqualTo(same.values());
        assertThat(batch.returns()).isEqualTo(same.returns());
        assertThat(batch.advantages()).isEqualTo(same.advantages());
    }

    // ---- steps that are not taken

    @ParameterizedTest
    @MethodSource("smallCases")
    void takesNoStepBeyondTheLargestDivergence(LearnerCase learnerCase, String device, int threads) {
        float[] weights = learnerCase.weights(SEED);
        MiniBatch batch = learnerCase.batch(16, weights, SEED);
        UpdateStatistics statistics = new UpdateStatistics();
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            learner.importState(learnerCase.state(weights));
            LearnerState before = learner.exportState();
            learner.update(batch, learnerCase.limited(0.5, 1e-4), statistics);
            assertThat(statistics.approxKl).isGreaterThan(1e-4);
            assertThat(statistics.stepped).isFalse();
            assertThat(statistics.gradientNorm).isNaN();
            assertThat(learner.exportState()).isEqualTo(before);

            learner.update(batch, learnerCase.limited(0.5, statistics.approxKl * 1.001), statistics);
            assertThat(statistics.stepped).isTrue();
            assertThat(learner.exportState().step()).isEqualTo(1);
        }
    }

    private Stream<Arguments> poisons() {
        Consumer<MiniBatch> feature = batch -> batch.features()[7] = Float.NaN;
        Consumer<MiniBatch> infiniteFeature = batch -> batch.features()[7] = Float.POSITIVE_INFINITY;
        Consumer<MiniBatch> advantage = batch -> batch.advantages()[3] = Float.NaN;
        Consumer<MiniBatch> probability = batch -> batch.logProbabilities()[3] = Float.NaN;
        Consumer<MiniBatch> infiniteProbability = batch -> batch.logProbabilities()[3] = Float.NEGATIVE_INFINITY;
        Consumer<MiniBatch> oldReturn = batch -> batch.returns()[3] = Float.NaN;
        Consumer<MiniBatch> gradient = batch -> Arrays.fill(batch.returns(), Float.MAX_VALUE);
        return Stream.of(
                        Arguments.of("a NaN feature", feature, Activation.TANH),
                        Arguments.of("a NaN feature", feature, Activation.RELU),
                        Arguments.of("an infinite feature", infiniteFeature, Activation.RELU),
                        Arguments.of("a NaN advantage", advantage, Activation.TANH),
                        Arguments.of("a NaN log-probability", probability, Activation.TANH),
                        Arguments.of("an infinite log-probability", infiniteProbability, Activation.TANH),
                        Arguments.of("a NaN return", oldReturn, Activation.TANH),
                        Arguments.of("an infinite gradient of a finite loss", gradient, Activation.TANH))
                .flatMap(poison -> engines()
                        .map(engine -> Arguments.of(
                                poison.get()[0], poison.get()[1], poison.get()[2], engine.get()[0], engine.get()[1])));
    }

    @ParameterizedTest(name = "{0}, {2}, {3} with {4}")
    @MethodSource("poisons")
    void refusesWhatIsNotFiniteAndChangesNothing(
            String what, Consumer<MiniBatch> poison, Activation activation, String device, int threads) {
        LearnerCase learnerCase = LearnerCase.of(new Discrete(4), false, activation);
        float[] weights = learnerCase.weights(SEED);
        MiniBatch batch = learnerCase.batch(16, weights, SEED);
        poison.accept(batch);
        // Large enough that the gradient of the largest returns isn't finite in single precision.
        UpdateSettings settings =
                new UpdateSettings(1e-3, 0.2, Double.POSITIVE_INFINITY, 0.01, 100, 0.5, true, Double.POSITIVE_INFINITY);
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            train(learner, learnerCase, 0, 1);
            LearnerState before = learner.exportState();
            assertThatThrownBy(() -> learner.update(batch, settings, new UpdateStatistics()))
                    .isInstanceOf(NonFiniteException.class);
            assertThat(learner.exportState()).isEqualTo(before);
            // It goes on as if nothing had happened.
            train(learner, learnerCase, 1, 2);
            LearnerState after = learner.exportState();
            learner.importState(before);
            train(learner, learnerCase, 1, 2);
            assertThat(learner.exportState()).isEqualTo(after);
        }
    }

    // ---- life cycle and refusals

    @ParameterizedTest
    @MethodSource("engines")
    void canBeClosedAgainButNotUsed(String device, int threads) {
        LearnerCase learnerCase = LearnerCase.of(new Discrete(4), false, Activation.TANH);
        float[] weights = learnerCase.weights(SEED);
        MiniBatch batch = learnerCase.batch(4, weights, SEED);
        PpoLearner learner = learner(learnerCase.spec(), device, threads, 4);
        LearnerState state = learner.exportState();
        learner.close();
        assertThatCode(learner::close).doesNotThrowAnyException();
        assertThatThrownBy(() -> learner.update(batch, learnerCase.settings(), new UpdateStatistics()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> learner.evaluate(1, batch.features(), new float[4], new float[1]))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> learner.copyWeights(weights)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(learner::exportState).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> learner.importState(state)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void describesItself() {
        PpoBackend backend = backend();
        assertThat(backend.name()).matches("[a-z][a-z0-9-]*");
        assertThat(backend.description()).isNotBlank();
        assertThat(backend.devices()).isNotEmpty();
        assertThat(backend.devices())
                .allSatisfy(device -> assertThat(device.detail()).isNotBlank());
    }

    @ParameterizedTest
    @MethodSource("engines")
    void namesItsKernelAndItsDevice(String device, int threads) {
        try (PpoLearner learner =
                learner(LearnerCase.of(new Discrete(2), false, Activation.TANH).spec(), device, threads, 4)) {
            assertThat(learner.kernel()).isNotBlank();
            assertThat(learner.device()).isEqualTo(device);
        }
    }

    @Test
    void choosesAUsableDeviceByItself() {
        Assumptions.assumeFalse(devices().isEmpty(), "no device of this backend is usable here");
        LearnerCase learnerCase = LearnerCase.of(new Discrete(4), false, Activation.TANH);
        try (PpoLearner learner = learner(learnerCase.spec(), "auto", 1, 16)) {
            train(learner, learnerCase, 0, 1);
            assertThat(learner.exportState().step()).isEqualTo(1);
            assertThat(devices()).contains(learner.device());
        }
    }

    @Test
    void refusesADeviceThatItDoesNotHave() {
        refusesDevice("gpu:9999");
    }

    @Test
    void refusesEveryDeviceThatIsNotUsable() {
        List<Device> unusable =
                backend().devices().stream().filter(device -> !device.usable()).toList();
        Assumptions.assumeFalse(unusable.isEmpty(), "all devices of this backend are usable here");
        unusable.forEach(device -> refusesDevice(device.name()));
    }

    private void refusesDevice(String device) {
        NetworkSpec spec =
                LearnerCase.of(new Discrete(4), false, Activation.TANH).spec();
        assertThatThrownBy(() -> backend().createLearner(new LearnerRequest(spec, device, 1, 4, SEED)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("device")
                .hasMessageContaining(device);
    }

    @ParameterizedTest
    @EnumSource(value = Capability.class, mode = EnumSource.Mode.EXCLUDE, names = "DETERMINISTIC")
    void refusesWhatItCannotDo(Capability capability) {
        Assumptions.assumeFalse(
                backend().capabilities().contains(capability), () -> backend().name() + " can do " + capability);
        NetworkSpec spec = switch (capability) {
            case DISCRETE -> NetworkSpec.defaults(Box.unbounded(3), new Discrete(2), false);
            case MULTI_DISCRETE -> NetworkSpec.defaults(Box.unbounded(3), new MultiDiscrete(2, 3), false);
            case CONDITIONAL_DISCRETE ->
                NetworkSpec.defaults(Box.unbounded(3), new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0), false);
            case MULTI_BINARY -> NetworkSpec.defaults(Box.unbounded(3), new MultiBinary(2), false);
            case BOX -> NetworkSpec.defaults(Box.unbounded(3), Box.of(-1, 1, 2), false);
            case MASKS -> NetworkSpec.defaults(Box.unbounded(3), new Discrete(2), true);
            case SHARED_LAYERS ->
                new NetworkSpec(
                        Box.unbounded(3),
                        new Discrete(2),
                        false,
                        List.of(8),
                        List.of(),
                        List.of(),
                        Activation.TANH,
                        true,
                        0);
            case RELU -> NetworkSpec.of(Box.unbounded(3), new Discrete(2), false, Activation.RELU, 8);
            case TANH, THREADS, DETERMINISTIC -> NetworkSpec.defaults(Box.unbounded(3), new Discrete(2), false);
        };
        int threads = capability == Capability.THREADS ? 2 : 1;
        assertThatThrownBy(() -> backend().createLearner(new LearnerRequest(spec, "auto", threads, 4, SEED)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(capability.name());
    }

    // ---- helpers

    private Stream<Arguments> smallCases() {
        return LearnerCase.ofEachActionSpace().stream()
                .flatMap(learnerCase ->
                        engines().map(engine -> Arguments.of(learnerCase, engine.get()[0], engine.get()[1])));
    }

    private PpoLearner learner(NetworkSpec spec, String device, int threads, int maxBatchSize) {
        return create(spec, device, threads, maxBatchSize, SEED);
    }

    /** Creates a learner, or skips the test if the backend says that it can't do it. */
    private PpoLearner create(NetworkSpec spec, String device, int threads, int maxBatchSize, long seed) {
        LearnerRequest request = new LearnerRequest(spec, device, threads, maxBatchSize, seed);
        Set<Capability> missing = Capability.neededFor(request);
        missing.removeAll(backend().capabilities());
        Assumptions.assumeTrue(missing.isEmpty(), () -> backend().name() + " can't do " + missing);
        return backend().createLearner(request);
    }

    private void assumeDeterministic() {
        Assumptions.assumeTrue(
                backend().capabilities().contains(Capability.DETERMINISTIC),
                () -> backend().name() + " doesn't promise the same bits again");
    }

    /** Does the steps {@code from} to {@code to - 1} of a fixed sequence; the mini-batches differ in size. */
    private static void train(PpoLearner learner, LearnerCase learnerCase, int from, int to) {
        float[] weights = learnerCase.weights(SEED);
        for (int i = from; i < to; i++) {
            int size = i % 3 == 2 ? 5 : 16;
            learner.update(learnerCase.batch(size, weights, SEED + i), learnerCase.settings(), new UpdateStatistics());
        }
    }

    private LearnerState trained(LearnerCase learnerCase, String device, int threads) {
        try (PpoLearner learner = learner(learnerCase.spec(), device, threads, 16)) {
            train(learner, learnerCase, 0, 10);
            return learner.exportState();
        }
    }
}
