package dev.holdfast.rl.backend.java;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.holdfast.rl.api.math.FloatMath;
import java.lang.management.ManagementFactory;

/**
 * The arithmetic of a multilayer perceptron. Nearly all of it is one matrix product; the other operations are loops here, for
 * kernels that know nothing better.
 *
 * <p>With weights kept as one row per input, the three products of a layer have one form: C = S + A·B, where the rows of B, S and C
 * are contiguous.
 *
 * <pre>
 *   forward    Y  = b + X ·W      A = X           B = W
 *   backward   dX = 0 + dY·Wᵀ     A = dY          B = Wᵀ, a copy made once per gradient step
 *   gradient   dW = G + Xᵀ·dY     A = Xᵀ, a view  B = dY, G what earlier chunks gave
 * </pre>
 *
 * A is read one number at a time, so that any view of it is as good as any other. Rows of B, S and C are padded to a multiple of
 * {@link #ALIGNMENT} columns, so that no kernel has to care for the rest of a row; whoever fills a matrix keeps its padding 0.
 *
 * <p><em>Threads.</em> An instance may hold buffers: it belongs to one thread at a time. Nothing is allocated by {@code multiply}.
 */
interface Kernel {
    /** The numbers of columns of B, S and C are multiples of it: two vectors of 512 bits. */
    int ALIGNMENT = 32;

    /** Returns the smallest multiple of {@link #ALIGNMENT} that is not below {@code columns}. */
    static int padded(int columns) {
        return (columns + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Returns a new instance of the fastest kernel that this JVM can run. */
    static Kernel fastest() {
        ModuleLayer modules = ModuleLayer.boot();
        boolean vectors = modules.findModule("jdk.incubator.vector").isPresent()
                && modules.findModule("jdk.management").isPresent()
                && hasMultiplyAdd();
        // VectorKernel can't be linked without its module: nothing else may mention it.
        return vectors ? new VectorKernel() : new LoopKernel();
    }

    /** Tells whether the processor has a fused multiply-add: without one, a JVM computes it in decimal, ten thousand times slower. */
    private static boolean hasMultiplyAdd() {
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return vm != null && vm.getVMOption("UseFMA").getValue().equals("true");
    }

    /** Returns what the last bits of a product depend on: for example {@code vector-512}. */
    String name();

    /**
     * Computes C = S + A·B.
     *
     * @param m the number of rows of A, S and C
     * @param k the number of columns of A and of rows of B
     * @param n the number of columns of B, S and C, and the distance of rows of B and C; a multiple of {@link #ALIGNMENT}
     * @param a holds A's elements: row i, column p at {@code aAt + i * aRow + p * aColumn}
     * @param aAt where A starts
     * @param aRow the distance of rows of A
     * @param aColumn the distance of columns of A
     * @param b holds B
     * @param bAt where B starts
     * @param s holds S; may be C itself
     * @param sAt where S starts
     * @param sRow the distance of rows of S; 0 if all rows are the same one
     * @param c receives C
     * @param cAt where C starts
     */
    void multiply(
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
            int cAt);

    /**
     * Computes Y = b + X·Wᵀ for a W of few rows.
     *
     * @param m the number of rows of X and Y
     * @param k the length of rows of X and W; a multiple of {@link #ALIGNMENT}
     * @param n the number of rows of W and of columns of Y
     * @param x holds X, from its start
     * @param w holds W
     * @param wAt where W starts
     * @param b holds b
     * @param bAt where b starts
     * @param y receives Y
     * @param yAt where Y starts
     */
    default void dots(int m, int k, int n, float[] x, float[] w, int wAt, float[] b, int bAt, float[] y, int yAt) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                int u = i * k;
                int v = wAt + j * k;
                // Four sums at once hide the latency of an addition.
                float s0 = 0;
                float s1 = 0;
                float s2 = 0;
                float s3 = 0;
                for (int p = 0; p < k; p += 4) {
                    s0 += x[u + p] * w[v + p];
                    s1 += x[u + p + 1] * w[v + p + 1];
                    s2 += x[u + p + 2] * w[v + p + 2];
                    s3 += x[u + p + 3] * w[v + p + 3];
                }
                y[yAt + i * n + j] = b[bAt + j] + ((s0 + s1) + (s2 + s3));
            }
        }
    }

    /**
     * Adds the rows of a matrix to a row.
     *
     * @param m the number of rows
     * @param n the length of a row
     * @param x holds the matrix
     * @param xAt where it starts
     * @param sums holds the row
     * @param sumsAt where the row starts
     */
    default void addRows(int m, int n, float[] x, int xAt, float[] sums, int sumsAt) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                sums[sumsAt + j] += x[xAt + i * n + j];
            }
        }
    }

    /**
     * Replaces numbers by their hyperbolic tangents, with the bits of {@link FloatMath#tanh(float)}.
     *
     * @param values holds the numbers
     * @param n how many; a multiple of {@link #ALIGNMENT}
     */
    default void tanh(float[] values, int n) {
        FloatMath.tanh(values, 0, n);
    }

    /** Returns the sum of the squares of {@code x[from]} to {@code x[to - 1]}. */
    default double sumOfSquares(float[] x, int from, int to) {
        return FloatMath.sumOfSquares(x, from, to);
    }
}
