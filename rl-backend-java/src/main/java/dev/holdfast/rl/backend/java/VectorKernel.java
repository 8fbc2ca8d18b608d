package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.math.FloatMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The product in SIMD instructions. C is cut into tiles of 6 rows by 2 vectors, whose 12 sums stay in registers while a column of
 * A and a row of B pass by:
 *
 * <pre>
 *                             B   ┌──┬──┐
 *                               p │b0│b1│ ↓         for each p:
 *                                 ├──┼──┤             b0, b1 = two vectors of B's row p
 *               p →               │  │  │             for each row r of the tile:
 *         A ┌──────────────┐   C  ├──┼──┤               x = A[r, p] in every lane
 *         0 │  x           │      │00│01│               c[r,0] += x * b0
 *         1 │  x           │      │10│11│               c[r,1] += x * b1
 *         … │  …           │      │ …│ …│
 *         5 │  x           │      │50│51│           12 fused multiply-adds for 8 loads
 *           └──────────────┘      └──┴──┘
 * </pre>
 *
 * 12 sums are enough to hide the latency of a multiply-add (4 cycles, two of them at a time), and 12 sums, b0, b1 and x are what 16
 * registers hold, the number that AVX2 has; fewer rows would leave the processor busy with loads and bounds checks. Tiles go down
 * C first, so that their two columns of B stay in the cache. No other blocking is needed: the caller passes chunks of at most a few
 * hundred rows.
 *
 * <p>The last tile of a column may have fewer rows: its missing rows repeat the last one, and write the same numbers once more.
 */
final class VectorKernel implements Kernel {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED.length() <= ALIGNMENT / 2
            ? FloatVector.SPECIES_PREFERRED
            : FloatVector.SPECIES_512;
    private static final int LANES = SPECIES.length();
    private static final int TILE_ROWS = 6;
    private static final int TILE_COLUMNS = 2 * LANES;

    // The numbers of FloatMath.tanh. Constants, since there is a limit to how much the JIT compiler inlines into a
    // method,
    // and a broadcast takes as much of it as any other operation.
    private static final FloatVector P1 = FloatVector.broadcast(SPECIES, 0.12595478f / 4);
    private static final FloatVector P2 = FloatVector.broadcast(SPECIES, 0.0025568414f / 16);
    private static final FloatVector P3 = FloatVector.broadcast(SPECIES, 5.4913476e-6f / 64);
    private static final FloatVector Q1 = FloatVector.broadcast(SPECIES, 0.45928785f / 4);
    private static final FloatVector Q2 = FloatVector.broadcast(SPECIES, 0.022319918f / 16);
    private static final FloatVector Q3 = FloatVector.broadcast(SPECIES, 1.7497285e-4f / 64);
    private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1f);
    private static final FloatVector QUARTER = FloatVector.broadcast(SPECIES, 0.25f);
    private static final IntVector SATURATION_BITS =
            FloatVector.broadcast(SPECIES, 9.01f).reinterpretAsInts();
    private static final IntVector ONE_BITS = ONE.reinterpretAsInts();
    private static final IntVector INFINITY_BITS =
            FloatVector.broadcast(SPECIES, Float.POSITIVE_INFINITY).reinterpretAsInts();
    private static final IntVector ZERO_BITS = FloatVector.zero(SPECIES).reinterpretAsInts();
    private static final IntVector SIGN_BIT =
            FloatVector.broadcast(SPECIES, -0f).reinterpretAsInts();

    private final float[] lanes = new float[LANES];

    @Override
    public String name() {
        return "vector-" + SPECIES.vectorBitSize();
    }

    @Override
    public void multiply(
            int m,
            int k,
            int n,
            float[] a,
            int aAt,
            int aRow,
            int aColumn,
            float[] b,
            int bAt,
            float[] s,
            int sAt,
            int sRow,
            float[] c,
            int cAt) {
        for (int j = 0; j < n; j += TILE_COLUMNS) {
            for (int i = 0; i < m; i += TILE_ROWS) {
                int last = Math.min(TILE_ROWS, m - i) - 1;
                tile(
                        last,
                        k,
                        a,
                        aAt + i * aRow,
                        aRow,
                        aColumn,
                        b,
                        bAt + j,
                        n,
                        s,
                        sAt + i * sRow + j,
                        sRow,
                        c,
                        cAt + i * n + j);
            }
        }
    }

    private static void tile(
            int last,
            int k,
            float[] a,
            int aAt,
            int aRow,
            int aColumn,
            float[] b,
            int bAt,
            int n,
            float[] s,
            int sAt,
            int sRow,
            float[] c,
            int cAt) {
        int r1 = Math.min(1, last);
        int r2 = Math.min(2, last);
        int r3 = Math.min(3, last);
        int r4 = Math.min(4, last);
        FloatVector c00 = load(s, sAt);
        FloatVector c01 = load(s, sAt + LANES);
        FloatVector c10 = load(s, sAt + r1 * sRow);
        FloatVector c11 = load(s, sAt + r1 * sRow + LANES);
        FloatVector c20 = load(s, sAt + r2 * sRow);
        FloatVector c21 = load(s, sAt + r2 * sRow + LANES);
        FloatVector c30 = load(s, sAt + r3 * sRow);
        FloatVector c31 = load(s, sAt + r3 * sRow + LANES);
        FloatVector c40 = load(s, sAt + r4 * sRow);
        FloatVector c41 = load(s, sAt + r4 * sRow + LANES);
        FloatVector c50 = load(s, sAt + last * sRow);
        FloatVector c51 = load(s, sAt + last * sRow + LANES);
        int a1 = r1 * aRow;
        int a2 = r2 * aRow;
        int a3 = r3 * aRow;
        int a4 = r4 * aRow;
        int a5 = last * aRow;
        for (int p = 0; p < k; p++) {
            FloatVector b0 = load(b, bAt);
            FloatVector b1 = load(b, bAt + LANES);
            FloatVector x = FloatVector.broadcast(SPECIES, a[aAt]);
            c00 = x.fma(b0, c00);
            c01 = x.fma(b1, c01);
            x = FloatVector.broadcast(SPECIES, a[aAt + a1]);
            c10 = x.fma(b0, c10);
            c11 = x.fma(b1, c11);
            x = FloatVector.broadcast(SPECIES, a[aAt + a2]);
            c20 = x.fma(b0, c20);
            c21 = x.fma(b1, c21);
            x = FloatVector.broadcast(SPECIES, a[aAt + a3]);
            c30 = x.fma(b0, c30);
            c31 = x.fma(b1, c31);
            x = FloatVector.broadcast(SPECIES, a[aAt + a4]);
            c40 = x.fma(b0, c40);
            c41 = x.fma(b1, c41);
            x = FloatVector.broadcast(SPECIES, a[aAt + a5]);
            c50 = x.fma(b0, c50);
            c51 = x.fma(b1, c51);
            aAt += aColumn;
            bAt += n;
        }
        c00.intoArray(c, cAt);
        c01.intoArray(c, cAt + LANES);
        c10.intoArray(c, cAt + r1 * n);
        c11.intoArray(c, cAt + r1 * n + LANES);
        c20.intoArray(c, cAt + r2 * n);
        c21.intoArray(c, cAt + r2 * n + LANES);
        c30.intoArray(c, cAt + r3 * n);
        c31.intoArray(c, cAt + r3 * n + LANES);
        c40.intoArray(c, cAt + r4 * n);
        c41.intoArray(c, cAt + r4 * n + LANES);
        c50.intoArray(c, cAt + last * n);
        c51.intoArray(c, cAt + last * n + LANES);
    }

    @Override
    public void dots(int m, int k, int n, float[] x, float[] w, int wAt, float[] b, int bAt, float[] y, int yAt) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                FloatVector sum0 = FloatVector.zero(SPECIES);
                FloatVector sum1 = FloatVector.zero(SPECIES);
                for (int p = 0; p < k; p += TILE_COLUMNS) {
                    sum0 = load(x, i * k + p).fma(load(w, wAt + j * k + p), sum0);
                    sum1 = load(x, i * k + p + LANES).fma(load(w, wAt + j * k + p + LANES), sum1);
                }
                y[yAt + i * n + j] = b[bAt + j] + sum(sum0.add(sum1));
            }
        }
    }

    @Override
    public void addRows(int m, int n, float[] x, int xAt, float[] sums, int sumsAt) {
        int j = 0;
        for (; j + TILE_COLUMNS <= n; j += TILE_COLUMNS) {
            FloatVector sum0 = load(sums, sumsAt + j);
            FloatVector sum1 = load(sums, sumsAt + j + LANES);
            for (int i = 0; i < m; i++) {
                sum0 = sum0.add(load(x, xAt + i * n + j));
                sum1 = sum1.add(load(x, xAt + i * n + j + LANES));
            }
            sum0.intoArray(sums, sumsAt + j);
            sum1.intoArray(sums, sumsAt + j + LANES);
        }
        for (; j < n; j++) {
            for (int i = 0; i < m; i++) {
                sums[sumsAt + j] += x[xAt + i * n + j];
            }
        }
    }

    /**
     * {@link FloatMath#tanh(float)}, but that magnitudes are bounded in their bits, as integers: the minimum of floats takes five
     * times as long, for the sake of NaN.
     */
    @Override
    public void tanh(float[] values, int n) {
        for (int i = 0; i < n; i += LANES) {
            IntVector bits = load(values, i).reinterpretAsInts();
            IntVector sign = bits.and(SIGN_BIT);
            IntVector magnitude = bits.sub(sign);
            FloatVector c = magnitude.min(SATURATION_BITS).reinterpretAsFloats();
            FloatVector u = c.mul(c);
            FloatVector p = c.mul(P3.mul(u).add(P2).mul(u).add(P1).mul(u).add(ONE));
            FloatVector q = Q3.mul(u).add(Q2).mul(u).add(Q1).mul(u).add(ONE);
            FloatVector t = p.mul(q).div(QUARTER.mul(p).mul(p).add(q.mul(q)));
            // The magnitude of NaN is above infinity's, and what is below 0 here has the bits of a NaN.
            IntVector nan = INFINITY_BITS.sub(magnitude).min(ZERO_BITS);
            IntVector result = t.reinterpretAsInts().min(ONE_BITS).or(sign).or(nan);
            result.reinterpretAsFloats().intoArray(values, i);
        }
    }

    @Override
    public double sumOfSquares(float[] x, int from, int to) {
        FloatVector sum0 = FloatVector.zero(SPECIES);
        FloatVector sum1 = FloatVector.zero(SPECIES);
        FloatVector sum2 = FloatVector.zero(SPECIES);
        FloatVector sum3 = FloatVector.zero(SPECIES);
        int i = from;
        for (; i + 4 * LANES <= to; i += 4 * LANES) {
            FloatVector x0 = load(x, i);
            FloatVector x1 = load(x, i + LANES);
            FloatVector x2 = load(x, i + 2 * LANES);
            FloatVector x3 = load(x, i + 3 * LANES);
            sum0 = x0.fma(x0, sum0);
            sum1 = x1.fma(x1, sum1);
            sum2 = x2.fma(x2, sum2);
            sum3 = x3.fma(x3, sum3);
        }
        double sum = sum(sum0.add(sum1).add(sum2.add(sum3)));
        for (; i < to; i++) {
            sum += (double) x[i] * x[i];
        }
        return sum;
    }

    /** Adds the lanes up; not by reduceLanes, whose order is not fixed and differs between the interpreter and compiled code. */
    private float sum(FloatVector vector) {
        vector.intoArray(lanes, 0);
        float sum = 0;
        for (float lane : lanes) {
            sum += lane;
        }
        return sum;
    }

    private static FloatVector load(float[] array, int at) {
        return FloatVector.fromArray(SPECIES, array, at);
    }
}
