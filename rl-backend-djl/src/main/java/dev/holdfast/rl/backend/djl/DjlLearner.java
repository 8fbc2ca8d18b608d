package dev.holdfast.rl.backend.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.backend.AbstractPpoLearner;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;

/**
 * PPO's gradient step on PyTorch: the program of {@link NetworkScript}, and the loss head between its two calls.
 *
 * <p>Numbers go in and out through memory that Java and PyTorch both see. It belongs to PyTorch, which aligns it: last
 * bits may depend on that.
 */
final class DjlLearner extends AbstractPpoLearner {
    private final Network network;
    private final PpoLoss[] loss;
    private final int threads;
    private final PtNDManager manager;
    private final PtSymbolBlock program;
    private final FloatBuffer parameters;
    private final FloatBuffer io;
    private final float[] outputs;
    private final float[] values;
    private final float[] logStd;
    private final float[] outputGradient;
    private final float[] valueGradient;
    private final double[] logStdGradient;
    /** The number of rows for which the program's views are made; 0 for none. */
    private int rows;

    /**
     * Creates a learner.
     *
     * @param request what it is created for
     * @param device the chosen device
     * @param staged whether what goes in and out is copied between host and device; if not, both must be the same
     */
    DjlLearner(LearnerRequest request, Device device, boolean staged) {
        super(request, device);
        NetworkSpec spec = request.network();
        network = new Network(spec);
        loss = new PpoLoss[] {new PpoLoss(spec)};
        threads = request.threads();
        int maxBatchSize = request.maxBatchSize();
        long ioSize = network.end().at(maxBatchSize);
        checkBuffer(network.size(), "network");
        checkBuffer(ioSize, "the largest mini-batch");
        outputs = new float[Math.multiplyExact(maxBatchSize, network.outputs())];
        values = new float[maxBatchSize];
        logStd = new float[network.logStdCount()];
        outputGradient = new float[outputs.length];
        valueGradient = new float[maxBatchSize];
        logStdGradient = new double[network.logStdCount()];
        manager = (PtNDManager) NDManager.newBaseManager(djlDevice(device), "PyTorch");
        try {
            NDManager host = manager.newSubManager(ai.djl.Device.cpu());
            NDArray hostParameters = host.zeros(new Shape(network.size()));
            NDArray hostIo = host.zeros(new Shape(ioSize));
            parameters = view(hostParameters);
            io = view(hostIo);
            program = load(new NetworkScript(network, spec.activation(), staged));
            bind(
                    zeros(network.size()),
                    zeros(network.size()),
                    zeros(network.size()),
                    hostParameters,
                    hostIo,
                    staged ? zeros(ioSize) : hostIo,
                    zeros(Math.max(1, network.workPerRow() * maxBatchSize)));
            initialize(request);
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    private static ai.djl.Device djlDevice(Device device) {
        return device.name().equals("cpu")
                ? ai.djl.Device.cpu()
                : ai.djl.Device.gpu(Integer.parseInt(device.name().substring("gpu:".length())));
    }

    private static void checkBuffer(long floats, String name) {
        Require.that(
                floats <= Integer.MAX_VALUE / Float.BYTES,
                name,
                "must need at most 2^31 bytes for what Java shares with PyTorch",
                Float.BYTES * floats);
    }

    private NDArray zeros(long size) {
        return manager.zeros(new Shape(size));
    }

    /** Returns the memory of an array on the host. */
    private static FloatBuffer view(NDArray array) {
        return array.toByteBuffer(true).asFloatBuffer();
    }

    private PtSymbolBlock load(NetworkScript script) {
        try {
            return JniUtils.loadModule(manager, new ByteArrayInputStream(script.archive()), true, false);
        } catch (IOException e) {
            throw new UncheckedIOException("read from memory", e);
        }
    }

    private void bind(NDArray... tensors) {
        IValue[] arguments = new IValue[tensors.length];
        try {
            for (int i = 0; i < tensors.length; i++) {
                arguments[i] = IValue.from((PtNDArray) tensors[i]);
            }
            run("bind", arguments);
        } finally {
            close(arguments);
        }
    }

    @Override
    protected void loss(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics) {
        int size = batch.size();
        forward(size, batch.features());
        io.get(at(network.outputsAt()), outputs, 0, size * network.outputs());
        io.get(at(network.valuesAt()), values, 0, size);
        io.get(at(network.logStdAt()), logStd);
        loss[0].evaluate(
                batch, 0, size, settings, outputs, values, logStd, outputGradient, valueGradient, logStdGradient);
        PpoLoss.summarize(loss, size, settings, statistics);
    }

    @Override
    protected double step(UpdateSettings settings, long number) {
        io.put(at(network.outputGradientAt()), outputGradient, 0, rows * network.outputs());
        io.put(at(network.valueGradientAt()), valueGradient, 0, rows);
        int logStdGradientAt = at(network.logStdGradientAt());
        for (int i = 0; i < logStdGradient.length; i++) {
            io.put(logStdGradientAt + i, (float) logStdGradient[i]);
        }
        IValue[] arguments = {
            IValue.from(settings.learningRate()), IValue.from(number), IValue.from(settings.maxGradNorm())
        };
        try (IValue norm = call("step", arguments)) {
            return norm.toDouble();
        } finally {
            close(arguments);
        }
    }

    @Override
    protected void forward(int size, float[] features, float[] outputs, float[] values) {
        forward(size, features);
        io.get(at(network.outputsAt()), outputs, 0, size * network.outputs());
        io.get(at(network.valuesAt()), values, 0, size);
    }

    private void forward(int size, float[] features) {
        if (size != rows) {
            rows = 0;
            try (IValue argument = IValue.from((long) size)) {
                run("resize", argument);
            }
            rows = size;
        }
        int inputs = network.inputs();
        int stride = network.featureStride();
        for (int row = 0; row < size; row++) {
            io.put(row * stride, features, row * inputs, inputs);
        }
        run("forward");
    }

    private int at(Network.Offset offset) {
        return Math.toIntExact(offset.at(rows));
    }

    @Override
    protected void store(Part part, float[] flat) {
        try (IValue argument = IValue.from(index(part))) {
            run("pull", argument);
        }
        network.store(parameters, flat);
    }

    @Override
    protected void load(Part part, float[] flat) {
        network.load(flat, parameters);
        try (IValue argument = IValue.from(index(part))) {
            run("push", argument);
        }
    }

    /** Returns a part's place in the program's list. */
    private static long index(Part part) {
        return switch (part) {
            case WEIGHTS -> 0;
            case FIRST_MOMENTS -> 1;
            case SECOND_MOMENTS -> 2;
        };
    }

    private void run(String method, IValue... arguments) {
        call(method, arguments).close();
    }

    /**
     * Calls a method of the program, with two settings of the calling thread as it needs them.
     *
     * <p>How many threads OpenMP and MKL use for what a thread starts is a setting of that thread, and another learner
     * or the application may need another number: it is put back. Which executor runs scripts is one, too. The default
     * one recompiles a script that has run a few times, and last bits are to depend on no such thing; there is no way
     * to ask which it was.
     */
    private IValue call(String method, IValue... arguments) {
        JniUtils.setGraphExecutorOptimize(false);
        int before = JniUtils.getNumThreads();
        if (before != threads) {
            JniUtils.setNumThreads(threads);
        }
        try {
            return IValueUtils.runMethod(program, method, arguments);
        } finally {
            if (before != threads) {
                JniUtils.setNumThreads(before);
            }
        }
    }

    private static void close(IValue[] values) {
        for (IValue value : values) {
            if (value != null) {
                value.close();
            }
        }
    }

    @Override
    public String kernel() {
        return "pytorch-" + PyTorch.get().version();
    }

    @Override
    protected void release() {
        manager.close();
    }
}
