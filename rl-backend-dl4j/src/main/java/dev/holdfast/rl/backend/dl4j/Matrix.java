package dev.holdfast.rl.backend.dl4j;

import java.nio.FloatBuffer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * Floats in native memory, mostly a row-major matrix, and the products of a linear layer by OpenBLAS.
 *
 * <p>What Java's loops work on is copied in and out in bulk: they are vectorised on arrays alone, and a copy costs a tenth of what they
 * do. Where a matrix is only a few columns wide, a product with a vector for each of them is faster than the product of matrices.
 *
 * <p><em>Threads.</em> One thread at a time.
 */
final class Matrix {
    private static final int ROW_MAJOR = openblas_nolapack.CblasRowMajor;
    private static final int AS_IS = openblas_nolapack.CblasNoTrans;
    private static final int TRANSPOSED = openblas_nolapack.CblasTrans;
    private static final int FEW = 4;

    private final FloatPointer pointer;
    private final FloatBuffer buffer;

    /**
     * Creates a view of memory that somebody else frees.
     *
     * @param memory the memory
     * @param start the first element
     * @param size the number of elements
     */
    Matrix(FloatPointer memory, long start, int size) {
        pointer = new FloatPointer(memory.getPointer(start));
        buffer = pointer.capacity(size).asBuffer();
    }

    /** Copies the first elements in. */
    void put(float[] source, int at, int count) {
        buffer.put(0, source, at, count);
    }

    /** Copies the first elements out. */
    void get(float[] target, int at, int count) {
        buffer.get(0, target, at, count);
    }

    private FloatPointer at(int element) {
        return pointer.position(element);
    }

    /** Adds X·Wᵀ to Y, with X {@code [m, k]} and W {@code [n, k]}. */
    static void forward(int m, int k, int n, Matrix x, Matrix w, Matrix y) {
        if (n <= FEW) {
            for (int j = 0; j < n; j++) {
                openblas_nolapack.cblas_sgemv(ROW_MAJOR, AS_IS, m, k, 1f, x.at(0), k, w.at(j * k), 1, 1f, y.at(j), n);
            }
        } else {
            openblas_nolapack.cblas_sgemm(
                    ROW_MAJOR, AS_IS, TRANSPOSED, m, n, k, 1f, x.at(0), k, w.at(0), k, 1f, y.at(0), n);
        }
    }

    /** Computes dX = dY·W, with dY {@code [m, n]} and W {@code [n, k]}; adds it to dX if {@code add}. */
    static void backward(int m, int k, int n, Matrix dy, Matrix w, Matrix dx, boolean add) {
        float beta = add ? 1f : 0f;
        openblas_nolapack.cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, m, k, n, 1f, dy.at(0), n, w.at(0), k, beta, dx.at(0), k);
    }

    /**
     * Computes dW = dYᵀ·X, with dY {@code [m, n]} and X {@code [m, k]}, and after it db, the sum of the rows of dY; adds them to
     * what is there if {@code add}.
     *
     * @param ones m times 1
     */
    static void gradient(int m, int k, int n, Matrix dy, Matrix x, Matrix ones, Matrix dw, boolean add) {
        float beta = add ? 1f : 0f;
        if (n <= FEW) {
            for (int j = 0; j < n; j++) {
                openblas_nolapack.cblas_sgemv(
                        ROW_MAJOR, TRANSPOSED, m, k, 1f, x.at(0), k, dy.at(j), n, beta, dw.at(j * k), 1);
            }
        } else if (k <= FEW) {
            for (int p = 0; p < k; p++) {
                openblas_nolapack.cblas_sgemv(
                        ROW_MAJOR, TRANSPOSED, m, n, 1f, dy.at(0), n, x.at(p), k, beta, dw.at(p), k);
            }
        } else {
            openblas_nolapack.cblas_sgemm(
                    ROW_MAJOR, TRANSPOSED, AS_IS, n, k, m, 1f, dy.at(0), n, x.at(0), k, beta, dw.at(0), k);
        }
        openblas_nolapack.cblas_sgemv(
                ROW_MAJOR, TRANSPOSED, m, n, 1f, dy.at(0), n, ones.at(0), 1, beta, dw.at(n * k), 1);
    }
}
