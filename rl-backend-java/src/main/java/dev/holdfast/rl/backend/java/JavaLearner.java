package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.backend.AbstractPpoLearner;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.Adam;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * PPO's gradient step on the CPU.
 *
 * <p>The rows of a mini-batch are shared out to the threads in a fixed number of chunks; so are, in big networks, the parameters.
 * Every sum is taken in an order that the request and the mini-batch's size fix: they fix every bit of the result, whichever thread
 * is the faster one.
 */
final class JavaLearner extends AbstractPpoLearner {
    /** A chunk has about this many outputs of the widest layer: a few layers of them fit into a core's second-level cache. */
    private static final int CHUNK_OUTPUTS = 1 << 15;

    private static final int MIN_CHUNK_ROWS = 64;
    private static final int MAX_CHUNK_ROWS = 512;
    /** The number of floats in a cache line. */
    private static final int STRIP = 16;

    private final Network network;
    private final Shard[] shards;
    /** One loss head per chunk. */
    private final PpoLoss[] losses;

    private final int slices;
    /** By slice of the parameters: the sum of the gradient's squares. */
    private final double[] squares;

    private final Team team;
    private final Adam adam;
    private final LearnerArrays arrays;
    /** One per thread. */
    private final Kernel[] kernels;

    // Made once, since a method reference makes an object every time it is evaluated.
    private final Team.Task transposeSlice = this::transposeSlice;
    private final Team.Task evaluateShard = this::evaluateShard;
    private final Team.Task forwardShard = this::forwardShard;
    private final Team.Task reduceSlice = this::reduceSlice;
    private final Team.Task stepSlice = this::stepSlice;
    // The arguments of the current update, for the tasks.
    private @Nullable MiniBatch batch;
    private @Nullable UpdateSettings settings;
    private float @Nullable [] forwardFeatures;
    private int forwardSize;
    private float gradientScale;

    /**
     * Creates a learner.
     *
     * @param grain how many multiply-adds of a forward pass are worth a thread of their own
     */
    JavaLearner(LearnerRequest request, Device device, Supplier<Kernel> newKernel, int grain) {
        super(request, device);
        NetworkSpec spec = request.network();
        network = new Network(spec);
        int maxBatchSize = request.maxBatchSize();
        int size = network.size();
        int shardCount = parts(request.threads(), (long) size * maxBatchSize, grain);
        int widest =
                network.layers().stream().mapToInt(Network.Layer::width).max().orElseThrow();
        int chunkRows = Math.min(Math.max(CHUNK_OUTPUTS / widest, MIN_CHUNK_ROWS), MAX_CHUNK_ROWS);
        losses = new PpoLoss[shardCount * ceilDiv(maxBatchSize, shardCount * chunkRows)];
        Arrays.setAll(losses, i -> new PpoLoss(spec));
        // What is done for each parameter takes as long as about four multiply-adds of that pass.
        slices = parts(request.threads(), size, Math.max(1, grain / 4));
        int threads = Math.max(shardCount, slices);
        kernels = new Kernel[threads];
        Arrays.setAll(kernels, i -> newKernel.get());
        arrays = new LearnerArrays(network, maxBatchSize);
        int rows = ceilDiv(maxBatchSize, losses.length);
        shards = new Shard[shardCount];
        Arrays.setAll(shards, i -> new Shard(spec, network, kernels[i], arrays, rows));
        squares = new double[slices];
        team = new Team(threads);
        adam = new Adam(size);
        initialize(request);
    }

    /** Returns how many threads share some work. */
    private static int parts(int threads, long work, int minimum) {
        return (int) Math.max(1, Math.min(threads, work / minimum));
    }

    private static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }

    @Override
    protected void loss(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics) {
        this.batch = batch;
        this.settings = settings;
        team.run(slices, transposeSlice);
        team.run(shards.length, evaluateShard);
        PpoLoss.summarize(losses, batch.size(), settings, statistics);
    }

    @Override
    protected double step(UpdateSettings settings, long number) {
        team.run(slices, reduceSlice);
        double sum = 0;
        for (double slice : squares) {
            sum += slice;
        }
        double norm = Math.sqrt(sum);
        if (Double.isFinite(norm)) {
            gradientScale = (float) clipScale(norm, settings);
            adam.begin(settings.learningRate(), number);
            team.run(slices, stepSlice);
        }
        return norm;
    }

    @Override
    protected void forward(int size, float[] features, float[] outputs, float[] values) {
        forwardFeatures = features;
        forwardSize = size;
        team.run(shards.length, forwardShard);
        System.arraycopy(
                arrays.outputs,
                0,
                outputs,
                0,
                size * network.layout().actionHead().out());
        System.arraycopy(arrays.values, 0, values, 0, size);
    }

    /** Does the chunks of a shard, forward alone. */
    private void forwardShard(int part) {
        float[] features = Objects.requireNonNull(forwardFeatures);
        int perShard = losses.length / shards.length;
        for (int chunk = part * perShard; chunk < (part + 1) * perShard; chunk++) {
            int from = start(chunk, losses.length, forwardSize);
            int to = start(chunk + 1, losses.length, forwardSize);
            shards[part].forward(features, from, to);
        }
    }

    /** Does the chunks of a shard. */
    private void evaluateShard(int part) {
        MiniBatch batch = Objects.requireNonNull(this.batch);
        UpdateSettings settings = Objects.requireNonNull(this.settings);
        int perShard = losses.length / shards.length;
        for (int i = 0; i < perShard; i++) {
            int chunk = part * perShard + i;
            shards[part].add(
                    batch,
                    start(chunk, losses.length, batch.size()),
                    start(chunk + 1, losses.length, batch.size()),
                    settings,
                    losses[chunk],
                    i == 0);
        }
    }

    /** Transposes the weights for the backward pass. */
    private void transposeSlice(int part) {
        for (Network.Layer layer : network.layers()) {
            if (layer.transposed() >= 0) {
                transpose(layer, start(part, slices, layer.in()), start(part + 1, slices, layer.in()));
            }
        }
    }

    private void transpose(Network.Layer layer, int from, int to) {
        float[] source = arrays.parameters;
        float[] target = arrays.transposed;
        int width = layer.width();
        int inWidth = layer.inWidth();
        // Strips of a cache line of the source, four rows at a time: what is read and written next is mostly still in
        // the cache, also where rows are a power of two apart and so compete for the same few places in it.
        for (int strip = 0; strip < layer.out(); strip += STRIP) {
            int end = Math.min(strip + STRIP, layer.out());
            int i = from;
            for (; i + 4 <= to; i += 4) {
                int s = layer.weights() + i * width + strip;
                int t = layer.transposed() + strip * inWidth + i;
                for (int o = strip; o < end; o++) {
                    target[t] = source[s];
                    target[t + 1] = source[s + width];
                    target[t + 2] = source[s + 2 * width];
                    target[t + 3] = source[s + 3 * width];
                    s++;
                    t += inWidth;
                }
            }
            for (; i < to; i++) {
                for (int o = strip; o < end; o++) {
                    target[layer.transposed() + o * inWidth + i] = source[layer.weights() + i * width + o];
                }
            }
        }
    }

    /** Adds up the shards' gradients in the first one's, and their squares. */
    private void reduceSlice(int part) {
        int from = start(part, slices, network.size());
        int to = start(part + 1, slices, network.size());
        float[] sum = shards[0].gradient();
        for (int s = 1; s < shards.length; s++) {
            float[] other = shards[s].gradient();
            for (int i = from; i < to; i++) {
                sum[i] += other[i];
            }
        }
        squares[part] = kernels[part].sumOfSquares(sum, from, to);
    }

    private void stepSlice(int part) {
        adam.apply(
                arrays.parameters,
                shards[0].gradient(),
                gradientScale,
                start(part, slices, network.size()),
                start(part + 1, slices, network.size()));
    }

    /** Returns where a part of a whole begins. */
    private static int start(int part, int parts, int whole) {
        return (int) ((long) part * whole / parts);
    }

    @Override
    protected void store(Part part, float[] flat) {
        network.store(array(part), flat);
    }

    @Override
    protected void load(Part part, float[] flat) {
        network.load(flat, array(part));
    }

    private float[] array(Part part) {
        return switch (part) {
            case WEIGHTS -> arrays.parameters;
            case FIRST_MOMENTS -> adam.firstMoments();
            case SECOND_MOMENTS -> adam.secondMoments();
        };
    }

    @Override
    public String kernel() {
        return kernels[0].name();
    }

    @Override
    protected void release() {
        team.close();
    }
}
