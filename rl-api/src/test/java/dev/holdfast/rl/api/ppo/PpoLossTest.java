package dev.holdfast.rl.api.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.testing.Golden;
import dev.holdfast.rl.api.testing.GoldenUpdate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PpoLossTest {
    private static final NetworkSpec SPEC = NetworkSpec.of(Box.unbounded(1), new Discrete(2), false, Activation.TANH);
    private static final double INF = Double.POSITIVE_INFINITY;

    private static List<String> goldenUpdates() {
        return GoldenUpdate.NAMES;
    }

    @ParameterizedTest
    @MethodSource("goldenUpdates")
    void normalisesAdvantagesLikeTheReferenceImplementation(String name) {
        GoldenUpdate golden = new GoldenUpdate(name);
        MiniBatch batch = golden.newBatch();
        for (JsonNode miniBatch : golden.miniBatches()) {
            golden.fill(miniBatch, batch);
            PpoLoss.normalize(batch, golden.settings());
            float[] expected = Golden.floats(miniBatch.required("advantages"));
            for (int i = 0; i < batch.size(); i++) {
                assertThat(batch.advantages()[i]).isCloseTo(expected[i], within(2e-6f));
            }
        }
    }

    @Test
    void leavesTheAdvantageOfASingleSampleAlone() {
        MiniBatch batch = new MiniBatch(SPEC, 2);
        batch.size(1);
        batch.advantages()[0] = 3;
        PpoLoss.normalize(batch, settings(0.2, INF, 0, true));
        assertThat(batch.advantages()[0]).isEqualTo(3f);
    }

    @Test
    void makesEqualAdvantagesZero() {
        MiniBatch batch = new MiniBatch(SPEC, 3);
        batch.size(3);
        java.util.Arrays.fill(batch.advantages(), 5);
        PpoLoss.normalize(batch, settings(0.2, INF, 0, true));
        assertThat(batch.advantages()).containsExactly(0, 0, 0);
    }

    /** Two equal logits: the probability is 0.5, and the ratio what the old log-probability makes of it. */
    @ParameterizedTest
    @CsvSource({
        // ratio, advantage, loss, does the gradient flow
        "1.0, 2, -2, true",
        "1.1, 2, -2.2, true",
        "1.5, 2, -2.4, false",
        "1.5, -2, 3.0, true",
        "0.5, 2, -1.0, true",
        "0.5, -2, 1.6, false",
        "0.9, -2, 1.8, true"
    })
    void clipsTheObjectiveWhereTheRatioHasMovedFarInTheAdvantagesDirection(
            double ratio, float advantage, double loss, boolean flows) {
        MiniBatch batch = new MiniBatch(SPEC, 1);
        batch.size(1);
        batch.advantages()[0] = advantage;
        batch.logProbabilities()[0] = (float) (Math.log(0.5) - Math.log(ratio));
        UpdateSettings settings = settings(0.2, INF, 0, false);
        float[] gradient = new float[2];
        UpdateStatistics statistics = evaluate(batch, settings, new float[2], new float[1], gradient, new float[1]);
        assertThat(statistics.policyLoss).isCloseTo(loss, within(1e-6));
        assertThat(statistics.clipFraction).isEqualTo(Math.abs(ratio - 1) > 0.2 ? 1 : 0);
        assertThat(statistics.approxKl).isCloseTo(ratio - 1 - Math.log(ratio), within(1e-6));
        // d(-r A)/dz of the chosen action: -r A (1 - p)
        double expected = flows ? -ratio * advantage * 0.5 : 0;
        assertThat((double) gradient[0]).isCloseTo(expected, within(1e-6));
        assertThat((double) gradient[1]).isCloseTo(-expected, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        // estimate, old estimate, return, squared error, gradient
        "1.0, 1.0, 3, 4, -2",
        "1.05, 1.0, 3, 3.8025, -1.95",
        "2.0, 1.0, 3, 3.61, 0",
        "0.0, 1.0, 3, 4.41, 0",
    })
    void clipsTheValueEstimateAroundTheOldOne(
            float value, float old, float expectedReturn, double squaredError, double expectedGradient) {
        MiniBatch batch = new MiniBatch(SPEC, 1);
        batch.size(1);
        batch.values()[0] = old;
        batch.returns()[0] = expectedReturn;
        float[] gradient = new float[1];
        UpdateStatistics statistics = evaluate(
                batch, settings(0.2, 0.1, 0, false), new float[2], new float[] {value}, new float[2], gradient);
        assertThat(statistics.valueLoss).isCloseTo(squaredError, within(1e-6));
        assertThat((double) gradient[0]).isCloseTo(expectedGradient, within(1e-6));
    }

    @Test
    void rowsMayBeSharedOut() {
        MiniBatch batch = new MiniBatch(SPEC, 5);
        batch.size(5);
        float[] outputs = new float[10];
        float[] values = new float[5];
        for (int i = 0; i < 5; i++) {
            outputs[2 * i] = 0.3f * i;
            values[i] = i;
            batch.actions()[i] = i % 2;
            batch.advantages()[i] = i - 1.5f;
            batch.logProbabilities()[i] = -0.5f;
            batch.returns()[i] = 2;
        }
        UpdateSettings settings = settings(0.2, INF, 0.1, false);
        float[] gradient = new float[10];
        float[] valueGradient = new float[5];
        UpdateStatistics whole = evaluate(batch, settings, outputs, values, gradient, valueGradient);

        PpoLoss[] parts = {new PpoLoss(SPEC), new PpoLoss(SPEC)};
        float[] sharedGradient = new float[10];
        float[] sharedValueGradient = new float[5];
        float[] none = {};
        parts[0].evaluate(
                batch, 0, 2, settings, outputs, values, none, sharedGradient, sharedValueGradient, new double[0]);
        parts[1].evaluate(
                batch, 2, 5, settings, outputs, values, none, sharedGradient, sharedValueGradient, new double[0]);
        UpdateStatistics shared = new UpdateStatistics();
        PpoLoss.summarize(parts, 5, settings, shared);
        assertThat(sharedGradient).isEqualTo(gradient);
        assertThat(sharedValueGradient).isEqualTo(valueGradient);
        assertThat(shared.loss).isCloseTo(whole.loss, within(1e-12));
        assertThat(shared.clipFraction).isEqualTo(whole.clipFraction);
        assertThat(whole.loss)
                .isCloseTo(whole.policyLoss + 0.1 * whole.entropyLoss + 0.5 * whole.valueLoss, within(1e-12));
    }

    @Test
    void namesTheTermThatIsNotFinite() {
        refuses(batch -> batch.advantages()[0] = Float.NaN, "train/policy_gradient_loss is NaN");
        refuses(batch -> batch.returns()[0] = Float.NaN, "train/value_loss is NaN");
        refuses(batch -> batch.returns()[0] = Float.NEGATIVE_INFINITY, "train/value_loss is Infinity");
        refuses(batch -> batch.logProbabilities()[0] = Float.POSITIVE_INFINITY, "train/approx_kl is Infinity");
    }

    private static void refuses(java.util.function.Consumer<MiniBatch> poison, String message) {
        MiniBatch batch = new MiniBatch(SPEC, 1);
        batch.size(1);
        poison.accept(batch);
        assertThatThrownBy(() -> evaluate(
                        batch, settings(0.2, INF, 0, false), new float[2], new float[1], new float[2], new float[1]))
                .isInstanceOf(NonFiniteException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aMiniBatchHasASize() {
        MiniBatch batch = new MiniBatch(SPEC, 2);
        assertThat(batch.capacity()).isEqualTo(2);
        assertThat(batch.size()).isZero();
        assertThat(batch.masks()).isNull();
        assertThatThrownBy(() -> batch.size(3)).hasMessage("a mini-batch's size must be in [1, 2], but was 3");
        assertThatThrownBy(() -> batch.size(0)).hasMessage("a mini-batch's size must be in [1, 2], but was 0");
    }

    private static UpdateStatistics evaluate(
            MiniBatch batch,
            UpdateSettings settings,
            float[] outputs,
            float[] values,
            float[] outputGradient,
            float[] valueGradient) {
        PpoLoss loss = new PpoLoss(SPEC);
        loss.evaluate(
                batch,
                0,
                batch.size(),
                settings,
                outputs,
                values,
                new float[0],
                outputGradient,
                valueGradient,
                new double[0]);
        UpdateStatistics statistics = new UpdateStatistics();
        PpoLoss.summarize(new PpoLoss[] {loss}, batch.size(), settings, statistics);
        return statistics;
    }

    private static UpdateSettings settings(double clipRange, double clipRangeVf, double entCoef, boolean normalize) {
        return new UpdateSettings(1e-3, clipRange, clipRangeVf, entCoef, 0.5, 0.5, normalize, INF);
    }
}
