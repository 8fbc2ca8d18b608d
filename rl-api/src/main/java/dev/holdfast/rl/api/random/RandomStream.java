package dev.holdfast.rl.api.random;

import java.util.random.RandomGenerator;

/**
 * A seeded source of randomness whose whole state can be saved and restored.
 *
 * <p>The generator is xoshiro256++ (Blackman and Vigna, <em>Scrambled linear pseudorandom number generators</em>, 2021),
 * period 2^256 - 1, seeded through SplitMix64. Streams of the same seed and different names are independent for all practical
 * purposes: the name is hashed into the seed. The sequence is the same on every machine and Java version: everything that
 * draws from it, the normal distribution too, is written here and not inherited.
 *
 * <p><em>Threads.</em> Not safe for concurrent use: one stream belongs to one thread at a time.
 */
public final class RandomStream implements RandomGenerator {
    private long s0;
    private long s1;
    private long s2;
    private long s3;

    /**
     * Creates a stream.
     *
     * @param seed any number
     */
    public RandomStream(long seed) {
        reseed(seed);
    }

    /**
     * Creates one of the streams that belong to a seed.
     *
     * @param seed any number
     * @param name the stream's name, for example {@code actions}
     */
    public RandomStream(long seed, String name) {
        this(seed ^ hash(name));
    }

    /**
     * Starts over from a seed, as if newly created.
     *
     * @param seed any number
     */
    public void reseed(long seed) {
        long z = seed;
        s0 = mix(z += GOLDEN);
        s1 = mix(z += GOLDEN);
        s2 = mix(z += GOLDEN);
        s3 = mix(z + GOLDEN);
    }

    /**
     * Returns the state.
     *
     * @return four numbers, for {@link #restore}
     */
    public long[] state() {
        return new long[] {s0, s1, s2, s3};
    }

    /**
     * Continues from a saved state.
     *
     * @param state what {@link #state()} returned
     * @throws IllegalArgumentException if it isn't four numbers of which one is not 0
     */
    public void restore(long[] state) {
        if (state.length != 4 || (state[0] | state[1] | state[2] | state[3]) == 0) {
            throw new IllegalArgumentException("a random state must be four numbers that are not all 0");
        }
        s0 = state[0];
        s1 = state[1];
        s2 = state[2];
        s3 = state[3];
    }

    @Override
    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long t = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    @Override
    public int nextInt() {
        return (int) (nextLong() >>> 32);
    }

    /** {@inheritDoc} Uses 53 bits of one draw. */
    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** {@inheritDoc} Uses 24 bits of one draw. */
    @Override
    public float nextFloat() {
        return (nextLong() >>> 40) * 0x1.0p-24f;
    }

    /** {@inheritDoc} Unbiased, by rejection. */
    @Override
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, but was " + bound);
        }
        // Lemire 2019: the high half of a 32x32 product, with the few low halves rejected that would bias it.
        long product = (nextLong() >>> 32) * bound;
        long low = product & 0xFFFFFFFFL;
        if (low < bound) {
            long threshold = (0x1_0000_0000L - bound) % bound;
            while (low < threshold) {
                product = (nextLong() >>> 32) * bound;
                low = product & 0xFFFFFFFFL;
            }
        }
        return (int) (product >>> 32);
    }

    /** {@inheritDoc} Marsaglia's polar method; the second number of a pair is not kept, so that the state is four numbers. */
    @Override
    public double nextGaussian() {
        double u;
        double square;
        do {
            u = 2 * nextDouble() - 1;
            double v = 2 * nextDouble() - 1;
            square = u * u + v * v;
        } while (square >= 1 || square == 0);
        return u * Math.sqrt(-2 * StrictMath.log(square) / square);
    }

    /**
     * Puts numbers into a random order (Fisher and Yates).
     *
     * @param numbers is changed
     */
    public void shuffle(int[] numbers) {
        for (int i = numbers.length - 1; i > 0; i--) {
            int j = nextInt(i + 1);
            int swapped = numbers[i];
            numbers[i] = numbers[j];
            numbers[j] = swapped;
        }
    }

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** The output function of SplitMix64. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static long hash(String name) {
        long hash = 0;
        for (int i = 0; i < name.length(); i++) {
            hash = mix(hash + name.charAt(i) + GOLDEN);
        }
        return hash;
    }
}
