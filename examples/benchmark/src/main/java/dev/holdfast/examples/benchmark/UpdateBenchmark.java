package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One gradient step, the same as in {@code holdfast bench}, under JMH and its profilers: updates a second, and floating-point
 * operations a second, of which only those of the matrix products are counted. {@link PeakFlopsBenchmark} tells what the machine could
 * do.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@State(Scope.Benchmark)
public class UpdateBenchmark {
    /** The name of a backend that is on the class path. */
    @Param("java")
    public String backend;

    /** The network: two hidden layers of that width. */
    @Param({"2x64", "2x256", "2x1024"})
    public String network;

    /** The number of samples of a mini-batch. */
    @Param({"64", "256", "2048"})
    public int batchSize;

    /** The number of threads of the learner. */
    @Param({"1", "2"})
    public int threads;

    private Workload workload;
    private double flopsPerUpdate;

    /** Counts floating-point operations. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Count {
        /** The number of floating-point operations. */
        public double flops;
    }

    /** Prepares a learner and a mini-batch. */
    @Setup
    public void setup() {
        Net net = Net.named(network);
        workload = Workload.of(Work.UPDATE, backend, net, batchSize, threads);
        flopsPerUpdate = (double) batchSize * Flops.ofUpdate(new ParameterLayout(net.spec()));
    }

    /** Ends the learner's threads. */
    @TearDown
    public void close() {
        workload.close();
    }

    /** With the Vector API, which the backend in Java makes use of. */
    @Benchmark
    @Fork(value = 2, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
    public void vectors(Count count) {
        update(count);
    }

    /** With plain loops. */
    @Benchmark
    @Fork(2)
    public void loops(Count count) {
        update(count);
    }

    private void update(Count count) {
        workload.call();
        count.flops += flopsPerUpdate;
    }
}
