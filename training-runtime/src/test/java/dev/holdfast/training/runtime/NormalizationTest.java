package dev.holdfast.training.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.testing.Golden;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NormalizationTest {
    static Stream<JsonNode> runningCases() {
        return StreamSupport.stream(
                Golden.load("vecnormalize").required("running_mean_std").spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("runningCases")
    void runningStatisticsAgreeWithTheReference(JsonNode golden) {
        int size = Arrays.stream(Golden.ints(golden.required("shape"))).reduce(1, (a, b) -> a * b);
        RunningMeanStd statistics = new RunningMeanStd(size);
        JsonNode states = golden.required("state_before_and_after_each");
        for (int i = 0; i < golden.required("batches").size(); i++) {
            float[] batch = Golden.floats(golden.required("batches").get(i));
            statistics.update(batch, batch.length / size);
            close(statistics.mean, Golden.doubles(states.get(i + 1).required("mean")));
            close(statistics.variance, Golden.doubles(states.get(i + 1).required("var")));
            assertThat(statistics.count)
                    .isEqualTo(states.get(i + 1).required("count").doubleValue());
        }
    }

    static Stream<JsonNode> sequences() {
        return StreamSupport.stream(
                Golden.load("vecnormalize").required("cases").spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("sequences")
    void sequencesAgreeWithTheReference(JsonNode golden) {
        int environments = golden.required("n_envs").intValue();
        int size = golden.required("obs_dim").intValue();
        Normalization normalization = new Normalization(
                environments,
                Box.unbounded(size),
                golden.required("norm_obs").booleanValue(),
                golden.required("norm_reward").booleanValue(),
                golden.required("gamma").doubleValue(),
                golden.required("epsilon").doubleValue(),
                golden.required("clip_obs").doubleValue(),
                golden.required("clip_reward").doubleValue());
        float[] observations = new float[environments * size];
        float[] rewards = new float[environments];
        int compared = 0;
        for (JsonNode step : golden.required("sequence")) {
            if (step.has("training") && !step.required("training").booleanValue()) {
                // Evaluation normalises without taking anything in.
                normalization.normalize(Golden.floats(step.required("raw_obs")), observations, environments);
                close(observations, Golden.floats(step.required("obs")));
                continue;
            }
            normalization.observe(Golden.floats(step.required("raw_obs")), observations, environments);
            close(observations, Golden.floats(step.required("obs")));
            if (step.required("op").textValue().equals("step")) {
                boolean[] dones = Golden.booleans(step.required("dones"));
                normalization.reward(
                        Golden.floats(step.required("raw_rewards")), dones, new boolean[environments], rewards);
                close(rewards, Golden.floats(step.required("rewards")));
            }
            compared++;
        }
        assertThat(compared).isPositive();
    }

    @Test
    void savedStatisticsComeBack() {
        Normalization normalization = new Normalization(2, Box.unbounded(1), true, true, 0.9);
        float[] out = new float[2];
        normalization.observe(new float[] {1, 5}, out, 2);
        normalization.reward(new float[] {1, 2}, new boolean[2], new boolean[2], out);
        Normalization copy = new Normalization(2, Box.unbounded(1), true, true, 0.9);
        copy.restore(normalization.save());
        assertThat(copy.save()).isEqualTo(normalization.save());
    }

    @Test
    void onlyNumbersCanBeNormalized() {
        assertThatThrownBy(() -> new Normalization(1, new Discrete(3), true, false, 0.9))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("normalize_observation must be false unless observations are a Box")
                .hasMessageContaining("Discrete(3)");
    }

    private static void close(float[] actual, float[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(1e-5f + 1e-4f * Math.abs(expected[i])));
        }
    }

    private static void close(double[] actual, double[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(1e-5 + 1e-4 * Math.abs(expected[i])));
        }
    }
}
