package dev.holdfast.rl.api.math;

/**
 * Fast elementary functions in single precision, the same bits on every machine: {@link Math}'s cost ten times as much and aren't
 * vectorised by the JIT compiler.
 *
 * <p>The coefficients were computed for this class with the Remez exchange algorithm in 50-digit arithmetic and rounded to floats.
 */
public final class FloatMath {
    // x²-polynomials P and Q of tanh(x/2) ≈ x P(x²) / (2 Q(x²)): minimax relative error 2.4e-8 for |x| <= 9.02.
    private static final float P1 = 0.12595478f / 4;
    private static final float P2 = 0.0025568414f / 16;
    private static final float P3 = 5.4913476e-6f / 64;
    private static final float Q1 = 0.45928785f / 4;
    private static final float Q2 = 0.022319918f / 16;
    private static final float Q3 = 1.7497285e-4f / 64;
    /** Beyond it, tanh is ±1 to within 3e-8. */
    private static final float TANH_SATURATION = 9.01f;

    // e^r ≈ 1 + r + r² (E2 + E3 r + …): minimax relative error 3.1e-9 for |r| <= ln(2) / 2.
    private static final float E2 = 0.49999994f;
    private static final float E3 = 0.16666521f;
    private static final float E4 = 0.04166839f;
    private static final float E5 = 0.00836871f;
    private static final float E6 = 0.0013814619f;

    private FloatMath() {}

    /**
     * Returns the hyperbolic tangent.
     *
     * <p>A rational approximation of the half argument's tangent t, and tanh(x) = 2t / (1 + t²): that formula damps the error of t.
     * Without branches, so that loops over it are vectorised. The absolute error is at most 2.3e-7, the relative one
     * 3.5e-7 (measured against {@link StrictMath} for every float).
     *
     * @param x any number
     * @return in [-1, 1]; ±0 and subnormal numbers as they are, ±1 beyond ±9.01, NaN for NaN
     */
    public static float tanh(float x) {
        float c = Math.min(Math.max(x, -TANH_SATURATION), TANH_SATURATION);
        float u = c * c;
        float p = c * (((P3 * u + P2) * u + P1) * u + 1f);
        float q = ((Q3 * u + Q2) * u + Q1) * u + 1f;
        return Math.min(Math.max(p * q / (0.25f * p * p + q * q), -1f), 1f);
    }

    /**
     * Replaces numbers by their hyperbolic tangents ({@link #tanh(float)}).
     *
     * @param values holds the numbers
     * @param from the first
     * @param to the one after the last
     */
    public static void tanh(float[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            values[i] = tanh(values[i]);
        }
    }

    /**
     * Returns e to the power of a number.
     *
     * <p>With n the integer nearest to x / ln 2 and r = x - n ln 2 (Cody and Waite's two-part reduction), 2^n · e^r, e^r being a
     * polynomial of degree 6. The relative error is at most 8.5e-8 from x = -87.3 to 88.3 (measured likewise). Below that, results
     * are flushed to 0 (processors are slow with subnormal numbers), and above it, they are infinite.
     *
     * @param x any number
     * @return at least 0; NaN for NaN
     */
    public static float exp(float x) {
        // n is in [-127, 128]: as exponents of a float, these mean 0 and infinity.
        float c = Math.min(Math.max(x, -88f), 88.7f);
        // Adding 1.5·2²³ leaves no bits for a fraction: the sum's lowest bits are the rounded quotient.
        float shifted = c * 1.442695f + 0x1.8p23f;
        float n = shifted - 0x1.8p23f;
        float r = c - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f;
        float g = (((E6 * r + E5) * r + E4) * r + E3) * r + E2;
        int exponent = Float.floatToRawIntBits(shifted) - Float.floatToRawIntBits(0x1.8p23f);
        return (g * r * r + r + 1f) * Float.intBitsToFloat((exponent + 127) << 23);
    }

    /**
     * Adds up squares, in double precision and in an order that the range alone fixes.
     *
     * @param x the numbers
     * @param from the first
     * @param to the one after the last
     * @return the sum
     */
    public static double sumOfSquares(float[] x, int from, int to) {
        // Four sums at once hide the latency of an addition.
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int i = from;
        for (; i + 4 <= to; i += 4) {
            double x0 = x[i];
            double x1 = x[i + 1];
            double x2 = x[i + 2];
            double x3 = x[i + 3];
            s0 += x0 * x0;
            s1 += x1 * x1;
            s2 += x2 * x2;
            s3 += x3 * x3;
        }
        for (; i < to; i++) {
            s0 += (double) x[i] * x[i];
        }
        return (s0 + s1) + (s2 + s3);
    }
}
