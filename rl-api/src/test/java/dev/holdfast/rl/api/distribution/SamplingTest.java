package dev.holdfast.rl.api.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingTest {
    private static final int DRAWS = 200_000;

    /** Draws what it is told. */
    private record Fixed(double next) implements RandomGenerator {
        @Override
        public double nextDouble() {
            return next;
        }

        @Override
        public long nextLong() {
            throw new AssertionError("one uniform draw a branch, nothing else");
        }
    }

    @Test
    void categoricalFrequenciesAreTheProbabilities() {
        float[] logits = {0.1f, -0.4f, 2f, 0.7f, -3f};
        // 4 degrees of freedom: 18.47 is exceeded with probability 0.001.
        assertThat(chiSquare(Row.categorical(logits, null), 5)).isLessThan(18.47);
    }

    @Test
    void maskedCategoricalFrequenciesAreTheProbabilities() {
        float[] logits = {0.1f, -0.4f, 2f, 0.7f, -3f};
        boolean[] mask = {true, true, false, true, false};
        // 2 degrees of freedom
        assertThat(chiSquare(Row.categorical(logits, mask), 5)).isLessThan(13.82);
    }

    private static double chiSquare(Row row, int n) {
        RandomStream random = new RandomStream(1);
        int[] counts = new int[n];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) row.sample(random)[0]]++;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double expected = DRAWS * Math.exp(row.logProbability(i));
            if (expected == 0) {
                assertThat(counts[i]).isZero();
            } else {
                sum += (counts[i] - expected) * (counts[i] - expected) / expected;
            }
        }
        return sum;
    }

    @Test
    void jointFrequenciesOfBranchesAreTheEnumeratedProbabilities() {
        float[] logits = {0.3f, -1f, 0.5f, 2f, 0f, 1f};
        boolean[] mask = {true, true, true, true, false, true};
        Row row = new Row(new CategoricalDistribution(2, 4), logits, new float[0], mask);
        int[][] counts = new int[2][4];
        RandomStream random = new RandomStream(2);
        for (int i = 0; i < DRAWS; i++) {
            float[] action = row.sample(random);
            counts[(int) action[0]][(int) action[1]]++;
        }
        double total = 0;
        double sum = 0;
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 4; b++) {
                double probability = Math.exp(row.logProbability(a, b));
                total += probability;
                double expected = DRAWS * probability;
                if (b == 2) {
                    assertThat(counts[a][b]).isZero();
                } else {
                    sum += (counts[a][b] - expected) * (counts[a][b] - expected) / expected;
                }
            }
        }
        assertThat(total).isCloseTo(1, within(1e-6));
        // 5 degrees of freedom
        assertThat(sum).isLessThan(20.52);
    }

    @Test
    void bernoulliFrequenciesAreTheProbabilities() {
        Row row = new Row(new BernoulliDistribution(2), new float[] {-0.4f, 1.5f}, new float[0], null);
        int[] counts = new int[4];
        RandomStream random = new RandomStream(3);
        for (int i = 0; i < DRAWS; i++) {
            float[] action = row.sample(random);
            counts[2 * (int) action[0] + (int) action[1]]++;
        }
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            double expected = DRAWS * Math.exp(row.logProbability(i >> 1, i & 1));
            sum += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        // 3 degrees of freedom
        assertThat(sum).isLessThan(16.27);
    }

    @Test
    void gaussianSamplesHaveTheMomentsGiven() {
        Row row = new Row(
                new GaussianDistribution(2), new float[] {1f, -2f}, new float[] {0f, (float) Math.log(0.5)}, null);
        RandomStream random = new RandomStream(4);
        double[] sum = new double[2];
        double[] squares = new double[2];
        double product = 0;
        for (int i = 0; i < DRAWS; i++) {
            float[] action = row.sample(random);
            for (int k = 0; k < 2; k++) {
                sum[k] += action[k];
                squares[k] += action[k] * action[k];
            }
            product += (action[0] - 1) * (action[1] + 2);
        }
        // Five standard errors of each estimate.
        double error = 5 / Math.sqrt(DRAWS);
        assertThat(sum[0] / DRAWS).isCloseTo(1, within(error));
        assertThat(sum[1] / DRAWS).isCloseTo(-2, within(0.5 * error));
        assertThat(squares[0] / DRAWS - 1).isCloseTo(1, within(3 * error));
        assertThat(squares[1] / DRAWS - 4).isCloseTo(0.25, within(3 * error));
        assertThat(product / DRAWS).isCloseTo(0, within(0.5 * error));
    }

    @Test
    void aMaskedActionIsNeverDrawnWhateverTheLogits() {
        RandomStream random = new RandomStream(5);
        float[] extremes = {
            0f,
            1f,
            -1f,
            88f,
            -104f,
            1e4f,
            -1e4f,
            -1e8f,
            -2e8f,
            1e30f,
            -1e30f,
            Float.MAX_VALUE,
            -Float.MAX_VALUE,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE,
            Float.NaN
        };
        int[] branches = {5, 1, 3};
        CategoricalDistribution distribution = new CategoricalDistribution(branches);
        float[] logits = new float[9];
        boolean[] mask = new boolean[9];
        float[] action = new float[3];
        for (int draw = 0; draw < 1_000_000; draw++) {
            if (draw % 4 == 0) {
                for (int i = 0; i < 9; i++) {
                    logits[i] = extremes[random.nextInt(extremes.length)];
                    mask[i] = random.nextInt(3) == 0;
                }
                mask[random.nextInt(5)] = true;
                mask[5] = true;
                mask[6 + random.nextInt(3)] = true;
            }
            distribution.sample(logits, 0, new float[0], mask, 0, random, action, 0);
            if (!chosenAreValid(branches, mask, action)) {
                assertThat(action)
                        .as("logits %s, mask %s", Arrays.toString(logits), Arrays.toString(mask))
                        .isNull();
            }
            distribution.mode(logits, 0, mask, 0, action, 0);
            if (!chosenAreValid(branches, mask, action)) {
                assertThat(action)
                        .as("mode of %s, mask %s", Arrays.toString(logits), Arrays.toString(mask))
                        .isNull();
            }
        }
    }

    private static boolean chosenAreValid(int[] branches, boolean[] mask, float[] action) {
        int start = 0;
        for (int branch = 0; branch < branches.length; branch++) {
            int chosen = (int) action[branch];
            if (chosen < 0 || chosen >= branches[branch] || !mask[start + chosen]) {
                return false;
            }
            start += branches[branch];
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, Double.MIN_VALUE, 0.5, 1 - 0x1.0p-53})
    void theEdgesOfTheUniformDrawGiveValidActionsOfPositiveProbability(double uniform) {
        float[] logits = {-1e9f, 3f, 2f, -1e9f, 5f};
        assertThat(draw(logits, new boolean[] {true, true, true, true, false}, uniform))
                .isIn(1, 2);
        assertThat(draw(logits, new boolean[] {false, false, false, true, false}, uniform))
                .isEqualTo(3);
        float[] ten = new float[10];
        assertThat(draw(ten, null, uniform)).isEqualTo((int) (10 * uniform));
    }

    @Test
    void validLogitsFarBelowTheMaskedOnesStillWin() {
        float[] logits = {Float.MAX_VALUE, -3e8f, -3e8f, Float.POSITIVE_INFINITY};
        boolean[] mask = {false, true, true, false};
        Row row = Row.categorical(logits, mask);
        assertThat(row.logProbability(1)).isCloseTo((float) Math.log(0.5), within(1e-7f));
        assertThat(row.logProbability(2)).isCloseTo((float) Math.log(0.5), within(1e-7f));
        assertThat(row.entropy()).isCloseTo((float) Math.log(2), within(1e-7f));
        assertThat(draw(logits, mask, 0.25)).isEqualTo(1);
        assertThat(draw(logits, mask, 0.75)).isEqualTo(2);
    }

    @Test
    void infiniteLogitsShareTheProbability() {
        float inf = Float.POSITIVE_INFINITY;
        Row certain = Row.categorical(new float[] {inf, 3f, inf}, null);
        assertThat(certain.logProbability(0)).isCloseTo((float) Math.log(0.5), within(1e-7f));
        assertThat(certain.entropy()).isCloseTo((float) Math.log(2), within(1e-7f));
        assertThat(certain.gradient(1, 1, new double[0], 0)).containsExactly(new float[] {0.5f, 0f, -0.5f}, within(0f));
        Row hopeless = Row.categorical(new float[] {-inf, -inf}, null);
        assertThat(hopeless.logProbability(1)).isCloseTo((float) Math.log(0.5), within(1e-7f));
        Row impossible = Row.categorical(new float[] {0f, -inf}, null);
        assertThat(impossible.logProbability(1)).isEqualTo(-inf);
        assertThat(impossible.entropy()).isZero();
    }

    @Test
    void aNanLogitShowsInTheLogProbability() {
        assertThat(Row.categorical(new float[] {0f, Float.NaN, 1f}, null).logProbability(0))
                .isNaN();
        assertThat(new Row(new BernoulliDistribution(1), new float[] {Float.NaN}, new float[0], null).logProbability(1))
                .isNaN();
        assertThat(new Row(new GaussianDistribution(1), new float[] {Float.NaN}, new float[1], null).logProbability(1))
                .isNaN();
    }

    @Test
    void bernoulliIsStableForLargeLogits() {
        float inf = Float.POSITIVE_INFINITY;
        Row row = new Row(new BernoulliDistribution(4), new float[] {1e4f, -1e4f, inf, -inf}, new float[0], null);
        assertThat(row.logProbability(1, 0, 1, 0)).isZero();
        assertThat(row.logProbability(0, 0, 1, 0)).isEqualTo(-1e4f);
        assertThat(row.logProbability(1, 1, 1, 0)).isEqualTo(-1e4f);
        assertThat(row.logProbability(1, 0, 0, 0)).isEqualTo(-inf);
        assertThat(row.entropy()).isZero();
        assertThat(row.mode()).containsExactly(1f, 0f, 1f, 0f);
        assertThat(row.gradient(1, 1, new double[0], 1, 0, 1, 0))
                .containsExactly(new float[] {0f, 0f, 0f, 0f}, within(0f));
    }

    private static int draw(float[] logits, boolean @Nullable [] mask, double uniform) {
        float[] action = new float[1];
        new CategoricalDistribution(logits.length)
                .sample(logits, 0, new float[0], mask, 0, new Fixed(uniform), action, 0);
        return (int) action[0];
    }
}
