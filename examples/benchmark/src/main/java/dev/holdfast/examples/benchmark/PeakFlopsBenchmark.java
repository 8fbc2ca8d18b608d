package dev.holdfast.examples.benchmark;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many floating-point operations a second one core can do: what {@link UpdateBenchmark}'s figures are measured against.
 *
 * <p>Every element of an array that fits into the first-level cache goes through a chain of 16 multiply-adds. The JIT compiler turns
 * that into SIMD instructions; the chains of neighbouring elements overlap, which hides the latency, and there are too few loads
 * and stores to matter. Registers alone, through the Vector API, were 4 % faster.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class PeakFlopsBenchmark {
    private final float[] numbers = new float[4096];
    // Not constants, so that the compiler can't compute with them.
    private float factor = 0.99f;
    private float summand = 0.01f;

    /** Counts floating-point operations. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Count {
        /** The number of floating-point operations. */
        public double flops;
    }

    /** Starts the numbers off. */
    public PeakFlopsBenchmark() {
        Arrays.fill(numbers, 0.5f);
    }

    /** Does 32 operations on each number. */
    @Benchmark
    public void peak(Count count) {
        multiplyAdd(numbers, factor, summand);
        count.flops += 32.0 * numbers.length;
    }

    private static void multiplyAdd(float[] numbers, float x, float y) {
        for (int i = 0; i < numbers.length; i++) {
            float s = numbers[i];
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            s = Math.fma(s, x, y);
            numbers[i] = s;
        }
    }
}
