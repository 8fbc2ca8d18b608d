package dev.holdfast.rl.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.testing.Golden;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObservationNormalizerTest {
    private static Stream<JsonNode> cases() {
        return StreamSupport.stream(
                        Golden.load("vecnormalize").required("cases").spliterator(), false)
                .filter(golden -> golden.required("norm_obs").booleanValue());
    }

    /** The statistics of each moment are given; how they come about is the trainer's matter. */
    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithTheReferenceImplementation(JsonNode golden) {
        int compared = 0;
        for (JsonNode operation : golden.required("sequence")) {
            if (!operation.has("raw_obs") || !operation.has("obs_rms")) {
                continue;
            }
            float[] raw = Golden.floats(operation.required("raw_obs"));
            JsonNode statistics = operation.required("obs_rms");
            ObservationNormalizer normalizer = new ObservationNormalizer(
                    Golden.doubles(statistics.required("mean")),
                    Golden.doubles(statistics.required("var")),
                    golden.required("epsilon").doubleValue(),
                    golden.required("clip_obs").doubleValue());
            float[] normalised = new float[raw.length];
            normalizer.apply(raw, normalised, golden.required("n_envs").intValue());
            assertThat(normalised).isEqualTo(Golden.floats(operation.required("obs")));
            normalizer.apply(raw, raw, golden.required("n_envs").intValue());
            assertThat(raw).isEqualTo(normalised);
            compared++;
        }
        assertThat(compared).isPositive();
    }

    @Test
    void isReadFromTheTensorsOfACheckpoint() {
        List<Tensor> tensors = List.of(
                new Tensor(ObservationNormalizer.LIMITS, new int[] {2}, new double[] {1, 2}),
                new Tensor(ObservationNormalizer.MEAN, new int[] {1}, new double[] {10}),
                new Tensor("ret_rms.mean", new int[] {1}, new double[] {5}),
                new Tensor(ObservationNormalizer.VARIANCE, new int[] {1}, new double[] {3}));
        ObservationNormalizer normalizer = ObservationNormalizer.from(tensors);
        float[] values = {12, 100, -100};
        normalizer.apply(values, values, 3);
        assertThat(values).containsExactly(1f, 2f, -2f);
        assertThat(ObservationNormalizer.from(tensors.subList(0, 3))).isNull();
        assertThat(ObservationNormalizer.from(List.of())).isNull();
    }

    @Test
    void saysWhatItIsMadeOf() {
        double[] mean = {10};
        ObservationNormalizer normalizer = new ObservationNormalizer(mean, new double[] {3}, 1, 5);
        assertThat(normalizer.mean()).containsExactly(10).isNotSameAs(mean);
        assertThat(normalizer.deviation()).containsExactly(2);
        assertThat(normalizer.clip()).isEqualTo(5);
    }
}
