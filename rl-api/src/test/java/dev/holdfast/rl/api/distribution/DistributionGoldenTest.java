package dev.holdfast.rl.api.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.testing.Golden;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DistributionGoldenTest {
    private static final double[] NO_LOG_STD = {};

    private static Stream<JsonNode> cases(String kind) {
        return StreamSupport.stream(Golden.load("distributions").required(kind).spliterator(), false);
    }

    private static Stream<JsonNode> maskedCategoricals() {
        return cases("masked_categorical");
    }

    @ParameterizedTest
    @MethodSource("maskedCategoricals")
    void maskedCategorical(JsonNode golden) {
        float[] logits = Golden.floats(golden.required("logits"));
        boolean[] mask = mask(golden);
        Row row = Row.categorical(logits, mask);
        String name = golden.required("name").textValue();
        if (name.startsWith("all masked")) {
            // The reference implementation then chooses among invalid actions; here, a caller finds out in time.
            assertThat(new CategoricalDistribution(logits.length).emptyBranch(mask, 0))
                    .isEqualTo("branch 0");
            return;
        }
        if (name.startsWith("valid logit below -1e8")) {
            // The reference implementation then prefers masked actions.
            assertThat(row.mode()).containsExactly(0f);
            assertThat(row.logProbability(0)).isZero();
            return;
        }
        // The reference implementation normalises logits in single precision, before masking.
        double slack = 0;
        for (float logit : logits) {
            slack = Math.max(slack, Math.ulp(Math.abs(logit)));
        }
        float[] logProbabilities = Golden.floats(golden.required("log_prob"));
        float[] probabilities = Golden.floats(golden.required("probs"));
        for (int i = 0; i < logits.length; i++) {
            float actual = row.logProbability(i);
            if (mask == null || mask[i]) {
                close(actual, logProbabilities[i], slack);
                close(Math.exp(actual), probabilities[i], 0);
            } else {
                assertThat(actual).isEqualTo(ActionDistribution.MASKED_LOG_PROBABILITY);
            }
        }
        float mode = golden.required("mode").floatValue();
        assertThat(row.mode()).containsExactly(mode);
        close(row.entropy(), golden.required("entropy").doubleValue(), slack);
        gradientsAgree(row.gradient(0, 1, NO_LOG_STD, mode), golden.required("grad_entropy_wrt_logits"), mask, slack);
        gradientsAgree(
                row.gradient(1, 0, NO_LOG_STD, mode), golden.required("grad_logprob_of_mode_wrt_logits"), mask, slack);
    }

    private static void gradientsAgree(float[] actual, JsonNode golden, boolean @Nullable [] mask, double slack) {
        float[] expected = Golden.floats(golden);
        for (int i = 0; i < expected.length; i++) {
            if (mask == null || mask[i]) {
                close(actual[i], expected[i], slack);
            } else {
                assertThat(actual[i]).isZero();
            }
        }
    }

    private static Stream<JsonNode> categoricals() {
        return cases("categorical");
    }

    @ParameterizedTest
    @MethodSource("categoricals")
    void categorical(JsonNode golden) {
        float[] logits = Golden.floats(golden.required("logits"));
        Row row = Row.categorical(logits, null);
        float[] logProbabilities = Golden.floats(golden.required("log_prob"));
        for (int i = 0; i < logits.length; i++) {
            close(row.logProbability(i), logProbabilities[i], 0);
        }
        assertThat(row.mode()).containsExactly(golden.required("mode").floatValue());
        close(row.entropy(), golden.required("entropy").doubleValue(), 0);
    }

    private static Stream<JsonNode> maskedMultiCategoricals() {
        return cases("masked_multicategorical");
    }

    @ParameterizedTest
    @MethodSource("maskedMultiCategoricals")
    void maskedMultiCategorical(JsonNode golden) {
        joint(golden, new CategoricalDistribution(Golden.ints(golden.required("dims"))));
    }

    private static Stream<JsonNode> maskedBernoullis() {
        return cases("masked_bernoulli");
    }

    @ParameterizedTest
    @MethodSource("maskedBernoullis")
    void maskedBernoulli(JsonNode golden) {
        joint(golden, new CategoricalDistribution(2, 2, 2));
    }

    private static Stream<JsonNode> bernoullis() {
        return cases("bernoulli");
    }

    @ParameterizedTest
    @MethodSource("bernoullis")
    void bernoulli(JsonNode golden) {
        joint(golden, new BernoulliDistribution(golden.required("n").intValue()));
    }

    private static void joint(JsonNode golden, ActionDistribution distribution) {
        Row row = new Row(distribution, Golden.floats(golden.required("logits")), new float[0], mask(golden));
        float[] logProbabilities = Golden.floats(golden.required("log_prob"));
        JsonNode actions = golden.required("actions");
        for (int i = 0; i < logProbabilities.length; i++) {
            float actual = row.logProbability(Golden.floats(actions.get(i)));
            if (logProbabilities[i] < -1e7) {
                // The size of what stands for log 0 depends on how many branches are masked.
                assertThat(actual).isLessThan(-9e7f);
            } else {
                close(actual, logProbabilities[i], 0);
            }
        }
        close(row.entropy(), golden.required("entropy").doubleValue(), 0);
        assertThat(row.mode()).isEqualTo(Golden.floats(golden.required("mode")));
    }

    private static Stream<JsonNode> gaussians() {
        return cases("diag_gaussian");
    }

    @ParameterizedTest
    @MethodSource("gaussians")
    void gaussian(JsonNode golden) {
        float[] mean = Golden.floats(golden.required("mean"));
        Row row = new Row(new GaussianDistribution(mean.length), mean, Golden.floats(golden.required("log_std")), null);
        float[] logProbabilities = Golden.floats(golden.required("log_prob"));
        for (int i = 0; i < logProbabilities.length; i++) {
            close(row.logProbability(Golden.floats(golden.required("actions").get(i))), logProbabilities[i], 0);
        }
        close(row.entropy(), golden.required("entropy").doubleValue(), 0);
        assertThat(row.mode()).isEqualTo(Golden.floats(golden.required("mode")));
    }

    private static boolean @Nullable [] mask(JsonNode golden) {
        JsonNode mask = golden.get("mask");
        return mask == null || mask.isNull() ? null : Golden.booleans(mask);
    }

    private static void close(double actual, double expected, double slack) {
        assertThat(actual).isCloseTo(expected, within(1e-6 + 1e-5 * Math.abs(expected) + slack));
    }
}
