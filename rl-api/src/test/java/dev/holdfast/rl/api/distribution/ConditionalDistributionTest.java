package dev.holdfast.rl.api.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionalDistributionTest {
    private static final float[] NO_LOG_STD = {};
    private static final int TRIALS = 100;

    private static Stream<ConditionalDiscrete> spaces() {
        return Stream.of(
                new ConditionalDiscrete(new MultiDiscrete(4, 3), -1, 0),
                new ConditionalDiscrete(new MultiDiscrete(2, 3, 2, 3), -1, 0, 1, 2),
                new ConditionalDiscrete(new MultiDiscrete(3, 2, 3, 2), -1, 0, 0, -1),
                new ConditionalDiscrete(new MultiDiscrete(2, 1, 3, 2, 2), -1, -1, 0, 2, 1),
                new ConditionalDiscrete(new MultiDiscrete(2, 3, 4), -1, -1, -1));
    }

    /**
     * What is given, and from it the log-probability of every joint action by its definition, in double precision; minus infinity
     * where it is masked.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Given(ConditionalDiscrete space, float[] logits, boolean @Nullable [] mask) {
        Row row() {
            return new Row(new ConditionalDistribution(space), logits, NO_LOG_STD, mask);
        }

        List<float[]> actions() {
            List<float[]> actions = new ArrayList<>(List.of(new float[space.size()]));
            int[] counts = space.choices().branches();
            for (int branch = 0; branch < counts.length; branch++) {
                List<float[]> more = new ArrayList<>();
                for (float[] action : actions) {
                    for (int choice = 0; choice < counts[branch]; choice++) {
                        float[] next = action.clone();
                        next[branch] = choice;
                        more.add(next);
                    }
                }
                actions = more;
            }
            return actions;
        }

        double logProbability(double[] z, float[] action) {
            double log = 0;
            for (int branch = 0; branch < action.length; branch++) {
                int n = space.choices().branches()[branch];
                int parent = space.parents()[branch];
                int start = space.start(branch) + (parent < 0 ? 0 : n * (int) action[parent]);
                double sum = 0;
                for (int i = start; i < start + n; i++) {
                    sum += valid(i) ? Math.exp(z[i]) : 0;
                }
                int chosen = start + (int) action[branch];
                if (!valid(chosen)) {
                    return Double.NEGATIVE_INFINITY;
                }
                log += z[chosen] - Math.log(sum);
            }
            return log;
        }

        double entropy(double[] z) {
            double entropy = 0;
            for (float[] action : actions()) {
                double log = logProbability(z, action);
                entropy -= log == Double.NEGATIVE_INFINITY ? 0 : Math.exp(log) * log;
            }
            return entropy;
        }

        /** Whether some possible action makes the choice that an element of a mask stands for. */
        boolean reached(int element) {
            return actions().stream()
                    .filter(action -> logProbability(doubles(logits), action) > Double.NEGATIVE_INFINITY)
                    .anyMatch(action -> elements(action).contains(element));
        }

        List<Integer> elements(float[] action) {
            List<Integer> elements = new ArrayList<>();
            for (int branch = 0; branch < action.length; branch++) {
                int parent = space.parents()[branch];
                int row = parent < 0 ? 0 : (int) action[parent];
                elements.add(space.start(branch) + row * space.choices().branches()[branch] + (int) action[branch]);
            }
            return elements;
        }

        private boolean valid(int element) {
            return mask == null || mask[element];
        }
    }

    /** A third of the elements are masked, all of some rows that can't be reached among them. */
    private static Given draw(ConditionalDiscrete space, RandomStream random, boolean masked) {
        float[] logits = new float[space.maskSize()];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) (1.5 * random.nextGaussian());
        }
        boolean[] mask = masked ? new boolean[logits.length] : null;
        if (mask != null) {
            do {
                for (int i = 0; i < mask.length; i++) {
                    mask[i] = random.nextInt(3) > 0;
                }
            } while (new ConditionalDistribution(space).emptyBranch(mask, 0) != null);
        }
        return new Given(space, logits, mask);
    }

    private static double[] doubles(float[] floats) {
        double[] doubles = new double[floats.length];
        for (int i = 0; i < floats.length; i++) {
            doubles[i] = floats[i];
        }
        return doubles;
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void logProbabilityAndEntropyAreThoseOfTheEnumeratedActions(ConditionalDiscrete space) {
        RandomStream random = new RandomStream(1);
        for (int trial = 0; trial < TRIALS; trial++) {
            Given given = draw(space, random, trial % 2 == 0);
            Row row = given.row();
            double[] z = doubles(given.logits);
            double total = 0;
            for (float[] action : given.actions()) {
                double expected = given.logProbability(z, action);
                float actual = row.logProbability(action);
                if (expected == Double.NEGATIVE_INFINITY) {
                    assertThat(actual).isLessThan(-9e7f);
                } else {
                    assertThat((double) actual).isCloseTo(expected, within(1e-6 * (1 + Math.abs(expected))));
                    total += Math.exp(actual);
                }
            }
            assertThat(total).isCloseTo(1, within(1e-6));
            assertThat((double) row.entropy()).isCloseTo(given.entropy(z), within(1e-6));
        }
    }

    /** Central differences of the enumerated actions' log-probability and entropy, in double precision. */
    @ParameterizedTest
    @MethodSource("spaces")
    void gradientsAreThoseOfLogProbabilityAndEntropy(ConditionalDiscrete space) {
        RandomStream random = new RandomStream(2);
        double h = 1e-5;
        for (int trial = 0; trial < TRIALS; trial++) {
            Given given = draw(space, random, trial % 2 == 0);
            Row row = given.row();
            float[] action = row.sample(random);
            float[] logGradient = row.gradient(1, 0, new double[0], action);
            float[] entropyGradient = row.gradient(0, 1, new double[0], action);
            float[] both = row.gradient(-0.7f, 0.3f, new double[0], action);
            for (int i = 0; i < given.logits.length; i++) {
                double[] up = doubles(given.logits);
                up[i] += h;
                double[] down = doubles(given.logits);
                down[i] -= h;
                double log = (given.logProbability(up, action) - given.logProbability(down, action)) / (2 * h);
                double entropy = (given.entropy(up) - given.entropy(down)) / (2 * h);
                assertThat((double) logGradient[i]).isCloseTo(log, within(1e-6));
                assertThat((double) entropyGradient[i]).isCloseTo(entropy, within(1e-6));
                assertThat((double) both[i]).isCloseTo(-0.7 * log + 0.3 * entropy, within(1e-6));
            }
        }
    }

    @Test
    void withoutParentsItIsTheMultiDiscreteOne() {
        ConditionalDiscrete space = new ConditionalDiscrete(new MultiDiscrete(2, 5, 3), -1, -1, -1);
        RandomStream random = new RandomStream(3);
        for (int trial = 0; trial < TRIALS; trial++) {
            Given given = draw(space, random, trial % 2 == 0);
            Row row = given.row();
            Row plain = new Row(new CategoricalDistribution(2, 5, 3), given.logits, NO_LOG_STD, given.mask);
            float[] action = row.sample(new RandomStream(trial));
            assertThat(action).isEqualTo(plain.sample(new RandomStream(trial)));
            assertThat(row.mode()).isEqualTo(plain.mode());
            assertThat(row.gradient(-0.7f, 0.3f, new double[0], action))
                    .isEqualTo(plain.gradient(-0.7f, 0.3f, new double[0], action));
            // Only the order of a sum in double precision differs.
            assertThat(row.logProbability(action)).isCloseTo(plain.logProbability(action), within(1e-6f));
            assertThat(row.entropy()).isCloseTo(plain.entropy(), within(1e-6f));
        }
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void whatCannotBeReachedDoesNotMatter(ConditionalDiscrete space) {
        RandomStream random = new RandomStream(4);
        for (int trial = 0; trial < TRIALS; trial++) {
            Given given = draw(space, random, true);
            Given other = new Given(space, given.logits.clone(), given.mask.clone());
            List<Integer> unreached = new ArrayList<>();
            for (int i = 0; i < given.logits.length; i++) {
                if (!given.reached(i)) {
                    unreached.add(i);
                    other.logits[i] = random.nextInt(3) == 0 ? Float.NEGATIVE_INFINITY : 1e5f;
                }
            }
            for (int branch = 0; branch < space.size(); branch++) {
                // Elements of a row that can be reached are masked already.
                int n = space.choices().branches()[branch];
                int end = branch + 1 < space.size() ? space.start(branch + 1) : space.maskSize();
                for (int start = space.start(branch); start < end; start += n) {
                    if (Stream.iterate(start, i -> i + 1).limit(n).allMatch(unreached::contains)) {
                        Arrays.fill(other.mask, start, start + n, random.nextInt(2) == 0);
                    }
                }
            }
            Row row = given.row();
            Row same = other.row();
            float[] action = row.sample(new RandomStream(trial));
            assertThat(same.sample(new RandomStream(trial))).isEqualTo(action);
            assertThat(same.mode()).isEqualTo(row.mode());
            assertThat(same.logProbability(action)).isEqualTo(row.logProbability(action));
            assertThat(same.entropy()).isEqualTo(row.entropy());
            float[] gradient = same.gradient(-0.7f, 0.3f, new double[0], action);
            assertThat(gradient).containsExactly(row.gradient(-0.7f, 0.3f, new double[0], action), within(0f));
            assertThat(unreached).allSatisfy(i -> assertThat(gradient[i]).isZero());
        }
    }

    @Test
    void frequenciesAreTheEnumeratedProbabilities() {
        ConditionalDiscrete space = new ConditionalDiscrete(new MultiDiscrete(3, 2, 3), -1, 0, 1);
        RandomStream random = new RandomStream(5);
        Given given = draw(space, random, true);
        Row row = given.row();
        List<float[]> actions = given.actions();
        int draws = 200_000;
        int[] counts = new int[actions.size()];
        for (int i = 0; i < draws; i++) {
            float[] action = row.sample(random);
            counts[(int) (6 * action[0] + 3 * action[1] + action[2])]++;
        }
        double sum = 0;
        int possible = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = draws * Math.exp(given.logProbability(doubles(given.logits), actions.get(i)));
            if (expected == 0) {
                assertThat(counts[i]).isZero();
            } else {
                sum += (counts[i] - expected) * (counts[i] - expected) / expected;
                possible++;
            }
        }
        assertThat(possible).isGreaterThan(5).isLessThan(18);
        // At most 17 degrees of freedom: 40.79 is exceeded with probability 0.001.
        assertThat(sum).isLessThan(40.79);
    }

    @Test
    void aMaskedActionIsNeverDrawnWhateverTheLogits() {
        float[] extremes = {
            0f,
            -104f,
            1e4f,
            -2e8f,
            Float.MAX_VALUE,
            -Float.MAX_VALUE,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.NaN
        };
        RandomStream random = new RandomStream(6);
        ConditionalDiscrete space = new ConditionalDiscrete(new MultiDiscrete(3, 4, 2), -1, 0, 1);
        for (int trial = 0; trial < 50_000; trial++) {
            Given given = draw(space, random, true);
            for (int i = 0; i < given.logits.length; i++) {
                given.logits[i] = extremes[random.nextInt(extremes.length)];
            }
            for (float[] action :
                    List.of(given.row().sample(random), given.row().mode())) {
                if (!given.elements(action).stream().allMatch(given::valid)) {
                    assertThat(action)
                            .as("logits %s, mask %s", Arrays.toString(given.logits), Arrays.toString(given.mask))
                            .isNull();
                }
            }
        }
    }

    /** Choice 0 has probability 0.6, but of the joint actions 1 then 0 is the most probable. */
    @Test
    void theModeIsSoughtBranchByBranch() {
        ConditionalDiscrete space = new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0);
        float[] logits = {(float) Math.log(0.6), (float) Math.log(0.4), 0, 0, 0, 9, 0, 0};
        Row row = new Row(new ConditionalDistribution(space), logits, NO_LOG_STD, null);
        assertThat(row.mode()).containsExactly(0, 0);
        assertThat(row.logProbability(0, 0)).isCloseTo((float) Math.log(0.2), within(1e-6f));
        assertThat(row.logProbability(1, 0)).isCloseTo((float) Math.log(0.4), within(1e-3f));
    }

    @Test
    void namesTheBranchThatIsEmptyAfterAPossibleChoice() {
        ActionDistribution distribution =
                new ConditionalDistribution(new ConditionalDiscrete(new MultiDiscrete(3, 2, 2), -1, 0, 1));
        // After 2 elements of something else: three ships, then for each its berth, then for each berth what follows.
        boolean[] mask = {
            false, false, true, false, true, true, false, false, false, true, false, true, false, false, false
        };
        assertThat(distribution.emptyBranch(mask, 2)).isNull();
        mask[9] = false;
        assertThat(distribution.emptyBranch(mask, 2)).isEqualTo("branch 1 after choice 2 in branch 0");
        mask[10] = true;
        assertThat(distribution.emptyBranch(mask, 2)).isEqualTo("branch 2 after choice 1 in branch 1");
        assertThat(distribution.emptyBranch(new boolean[13], 0)).isEqualTo("branch 0");
    }

    @Test
    void aNanLogitShows() {
        ConditionalDiscrete space = new ConditionalDiscrete(new MultiDiscrete(2, 2), -1, 0);
        float[] logits = {0, 0, 0, 0, Float.NaN, 0};
        Row row = new Row(new ConditionalDistribution(space), logits, NO_LOG_STD, null);
        assertThat(row.logProbability(1, 1)).isNaN();
        assertThat(row.entropy()).isNaN();
    }
}
