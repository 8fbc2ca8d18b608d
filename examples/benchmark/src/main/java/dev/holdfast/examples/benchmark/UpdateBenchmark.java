package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
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
 * One gradient step: updates a second, and floating-point operations a second, of which only those of the matrix products are
 * counted. {@link PeakFlopsBenchmark} tells what the machine could do.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@State(Scope.Benchmark)
public class UpdateBenchmark {
    private static final UpdateSettings SETTINGS =
            new UpdateSettings(3e-4, 0.2, Double.POSITIVE_INFINITY, 0, 0.5, 0.5, true, Double.POSITIVE_INFINITY);

    /** The network: CartPole's with two layers of 64 or 256, or the masked environment's with 80 one-hot inputs and 80 actions. */
    @Param({"2x64", "2x256", "masked"})
    public String network;

    /** The number of samples of a mini-batch. */
    @Param({"64", "256", "2048"})
    public int batchSize;

    /** The number of threads of the learner. */
    @Param({"1", "2"})
    public int threads;

    private PpoLearner learner;
    private MiniBatch batch;
    private UpdateStatistics statistics;
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
        boolean masked = network.equals("masked");
        Space observations = masked ? new Discrete(80) : Box.unbounded(4);
        int width = network.equals("2x256") ? 256 : 64;
        NetworkSpec spec =
                NetworkSpec.of(observations, new Discrete(masked ? 80 : 2), masked, Activation.TANH, width, width);
        learner = Backends.named("java").createLearner(new LearnerRequest(spec, "cpu", threads, batchSize, 1));
        batch = batch(spec);
        statistics = new UpdateStatistics();
        flopsPerUpdate = 2.0 * batchSize * multiplyAdds(spec);
    }

    private MiniBatch batch(NetworkSpec spec) {
        MiniBatch samples = new MiniBatch(spec, batchSize);
        samples.size(batchSize);
        RandomStream random = new RandomStream(1);
        int size = spec.observationSpace().size();
        float[] observations = new float[batchSize * size];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = spec.masked() ? random.nextInt(80) : (float) random.nextGaussian();
        }
        for (int i = 0; i < batchSize; i++) {
            spec.observationSpace().encode(observations, i * size, samples.features(), i * spec.inputs());
            samples.advantages()[i] = (float) random.nextGaussian();
            samples.returns()[i] = (float) random.nextGaussian();
        }
        boolean[] masks = samples.masks();
        if (masks != null) {
            // A quarter of the actions is valid, as in the environment.
            for (int i = 0; i < masks.length; i++) {
                masks[i] = i % 4 == 0;
            }
        }
        float[] weights = new float[new ParameterLayout(spec).size()];
        learner.copyWeights(weights);
        MlpPolicy policy = new MlpPolicy(spec, batchSize);
        policy.setWeights(weights);
        policy.act(
                batchSize,
                observations,
                masks,
                random,
                samples.actions(),
                samples.values(),
                samples.logProbabilities());
        return samples;
    }

    /** Every weight takes part in the forward pass and in its own gradient, and in the backward pass unless it reads features. */
    private static long multiplyAdds(NetworkSpec spec) {
        ParameterLayout layout = new ParameterLayout(spec);
        long sum = weights(layout.actionHead()) * 3 + weights(layout.valueHead()) * 3;
        for (List<ParameterLayout.Layer> stack : List.of(layout.policy(), layout.value())) {
            for (int i = 0; i < stack.size(); i++) {
                sum += weights(stack.get(i)) * (i == 0 ? 2 : 3);
            }
        }
        return sum;
    }

    private static long weights(ParameterLayout.Layer layer) {
        return (long) layer.in() * layer.out();
    }

    /** Ends the learner's threads. */
    @TearDown
    public void close() {
        learner.close();
    }

    /** With the vector kernel. */
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
        learner.update(batch, SETTINGS, statistics);
        count.flops += flopsPerUpdate;
    }
}
