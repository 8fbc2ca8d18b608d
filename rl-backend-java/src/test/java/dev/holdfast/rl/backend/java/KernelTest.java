package dev.holdfast.rl.backend.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.holdfast.rl.api.math.FloatMath;
import dev.holdfast.rl.api.random.RandomStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KernelTest {
    /** In a JVM without the vector module, both are the loops. */
    static Stream<Kernel> kernels() {
        return Stream.of(new LoopKernel(), Kernel.fastest());
    }

    /** The JVM of the test itself may lack the module, or run where there is no multiply-add. */
    @ParameterizedTest
    @CsvSource({
        "-XX:+UseFMA, --add-modules=jdk.incubator.vector, vector-\\d+",
        "-XX:-UseFMA, --add-modules=jdk.incubator.vector, loops",
        "-XX:+UseFMA, --add-modules=java.base, loops"
    })
    void isChosenByTheModulesAndTheProcessor(String multiplyAdd, String modules, String expected) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        multiplyAdd,
                        modules,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KernelName.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String name = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(name).matches(expected);
    }

    /** Prints the name of the kernel that its JVM uses. */
    static final class KernelName {
        private KernelName() {}

        public static void main(String[] arguments) {
            System.out.print(Kernel.fastest().name());
        }
    }

    @Test
    void padsToWholeTiles() {
        assertThat(Kernel.padded(1)).isEqualTo(32);
        assertThat(Kernel.padded(32)).isEqualTo(32);
        assertThat(Kernel.padded(33)).isEqualTo(64);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void multipliesMatricesOfAllShapes(Kernel kernel) {
        RandomStream random = new RandomStream(1);
        for (int m : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 64}) {
            for (int k : new int[] {0, 1, 2, 3, 4, 5, 64, 95, 96, 97, 200}) {
                for (int n : new int[] {32, 64, 96, 512, 544}) {
                    multiplies(kernel, m, k, n, random);
                }
            }
        }
    }

    private static void multiplies(Kernel kernel, int m, int k, int n, RandomStream random) {
        float[] a = random(5 + m * k, random);
        float[] b = random(3 + k * n, random);
        float[] row = random(7 + n, random);
        float[] before = random(11 + m * n + 13, random);
        for (boolean transposed : new boolean[] {false, true}) {
            int aRow = transposed ? 1 : k;
            int aColumn = transposed ? m : 1;

            float[] c = before.clone();
            kernel.multiply(m, k, n, a, 5, aRow, aColumn, b, 3, row, 7, 0, c, 11);
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = row[7 + j];
                    for (int p = 0; p < k; p++) {
                        sum += (double) a[5 + i * aRow + p * aColumn] * b[3 + p * n + j];
                    }
                    close(c[11 + i * n + j], sum, k);
                }
            }
            assertThat(Arrays.copyOf(c, 11)).isEqualTo(Arrays.copyOf(before, 11));
            assertThat(Arrays.copyOfRange(c, 11 + m * n, c.length))
                    .isEqualTo(Arrays.copyOfRange(before, 11 + m * n, before.length));

            float[] added = before.clone();
            kernel.multiply(m, k, n, a, 5, aRow, aColumn, b, 3, added, 11, n, added, 11);
            for (int i = 0; i < m * n; i++) {
                close(added[11 + i] - c[11 + i], (double) before[11 + i] - row[7 + i % n], k);
            }
        }
    }

    private static float[] random(int size, RandomStream random) {
        float[] numbers = new float[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }

    private static void close(double actual, double expected, int terms) {
        // Not AssertJ: there are millions of these.
        if (!(Math.abs(actual - expected) <= 1e-5 * Math.sqrt(1 + terms))) {
            assertThat(actual).isCloseTo(expected, within(1e-5 * Math.sqrt(1 + terms)));
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void multipliesByRowsOfWeights(Kernel kernel) {
        RandomStream random = new RandomStream(2);
        for (int m : new int[] {0, 1, 5}) {
            for (int k : new int[] {32, 96}) {
                for (int n : new int[] {1, 2, 7}) {
                    float[] x = random(m * k, random);
                    float[] w = random(3 + n * k, random);
                    float[] b = random(5 + n, random);
                    float[] y = random(2 + m * n, random);
                    kernel.dots(m, k, n, x, w, 3, b, 5, y, 2);
                    for (int i = 0; i < m * n; i++) {
                        double sum = b[5 + i % n];
                        for (int p = 0; p < k; p++) {
                            sum += (double) x[i / n * k + p] * w[3 + i % n * k + p];
                        }
                        close(y[2 + i], sum, k);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void addsRows(Kernel kernel) {
        RandomStream random = new RandomStream(3);
        for (int n : new int[] {1, 31, 32, 33, 96, 100}) {
            float[] x = random(2 + 5 * n, random);
            float[] sums = random(3 + n + 1, random);
            float[] before = sums.clone();
            kernel.addRows(5, n, x, 2, sums, 3);
            for (int j = 0; j < n; j++) {
                double sum = before[3 + j];
                for (int i = 0; i < 5; i++) {
                    sum += x[2 + i * n + j];
                }
                close(sums[3 + j], sum, 5);
            }
            assertThat(sums[2]).isEqualTo(before[2]);
            assertThat(sums[3 + n]).isEqualTo(before[3 + n]);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void hasTheTangentOfTheActingPolicy(Kernel kernel) {
        float[] special = {
            0f,
            -0f,
            Float.MIN_VALUE,
            -Float.MIN_VALUE,
            1e-30f,
            8.999f,
            9.01f,
            -9.01f,
            9.02f,
            -100f,
            Float.MAX_VALUE,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.NaN,
            -Float.NaN
        };
        float[] x = random(32 * 1000, new RandomStream(4));
        for (int i = 0; i < x.length; i++) {
            x[i] = i < special.length ? special[i] : 4 * x[i];
        }
        float[] y = x.clone();
        kernel.tanh(y, y.length - 32);
        for (int i = 0; i < y.length; i++) {
            float expected = i < y.length - 32 ? FloatMath.tanh(x[i]) : x[i];
            if (Float.floatToIntBits(y[i]) != Float.floatToIntBits(expected)) {
                assertThat(y[i]).as("tanh(%s)", x[i]).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void sumsSquares(Kernel kernel) {
        float[] x = random(1000, new RandomStream(5));
        for (int from : new int[] {0, 3, 500}) {
            for (int to : new int[] {500, 501, 563, 564, 565, 1000}) {
                double sum = 0;
                for (int i = from; i < to; i++) {
                    sum += (double) x[i] * x[i];
                }
                assertThat(kernel.sumOfSquares(x, from, to)).isCloseTo(sum, within(1e-6 * sum));
            }
        }
        x[700] = Float.NaN;
        assertThat(kernel.sumOfSquares(x, 0, 1000)).isNaN();
        x[700] = Float.NEGATIVE_INFINITY;
        assertThat(kernel.sumOfSquares(x, 0, 1000)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    /** A run that is resumed is interpreted at first, where the uninterrupted one is compiled. */
    @ParameterizedTest
    @MethodSource("kernels")
    void givesTheSameBitsInterpretedAndCompiled(Kernel kernel) {
        RandomStream random = new RandomStream(6);
        float[] a = random(7 * 64, random);
        float[] b = random(64 * 64, random);
        float[] expected = everything(kernel, a, b);
        for (int i = 0; i < 3000; i++) {
            float[] again = everything(kernel, a, b);
            if (!Arrays.equals(again, expected)) {
                assertThat(again).as("round %s", i).isEqualTo(expected);
            }
        }
    }

    /** One after another, since what is compiled first affects how the rest is: an operation must not come out in pieces. */
    @ParameterizedTest
    @MethodSource("kernels")
    void allocatesNothingOnceCompiled(Kernel kernel) {
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        float[] a = random(64 * 64, new RandomStream(7));
        float[] b = a.clone();
        float[] c = new float[64 * 64];
        double[] sum = new double[1];
        List<Runnable> operations = List.of(
                () -> kernel.multiply(64, 64, 64, a, 0, 64, 1, b, 0, b, 0, 0, c, 0),
                () -> kernel.dots(64, 64, 1, a, b, 0, b, 0, c, 0),
                () -> kernel.addRows(64, 64, a, 0, c, 0),
                () -> kernel.tanh(c, c.length),
                () -> sum[0] = kernel.sumOfSquares(a, 0, a.length));
        for (int i = 0; i < operations.size(); i++) {
            long deadline = System.nanoTime() + 60_000_000_000L;
            long allocated = Long.MAX_VALUE;
            while (allocated > 0 && System.nanoTime() < deadline) {
                long before = memory.getCurrentThreadAllocatedBytes();
                for (int call = 0; call < 3000; call++) {
                    operations.get(i).run();
                }
                allocated = memory.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(allocated).as("operation %s", i).isZero();
        }
    }

    private static float[] everything(Kernel kernel, float[] a, float[] b) {
        float[] c = new float[7 * 64 + 7 + 64 + 1];
        kernel.multiply(7, 64, 64, a, 0, 64, 1, b, 0, b, 0, 0, c, 0);
        kernel.tanh(c, 7 * 64);
        kernel.dots(7, 64, 1, c, b, 0, b, 0, c, 7 * 64);
        kernel.addRows(7, 64, c, 0, c, 7 * 64 + 7);
        c[c.length - 1] = (float) kernel.sumOfSquares(c, 0, c.length - 1);
        return c;
    }
}
