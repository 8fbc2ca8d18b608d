package dev.holdfast.rl.api.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.testing.Golden;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InitializerTest {
    /** The four networks of the golden file. */
    private static Stream<Arguments> policies() {
        Box observations = Box.unbounded(5);
        NetworkSpec discrete = NetworkSpec.defaults(observations, new Discrete(2), false);
        List<NetworkSpec> specs = List.of(
                discrete,
                NetworkSpec.defaults(observations, Box.of(-1, 1, 2), false),
                new NetworkSpec(
                        observations,
                        new MultiDiscrete(3, 2, 4),
                        true,
                        List.of(),
                        List.of(32, 16),
                        List.of(24),
                        Activation.TANH,
                        true,
                        0),
                new NetworkSpec(
                        observations,
                        new Discrete(2),
                        false,
                        List.of(),
                        List.of(64, 64),
                        List.of(64, 64),
                        Activation.TANH,
                        false,
                        0));
        List<JsonNode> policies = StreamSupport.stream(
                        Golden.load("orthogonal_init").required("policies").spliterator(), false)
                .toList();
        assertThat(policies).hasSize(4);
        return Stream.of(0, 1, 2, 3).map(i -> Arguments.of(specs.get(i), policies.get(i)));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void gainsAreTheReferenceImplementationsAndRowsOrColumnsAreExactlyOrthogonal(NetworkSpec spec, JsonNode golden) {
        ParameterLayout layout = new ParameterLayout(spec);
        float[] weights = Initializer.weights(spec, 11);
        List<ParameterLayout.Layer> layers = new ArrayList<>(layout.policy());
        layers.addAll(layout.value());
        layers.add(layout.actionHead());
        layers.add(layout.valueHead());
        JsonNode expected = golden.required("layers");
        assertThat(layers).hasSize(expected.size());
        for (int i = 0; i < layers.size(); i++) {
            ParameterLayout.Layer layer = layers.get(i);
            assertThat(layer.name()).isEqualTo(expected.get(i).required("layer").textValue());
            assertThat(layer.out())
                    .isEqualTo(expected.get(i).required("out_features").intValue());
            assertThat(layer.in())
                    .isEqualTo(expected.get(i).required("in_features").intValue());
            if (spec.orthogonal()) {
                double gain = expected.get(i).required("gain_measured").doubleValue();
                isOrthogonal(weights, layer, gain);
            } else {
                isUniform(
                        weights,
                        layer,
                        expected.get(i)
                                .required("expected_uniform_bound_if_not_orthogonal")
                                .doubleValue());
            }
        }
        if (spec.actionSpace() instanceof Box) {
            assertThat(Arrays.copyOf(weights, 2)).isEqualTo(Golden.floats(golden.required("log_std")));
        }
    }

    private static void isOrthogonal(float[] weights, ParameterLayout.Layer layer, double gain) {
        boolean rows = layer.out() <= layer.in();
        int count = rows ? layer.out() : layer.in();
        int length = rows ? layer.in() : layer.out();
        for (int a = 0; a < count; a++) {
            for (int b = 0; b <= a; b++) {
                double product = 0;
                for (int k = 0; k < length; k++) {
                    product += (double) weight(weights, layer, rows, a, k) * weight(weights, layer, rows, b, k);
                }
                double expected = a == b ? gain * gain : 0;
                // What is left is the rounding of the weights to floats.
                assertThat(product).isCloseTo(expected, within(6e-7 * gain * gain));
            }
        }
        for (int o = 0; o < layer.out(); o++) {
            assertThat(weights[layer.biasOffset() + o]).isZero();
        }
    }

    private static float weight(float[] weights, ParameterLayout.Layer layer, boolean rows, int vector, int element) {
        return weights[layer.weightOffset() + (rows ? vector * layer.in() + element : element * layer.in() + vector)];
    }

    private static void isUniform(float[] weights, ParameterLayout.Layer layer, double bound) {
        int count = layer.in() * layer.out();
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double weight = weights[layer.weightOffset() + i];
            assertThat(weight).isBetween(-bound, bound);
            sum += weight;
            squares += weight * weight;
        }
        // Five standard errors; the variances of x and x² are b²/3 and 4 b⁴/45.
        assertThat(sum / count).isCloseTo(0, within(5 * bound / Math.sqrt(3.0 * count)));
        assertThat(squares / count).isCloseTo(bound * bound / 3, within(5 * bound * bound * 0.3 / Math.sqrt(count)));
        double largest = 0;
        for (int o = 0; o < layer.out(); o++) {
            largest = Math.max(largest, Math.abs(weights[layer.biasOffset() + o]));
        }
        assertThat(largest).isPositive().isLessThanOrEqualTo(bound);
    }

    @Test
    void logStdStartsAsAskedFor() {
        NetworkSpec spec = new NetworkSpec(
                Box.unbounded(2),
                Box.of(-1, 1, 3),
                false,
                List.of(4),
                List.of(),
                List.of(),
                Activation.RELU,
                true,
                -0.5);
        assertThat(Arrays.copyOf(Initializer.weights(spec, 1), 3)).containsExactly(-0.5f, -0.5f, -0.5f);
    }

    @Test
    void dependsOnNetworkAndSeedAlone() {
        NetworkSpec spec = NetworkSpec.defaults(Box.unbounded(4), new Discrete(2), false);
        assertThat(Initializer.weights(spec, 1)).isEqualTo(Initializer.weights(spec, 1));
        assertThat(Initializer.weights(spec, 1)).isNotEqualTo(Initializer.weights(spec, 2));
    }
}
