package dev.holdfast.rl.backend.java;

/**
 * The product in loops that the JIT compiler turns into SIMD instructions by itself.
 *
 * <p>It does so only for a loop whose arrays are all indexed by the bare loop variable, since it can't tell whether {@code c[x + j]}
 * and {@code c[y + j]} overlap; and only for a short body. So a block of rows of B, and two rows of C at a time, are copied to
 * arrays of their own, and the innermost loop adds multiples of three rows of B to both rows of C:
 *
 * <pre>
 *   A ┌─────────┐    B ┌────────────┐        for each block of B's rows and columns: copy it
 *   i │x00 01 02│      │p    b0[j]  │          for each two rows of C: copy them
 *     │x10 11 12│      │p+1  b1[j]  │            for each three rows of the block: add3, over j
 *     └─────────┘      │p+2  b2[j]  │            copy both back
 *                      └────────────┘
 * </pre>
 *
 * Six multiply-adds share five loads and two stores. More of either don't fit into the compiler's limits, and run four times slower.
 * There is no {@code Math.fma}: a processor without that instruction would take a thousand times longer.
 */
final class LoopKernel implements Kernel {
    private static final int BLOCK_ROWS = 96;
    private static final int BLOCK_COLUMNS = 512;
    private final float[][] block = new float[BLOCK_ROWS][BLOCK_COLUMNS];
    private final float[] c0 = new float[BLOCK_COLUMNS];
    private final float[] c1 = new float[BLOCK_COLUMNS];

    @Override
    public String name() {
        return "loops";
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
        for (int j = 0; j < n; j += BLOCK_COLUMNS) {
            int columns = Math.min(BLOCK_COLUMNS, n - j);
            // At least one round, so that C becomes S where k is 0.
            int p = 0;
            do {
                int rows = Math.min(BLOCK_ROWS, k - p);
                for (int r = 0; r < rows; r++) {
                    System.arraycopy(b, bAt + (p + r) * n + j, block[r], 0, columns);
                }
                for (int i = 0; i < m; i += 2) {
                    // The partner of an odd last row is that row itself.
                    int next = Math.min(i + 1, m - 1);
                    if (p == 0) {
                        System.arraycopy(s, sAt + i * sRow + j, c0, 0, columns);
                        System.arraycopy(s, sAt + next * sRow + j, c1, 0, columns);
                    } else {
                        System.arraycopy(c, cAt + i * n + j, c0, 0, columns);
                        System.arraycopy(c, cAt + next * n + j, c1, 0, columns);
                    }
                    addRows(rows, columns, a, aAt + i * aRow + p * aColumn, (next - i) * aRow, aColumn);
                    System.arraycopy(c0, 0, c, cAt + i * n + j, columns);
                    System.arraycopy(c1, 0, c, cAt + next * n + j, columns);
                }
                p += BLOCK_ROWS;
            } while (p < k);
        }
    }

    /** Adds multiples of the block's rows to both rows of C. */
    private void addRows(int rows, int columns, float[] a, int aAt, int aNext, int aColumn) {
        int x = aAt;
        int r = 0;
        for (; r + 3 <= rows; r += 3) {
            int y = x + aNext;
            float x01 = a[x + aColumn];
            float x02 = a[x + 2 * aColumn];
            float x11 = a[y + aColumn];
            float x12 = a[y + 2 * aColumn];
            add3(columns, c0, c1, block[r], block[r + 1], block[r + 2], a[x], x01, x02, a[y], x11, x12);
            x += 3 * aColumn;
        }
        if (r < rows) {
            // Rows missing to three are the last one once more, 0 times.
            int y = x + aNext;
            boolean two = r + 2 == rows;
            float[] b1 = block[rows - 1];
            float x01 = two ? a[x + aColumn] : 0f;
            float x11 = two ? a[y + aColumn] : 0f;
            add3(columns, c0, c1, block[r], b1, b1, a[x], x01, 0f, a[y], x11, 0f);
        }
    }

    private static void add3(
            int columns,
            float[] c0,
            float[] c1,
            float[] b0,
            float[] b1,
            float[] b2,
            float x00,
            float x01,
            float x02,
            float x10,
            float x11,
            float x12) {
        for (int j = 0; j < columns; j++) {
            c0[j] += x00 * b0[j] + x01 * b1[j] + x02 * b2[j];
            c1[j] += x10 * b0[j] + x11 * b1[j] + x12 * b2[j];
        }
    }
}
