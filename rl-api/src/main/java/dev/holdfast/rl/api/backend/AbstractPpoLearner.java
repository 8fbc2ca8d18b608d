package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What all learners have in common: checks, the order of a gradient step, when none is taken, and states by name. A backend adds
 * the numerical work.
 *
 * <p><em>Threads.</em> As {@link PpoLearner} says: one at a time.
 */
public abstract class AbstractPpoLearner implements PpoLearner {
    /** What there is one number of for each parameter. */
    protected enum Part {
        /** The parameters themselves. */
        WEIGHTS,
        /** Adam's running means of the gradient. */
        FIRST_MOMENTS,
        /** Adam's running means of the gradient's squares. */
        SECOND_MOMENTS
    }

    private final ParameterLayout layout;
    private final int maxBatchSize;
    private final String device;
    private long steps;
    private boolean closed;

    /**
     * Creates a learner whose numbers are not there yet: see {@link #initialize}.
     *
     * @param request what it is created for
     * @param device the chosen device
     */
    protected AbstractPpoLearner(LearnerRequest request, Device device) {
        layout = new ParameterLayout(request.network());
        maxBatchSize = request.maxBatchSize();
        this.device = device.name();
    }

    /**
     * Loads the initial weights that go with a request. To be called at the end of a constructor; moments must be 0 already.
     *
     * @param request the request
     */
    protected final void initialize(LearnerRequest request) {
        load(Part.WEIGHTS, Initializer.weights(request.network(), request.seed()));
    }

    /**
     * Goes forward and through the loss head, and keeps what {@link #step} needs.
     *
     * @param batch the samples, of a valid number and with advantages already normalised
     * @param settings the hyperparameters in force
     * @param statistics receives what {@link PpoLoss#summarize} gives
     */
    protected abstract void loss(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics);

    /**
     * Goes backward and takes a step of Adam with the gradient times {@link #clipScale}. If the gradient's norm isn't finite, it
     * changes nothing.
     *
     * @param settings the hyperparameters in force
     * @param number the number of the step, 1 for the first
     * @return the gradient's norm before it was clipped
     */
    protected abstract double step(UpdateSettings settings, long number);

    /**
     * Goes forward.
     *
     * @param size the number of rows, a valid one
     * @param features {@code [size, inputs]}
     * @param outputs receives the action head's outputs, {@code [size, parameterCount]}
     * @param values receives the value head's outputs, {@code [size]}
     */
    protected abstract void forward(int size, float[] features, float[] outputs, float[] values);

    /**
     * Copies numbers out.
     *
     * @param part which
     * @param flat receives them in the order of {@link ParameterLayout}
     */
    protected abstract void store(Part part, float[] flat);

    /**
     * Copies numbers in.
     *
     * @param part which
     * @param flat the numbers in the order of {@link ParameterLayout}
     */
    protected abstract void load(Part part, float[] flat);

    /** Frees native memory and threads. Called once. */
    protected abstract void release();

    /**
     * Returns what the gradient is multiplied by so that its norm is at most the allowed one, as PyTorch does.
     *
     * @param norm the gradient's norm
     * @param settings the hyperparameters in force
     * @return at most 1
     */
    protected static double clipScale(double norm, UpdateSettings settings) {
        return Math.min(1, settings.maxGradNorm() / (norm + 1e-6));
    }

    @Override
    public final void update(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics) {
        checkOpen();
        checkSize(batch.size(), "a mini-batch's size");
        PpoLoss.normalize(batch, settings);
        loss(batch, settings, statistics);
        if (statistics.approxKl > settings.maxKl()) {
            return;
        }
        double norm = step(settings, steps + 1);
        if (!Double.isFinite(norm)) {
            throw new NonFiniteException("the gradient's norm is " + norm
                    + "; lower learning_rate, or check that rewards and observations stay in a sensible range");
        }
        steps++;
        statistics.gradientNorm = norm;
        statistics.stepped = true;
    }

    @Override
    public final void evaluate(int size, float[] features, float[] outputs, float[] values) {
        checkOpen();
        checkSize(size, "the number of rows");
        forward(size, features, outputs, values);
    }

    private void checkSize(int size, String name) {
        if (size < 1 || size > maxBatchSize) {
            throw new IllegalArgumentException(name + " must be in [1, " + maxBatchSize + "], but was " + size);
        }
    }

    @Override
    public final void copyWeights(float[] flat) {
        checkOpen();
        store(Part.WEIGHTS, flat);
    }

    @Override
    public final LearnerState exportState() {
        checkOpen();
        return new LearnerState(export(Part.WEIGHTS), export(Part.FIRST_MOMENTS), export(Part.SECOND_MOMENTS), steps);
    }

    private List<Tensor> export(Part part) {
        float[] flat = new float[layout.size()];
        store(part, flat);
        return layout.split(flat);
    }

    @Override
    public final void importState(LearnerState state) {
        checkOpen();
        // All three are joined, and so checked, before anything is changed.
        Map<Part, float[]> flat = new EnumMap<>(Part.class);
        flat.put(Part.WEIGHTS, layout.join(state.weights()));
        flat.put(Part.FIRST_MOMENTS, layout.join(state.firstMoments()));
        flat.put(Part.SECOND_MOMENTS, layout.join(state.secondMoments()));
        flat.forEach(this::load);
        steps = state.step();
    }

    @Override
    public final String device() {
        checkOpen();
        return device;
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the learner is closed");
        }
    }
}
