package dev.holdfast.rl.api.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ActionDistributionTest {
    private static Stream<Arguments> sizes() {
        return Stream.of(
                Arguments.of(new Discrete(4), false, 4, 1, 4),
                Arguments.of(new Discrete(4), true, 4, 1, 4),
                Arguments.of(new MultiDiscrete(3, 2, 4), true, 9, 3, 9),
                Arguments.of(new ConditionalDiscrete(new MultiDiscrete(3, 2, 4), -1, 0, -1), false, 13, 3, 13),
                Arguments.of(new MultiBinary(3), false, 3, 3, 0),
                Arguments.of(new MultiBinary(3), true, 6, 3, 6),
                Arguments.of(Box.of(-1, 1, 2, 3), false, 6, 6, 0));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void eachActionSpaceHasItsDistribution(Space space, boolean masked, int parameters, int action, int mask) {
        ActionDistribution distribution = ActionDistribution.of(space, masked);
        assertThat(distribution.parameterCount()).isEqualTo(parameters);
        assertThat(distribution.actionSize()).isEqualTo(action).isEqualTo(space.size());
        assertThat(distribution.maskSize()).isEqualTo(mask);
    }

    @Test
    void findsTheFirstBranchWithoutAValidAction() {
        ActionDistribution distribution = new CategoricalDistribution(2, 1, 3);
        boolean[] before = {false, false, /* */ true, false, /* */ true, /* */ false, false, true};
        assertThat(distribution.emptyBranch(before, 2)).isNull();
        assertThat(distribution.emptyBranch(new boolean[] {true, false, false, false, false, true}, 0))
                .isEqualTo("branch 1");
        assertThat(distribution.emptyBranch(new boolean[] {true, true, true, false, false, false}, 0))
                .isEqualTo("branch 2");
        assertThat(distribution.emptyBranch(new boolean[6], 0)).isEqualTo("branch 0");
        assertThat(new GaussianDistribution(1).emptyBranch(new boolean[0], 0)).isNull();
        assertThat(new BernoulliDistribution(1).emptyBranch(new boolean[0], 0)).isNull();
    }

    @Test
    void aMaskedActionInOneBranchLeavesTheOthersGradientAlone() {
        Row row = new Row(
                new CategoricalDistribution(2, 2), new float[4], new float[0], new boolean[] {true, false, true, true});
        assertThat(row.logProbability(1, 0)).isEqualTo(-1e8f);
        assertThat(row.gradient(1, 0, new double[0], 1, 0))
                .containsExactly(new float[] {0f, 0f, 0.5f, -0.5f}, within(0f));
    }

    private static Stream<Arguments> gradients() {
        return Stream.of(
                Arguments.of(new CategoricalDistribution(7), null),
                Arguments.of(
                        new CategoricalDistribution(7), new boolean[] {true, false, true, true, false, false, true}),
                Arguments.of(new CategoricalDistribution(2, 1, 4), null),
                Arguments.of(
                        new CategoricalDistribution(2, 1, 4),
                        new boolean[] {true, true, true, false, true, true, false}),
                Arguments.of(new BernoulliDistribution(7), null),
                Arguments.of(new GaussianDistribution(7), null));
    }

    /** Central differences of the float results, hence the wide step and tolerance. */
    @ParameterizedTest
    @MethodSource("gradients")
    void gradientsAreThoseOfLogProbabilityAndEntropy(ActionDistribution distribution, boolean @Nullable [] mask) {
        RandomStream random = new RandomStream(6);
        float h = 1e-2f;
        for (int trial = 0; trial < 20; trial++) {
            float[] parameters = normals(7, random);
            float[] logStd = distribution instanceof GaussianDistribution ? normals(7, random) : new float[0];
            float[] action = new Row(distribution, parameters, logStd, mask).sample(random);
            float a = (float) random.nextGaussian();
            float b = (float) random.nextGaussian();
            double[] logStdGradient = new double[logStd.length];
            float[] gradient = new Row(distribution, parameters, logStd, mask).gradient(a, b, logStdGradient, action);
            for (int i = 0; i < parameters.length; i++) {
                double expected = (objective(distribution, moved(parameters, i, h), logStd, mask, a, b, action)
                                - objective(distribution, moved(parameters, i, -h), logStd, mask, a, b, action))
                        / (2 * h);
                assertThat((double) gradient[i]).isCloseTo(expected, within(2e-3 * (1 + Math.abs(expected))));
            }
            for (int i = 0; i < logStd.length; i++) {
                double expected = (objective(distribution, parameters, moved(logStd, i, h), mask, a, b, action)
                                - objective(distribution, parameters, moved(logStd, i, -h), mask, a, b, action))
                        / (2 * h);
                assertThat(logStdGradient[i]).isCloseTo(expected, within(2e-3 * (1 + Math.abs(expected))));
            }
        }
    }

    private static double objective(
            ActionDistribution distribution,
            float[] parameters,
            float[] logStd,
            boolean @Nullable [] mask,
            float a,
            float b,
            float[] action) {
        Row row = new Row(distribution, parameters, logStd, mask);
        return (double) a * row.logProbability(action) + (double) b * row.entropy();
    }

    private static float[] normals(int n, RandomStream random) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static float[] moved(float[] values, int index, float by) {
        float[] moved = values.clone();
        moved[index] += by;
        return moved;
    }
}
