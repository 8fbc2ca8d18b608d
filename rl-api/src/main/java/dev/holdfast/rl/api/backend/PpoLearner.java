package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;

/**
 * One network with its optimiser on one device.
 *
 * <p><em>Threads.</em> A learner is used by one thread at a time, not always the one that created it; several learners may be in
 * use at once. Any method after {@link #close} throws {@link IllegalStateException}.
 */
public interface PpoLearner extends AutoCloseable {
    /**
     * Does one gradient step: forward, the shared loss head ({@link dev.holdfast.rl.api.ppo.PpoLoss}), backward, clipping of the
     * gradient's norm over all parameters (scaled by {@code maxGradNorm / (norm + 1e-6)} where that is below 1, as PyTorch
     * does), Adam as PyTorch defines it. Called {@code epochs · rollout size / batch size} times between two rollouts.
     *
     * <p>If the approximate KL divergence exceeds {@code settings.maxKl()}, or a loss or the gradient's norm is not finite,
     * nothing is changed.
     *
     * @param batch the samples; its advantages are normalised in place if the settings ask for it
     * @param settings the hyperparameters in force
     * @param statistics receives the results
     * @throws dev.holdfast.rl.api.NonFiniteException if a loss or the gradient is NaN or infinite; the message names which
     */
    void update(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics);

    /**
     * Evaluates the network on a batch of encoded observations. The trainer doesn't call it, since it acts in Java ({@link
     * dev.holdfast.rl.api.policy.MlpPolicy}); applications may, for large batches or wide networks, and benchmarks do.
     *
     * @param size the number of observations, at most the largest mini-batch
     * @param features {@code [size, inputs]}, encoded and normalised as for {@link #update}
     * @param outputs receives the action head's outputs, {@code [size, parameterCount]}
     * @param values receives the value head's outputs, {@code [size]}
     */
    void evaluate(int size, float[] features, float[] outputs, float[] values);

    /**
     * Copies the current weights, for acting in Java. Called once before every rollout.
     *
     * @param flat receives them in the order of {@link dev.holdfast.rl.api.network.ParameterLayout}
     */
    void copyWeights(float[] flat);

    /**
     * Returns a copy of the whole state. Called at every checkpoint.
     *
     * @return the state
     */
    LearnerState exportState();

    /**
     * Replaces the whole state. Called when a run resumes.
     *
     * @param state a state of the same network, from any backend
     * @throws IllegalArgumentException naming the tensor that is missing, unknown or of another shape; nothing is changed then
     */
    void importState(LearnerState state);

    /**
     * Returns what the last bits of results depend on beside weights and data, for a checkpoint's provenance.
     *
     * @return for example {@code vector-512}
     */
    String kernel();

    /**
     * Returns the device that the request came to, also for a checkpoint's provenance.
     *
     * @return for example {@code cpu} or {@code gpu:0}
     */
    String device();

    /** Frees native memory and threads. Harmless if called again. */
    @Override
    void close();
}
