package dev.holdfast.rl.api.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.apache.commons.rng.core.source64.XoShiRo256PlusPlus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomStreamTest {
    private static final int DRAWS = 400_000;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 42, Long.MIN_VALUE, Long.MAX_VALUE})
    void isXoshiro256PlusPlusSeededThroughSplitMix64(long seed) {
        RandomStream stream = new RandomStream(seed);
        SplitMix64 mix = new SplitMix64(seed);
        assertThat(stream.state()).containsExactly(mix.nextLong(), mix.nextLong(), mix.nextLong(), mix.nextLong());
        XoShiRo256PlusPlus reference = new XoShiRo256PlusPlus(stream.state());
        for (int i = 0; i < 10_000; i++) {
            assertThat(stream.nextLong()).isEqualTo(reference.nextLong());
        }
    }

    @Test
    void continuesFromASavedState() {
        RandomStream stream = new RandomStream(3, "actions");
        stream.nextGaussian();
        long[] state = stream.state();
        double[] expected =
                IntStream.range(0, 100).mapToDouble(i -> stream.nextGaussian()).toArray();
        stream.restore(state);
        assertThat(IntStream.range(0, 100)
                        .mapToDouble(i -> stream.nextGaussian())
                        .toArray())
                .isEqualTo(expected);
        RandomStream other = new RandomStream(99);
        other.restore(state);
        assertThat(IntStream.range(0, 100)
                        .mapToDouble(i -> other.nextGaussian())
                        .toArray())
                .isEqualTo(expected);
    }

    @Test
    void aSavedStateDoesNotChangeWithTheStream() {
        RandomStream stream = new RandomStream(3);
        long[] state = stream.state();
        long[] copy = state.clone();
        stream.nextLong();
        assertThat(state).isEqualTo(copy);
    }

    @Test
    void refusesWhatIsNoState() {
        RandomStream stream = new RandomStream(1);
        assertThatThrownBy(() -> stream.restore(new long[4])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stream.restore(new long[] {1, 2, 3})).isInstanceOf(IllegalArgumentException.class);
        assertThat(stream.state()).isEqualTo(new RandomStream(1).state());
    }

    @Test
    void reseedingStartsOver() {
        RandomStream stream = new RandomStream(1);
        stream.nextLong();
        stream.reseed(5);
        assertThat(stream.state()).isEqualTo(new RandomStream(5).state());
    }

    @Test
    void streamsOfDifferentNamesAndSeedsDiffer() {
        Set<Long> first = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            for (String name : new String[] {"", "a", "b", "ab", "ba", "actions", "shuffle", "weights"}) {
                first.add(new RandomStream(seed, name).nextLong());
            }
        }
        assertThat(first).hasSize(800);
        assertThat(new RandomStream(7, "a").nextLong()).isEqualTo(new RandomStream(7, "a").nextLong());
    }

    /** The sequence must never change, or old runs can't be repeated: these are the numbers drawn when it was written. */
    @Test
    void theSequenceIsFixed() {
        RandomStream stream = new RandomStream(1, "test");
        assertThat(stream.nextLong()).isEqualTo(-8165350003001377005L);
        assertThat(stream.nextInt(1000)).isEqualTo(728);
        assertThat(stream.nextDouble()).isEqualTo(0.8137241456614049);
        assertThat(stream.nextGaussian()).isEqualTo(-0.20992282751509703);
    }

    @Test
    void uniformNumbersHaveTheRightMomentsAndRange() {
        RandomStream stream = new RandomStream(2);
        double sum = 0;
        double squares = 0;
        double floats = 0;
        int outside = 0;
        for (int i = 0; i < DRAWS; i++) {
            double x = stream.nextDouble();
            outside += x >= 0 && x < 1 ? 0 : 1;
            sum += x;
            squares += x * x;
            float f = stream.nextFloat();
            outside += f >= 0 && f < 1 ? 0 : 1;
            floats += f;
        }
        assertThat(outside).isZero();
        double error = 5 / Math.sqrt(12.0 * DRAWS);
        assertThat(sum / DRAWS).isCloseTo(0.5, within(error));
        assertThat(floats / DRAWS).isCloseTo(0.5, within(error));
        assertThat(squares / DRAWS).isCloseTo(1.0 / 3, within(error));
    }

    @Test
    void normalNumbersHaveTheRightMoments() {
        RandomStream stream = new RandomStream(3);
        double[] moments = new double[5];
        int beyond2 = 0;
        for (int i = 0; i < DRAWS; i++) {
            double x = stream.nextGaussian();
            for (int power = 1; power <= 4; power++) {
                moments[power] += Math.pow(x, power) / DRAWS;
            }
            beyond2 += Math.abs(x) > 2 ? 1 : 0;
        }
        // Five standard errors: the variances of x, x², x³, x⁴ are 1, 2, 15, 96.
        double error = 5 / Math.sqrt(DRAWS);
        assertThat(moments[1]).isCloseTo(0, within(error));
        assertThat(moments[2]).isCloseTo(1, within(error * Math.sqrt(2)));
        assertThat(moments[3]).isCloseTo(0, within(error * Math.sqrt(15)));
        assertThat(moments[4]).isCloseTo(3, within(error * Math.sqrt(96)));
        assertThat((double) beyond2 / DRAWS).isCloseTo(0.0455003, within(error * 0.21));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10})
    void boundedIntegersAreUniform(int bound) {
        RandomStream stream = new RandomStream(4);
        int[] counts = new int[bound];
        for (int i = 0; i < DRAWS; i++) {
            counts[stream.nextInt(bound)]++;
        }
        double expected = (double) DRAWS / bound;
        for (int count : counts) {
            assertThat((double) count).isCloseTo(expected, within(5 * Math.sqrt(expected)));
        }
    }

    /** 2^32 / bound is 8/3: without rejection, two numbers of three would be drawn 3 times in 8 each. */
    @Test
    void boundedIntegersAreUnbiasedForLargeBounds() {
        RandomStream stream = new RandomStream(5);
        int bound = 3 << 29;
        int[] thirds = new int[3];
        int outside = 0;
        for (int i = 0; i < DRAWS; i++) {
            int drawn = stream.nextInt(bound);
            outside += drawn >= 0 && drawn < bound ? 0 : 1;
            thirds[Math.floorMod(drawn, 3)]++;
        }
        assertThat(outside).isZero();
        double expected = DRAWS / 3.0;
        for (int count : thirds) {
            assertThat((double) count).isCloseTo(expected, within(5 * Math.sqrt(expected)));
        }
    }

    @Test
    void refusesABoundThatIsNotPositive() {
        RandomStream stream = new RandomStream(1);
        assertThatThrownBy(() -> stream.nextInt(0)).hasMessage("bound must be positive, but was 0");
        assertThatThrownBy(() -> stream.nextInt(-1)).hasMessage("bound must be positive, but was -1");
    }

    @Test
    void shufflesIntoEveryOrderEquallyOften() {
        RandomStream stream = new RandomStream(6);
        int[] counts = new int[1000];
        for (int i = 0; i < 60_000; i++) {
            int[] numbers = {0, 1, 2};
            stream.shuffle(numbers);
            counts[100 * numbers[0] + 10 * numbers[1] + numbers[2]]++;
        }
        for (int order : new int[] {12, 21, 102, 120, 201, 210}) {
            assertThat(counts[order]).isCloseTo(10_000, within(460));
        }
        assertThat(IntStream.of(counts).sum()).isEqualTo(60_000);
    }
}
