package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.AbstractPpoLearner;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.math.FloatMath;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.ppo.Adam;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * PPO's gradient step: the network on an engine, the loss head, the gradient's norm and Adam in Java.
 *
 * <p>Parameters and moments lie in Java's memory, in PyTorch's layout, and the engine works on copies. The rows of a mini-batch are
 * shared out to the threads, each of which has a network of its own and takes its rows in chunks: a chunk goes forward, through
 * the loss and backward before the next one begins, so that its activations are still in the cache. Every sum is taken in an order that
 * the request and the mini-batch's size fix.
 */
final class Dl4jLearner extends AbstractPpoLearner {
    private final int size;
    private final int outputs;
    private final int logStdAt;
    private final int chunkRows;
    /** One per thread. */
    private final Shard[] shards;
    /** One loss head per chunk, shard after shard. */
    private final PpoLoss[] losses;

    /** By slice of the parameters: the sum of the gradient's squares. */
    private final double[] squares;

    private final Team team;
    private final Adam adam;
    private final float[] parameters;
    private final float[] logStd;
    private final float[] actionOutputs;
    private final float[] values;
    private final float[] outputGradient;
    private final float[] valueGradient;
    private final String kernel;

    // Made once, since a method reference makes an object every time it is evaluated.
    private final IntConsumer evaluateShard = this::evaluateShard;
    private final IntConsumer forwardShard = this::forwardShard;
    private final IntConsumer reduceSlice = this::reduceSlice;
    private final IntConsumer stepSlice = this::stepSlice;
    // The arguments of the current update, for the tasks.
    private @Nullable MiniBatch batch;
    private @Nullable UpdateSettings settings;
    private float @Nullable [] forwardFeatures;
    private int forwardSize;
    private float gradientScale;

    /** What a thread has of its own. */
    private static final class Shard {
        final Network network;
        final float[] gradient;
        final double[] logStdGradient;
        final double[] logStdSum;
        /** Whether the network has the newest parameters. */
        boolean fresh;

        Shard(Network network, int size, int logStdCount) {
            this.network = network;
            gradient = new float[size];
            logStdGradient = new double[logStdCount];
            logStdSum = new double[logStdCount];
        }
    }

    /**
     * Creates a learner.
     *
     * @param grain how many multiply-adds of a forward pass are worth a thread of their own
     */
    Dl4jLearner(LearnerRequest request, Device device, Engine engine, int grain) {
        super(request, device);
        NetworkSpec spec = request.network();
        ParameterLayout layout = new ParameterLayout(spec);
        size = layout.size();
        outputs = layout.actionHead().out();
        logStdAt = layout.logStdOffset();
        int maxBatchSize = request.maxBatchSize();
        int threads = Math.min(request.threads(), engine.maxThreads());
        int shardCount = parts(threads, (long) size * maxBatchSize, grain);
        int slices = parts(threads, size, grain / 4);
        int shardRows = ceilDiv(maxBatchSize, shardCount);
        chunkRows = Math.min(shardRows, engine.chunkRows(spec));
        losses = new PpoLoss[shardCount * ceilDiv(shardRows, chunkRows)];
        Arrays.setAll(losses, i -> new PpoLoss(spec));
        squares = new double[slices];
        adam = new Adam(size);
        parameters = new float[size];
        logStd = new float[logStdAt < 0 ? 0 : outputs];
        actionOutputs = new float[Math.multiplyExact(maxBatchSize, outputs)];
        values = new float[maxBatchSize];
        outputGradient = new float[actionOutputs.length];
        valueGradient = new float[maxBatchSize];
        kernel = engine.kernel();
        shards = new Shard[shardCount];
        team = new Team(Math.max(shardCount, slices));
        try {
            Arrays.setAll(shards, i -> new Shard(engine.network(spec, chunkRows, device), size, logStd.length));
            initialize(request);
        } catch (RuntimeException | Error e) {
            release();
            throw e;
        }
    }

    /** Returns how many threads share some work. */
    private static int parts(int threads, long work, int minimum) {
        return (int) Math.max(1, Math.min(threads, work / Math.max(1, minimum)));
    }

    private static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }

    /** Returns where a part of a whole begins. */
    private static int start(int part, int parts, int whole) {
        return (int) ((long) part * whole / parts);
    }

    @Override
    protected void loss(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics) {
        this.batch = batch;
        this.settings = settings;
        team.run(shards.length, evaluateShard);
        PpoLoss.summarize(losses, batch.size(), settings, statistics);
    }

    /** Does a shard's rows, chunk by chunk. */
    private void evaluateShard(int part) {
        MiniBatch batch = Objects.requireNonNull(this.batch);
        UpdateSettings settings = Objects.requireNonNull(this.settings);
        Shard shard = shards[part];
        refresh(shard);
        int chunks = losses.length / shards.length;
        int begin = start(part, shards.length, batch.size());
        int end = start(part + 1, shards.length, batch.size());
        Arrays.fill(shard.logStdSum, 0);
        for (int i = 0; i < chunks; i++) {
            int from = Math.min(begin + i * chunkRows, end);
            int to = Math.min(from + chunkRows, end);
            if (from < to) {
                shard.network.forward(batch.features(), from, to - from, actionOutputs, values);
            }
            // Also without rows: a loss head still has the sums of the mini-batch before.
            losses[part * chunks + i].evaluate(
                    batch,
                    from,
                    to,
                    settings,
                    actionOutputs,
                    values,
                    logStd,
                    outputGradient,
                    valueGradient,
                    shard.logStdGradient);
            if (from < to) {
                shard.network.backward(outputGradient, valueGradient, from, to - from, i == 0);
            }
            for (int j = 0; j < logStd.length; j++) {
                shard.logStdSum[j] += shard.logStdGradient[j];
            }
        }
        if (begin < end) {
            shard.network.store(shard.gradient);
        } else {
            Arrays.fill(shard.gradient, 0f);
        }
        for (int j = 0; j < logStd.length; j++) {
            shard.gradient[logStdAt + j] = (float) shard.logStdSum[j];
        }
    }

    private void refresh(Shard shard) {
        if (!shard.fresh) {
            shard.network.load(parameters);
            shard.fresh = true;
        }
    }

    @Override
    protected double step(UpdateSettings settings, long number) {
        team.run(squares.length, reduceSlice);
        double sum = 0;
        for (double slice : squares) {
            sum += slice;
        }
        double norm = Math.sqrt(sum);
        if (Double.isFinite(norm)) {
            gradientScale = (float) clipScale(norm, settings);
            adam.begin(settings.learningRate(), number);
            team.run(squares.length, stepSlice);
            changed();
        }
        return norm;
    }

    /** Adds up the shards' gradients in the first one's, and their squares. */
    private void reduceSlice(int part) {
        int from = start(part, squares.length, size);
        int to = start(part + 1, squares.length, size);
        float[] sum = shards[0].gradient;
        for (int s = 1; s < shards.length; s++) {
            float[] other = shards[s].gradient;
            for (int i = from; i < to; i++) {
                sum[i] += other[i];
            }
        }
        squares[part] = FloatMath.sumOfSquares(sum, from, to);
    }

    private void stepSlice(int part) {
        adam.apply(
                parameters,
                shards[0].gradient,
                gradientScale,
                start(part, squares.length, size),
                start(part + 1, squares.length, size));
    }

    /** Sees to it that the new parameters get to where they are used. */
    private void changed() {
        System.arraycopy(parameters, Math.max(logStdAt, 0), logStd, 0, logStd.length);
        for (Shard shard : shards) {
            shard.fresh = false;
        }
    }

    @Override
    protected void forward(int size, float[] features, float[] outputs, float[] values) {
        forwardFeatures = features;
        forwardSize = size;
        team.run(shards.length, forwardShard);
        System.arraycopy(actionOutputs, 0, outputs, 0, size * this.outputs);
        System.arraycopy(this.values, 0, values, 0, size);
    }

    private void forwardShard(int part) {
        float[] features = Objects.requireNonNull(forwardFeatures);
        refresh(shards[part]);
        int end = start(part + 1, shards.length, forwardSize);
        for (int from = start(part, shards.length, forwardSize); from < end; from += chunkRows) {
            int rows = Math.min(chunkRows, end - from);
            shards[part].network.forward(features, from, rows, actionOutputs, values);
        }
    }

    @Override
    protected void store(Part part, float[] flat) {
        System.arraycopy(array(part), 0, flat, 0, size);
    }

    @Override
    protected void load(Part part, float[] flat) {
        System.arraycopy(flat, 0, array(part), 0, size);
        changed();
    }

    private float[] array(Part part) {
        return switch (part) {
            case WEIGHTS -> parameters;
            case FIRST_MOMENTS -> adam.firstMoments();
            case SECOND_MOMENTS -> adam.secondMoments();
        };
    }

    @Override
    public String kernel() {
        return kernel;
    }

    @Override
    protected void release() {
        team.close();
        for (Shard shard : shards) {
            // Not all are there if one of them could not be created.
            if (shard != null) {
                shard.network.close();
            }
        }
    }
}
