package dev.holdfast.rl.api.ppo;

import dev.holdfast.rl.api.network.NetworkSpec;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one gradient step, in arrays that are allocated once and filled again and again.
 *
 * <p>All arrays are row-major with one row a sample; only the first {@link #size()} rows are in use. Who fills a batch may write
 * to its arrays; who is handed one may write to {@link #advantages()} alone.
 */
public final class MiniBatch {
    private final int capacity;
    private final float[] features;
    private final float[] actions;
    private final boolean @Nullable [] masks;
    private final float[] logProbabilities;
    private final float[] values;
    private final float[] advantages;
    private final float[] returns;
    private int size;

    /**
     * Allocates a batch.
     *
     * @param spec the network it is for
     * @param capacity the largest number of samples
     */
    public MiniBatch(NetworkSpec spec, int capacity) {
        this.capacity = capacity;
        features = new float[Math.multiplyExact(capacity, spec.inputs())];
        actions = new float[Math.multiplyExact(capacity, spec.actionSpace().size())];
        masks = spec.masked()
                ? new boolean[Math.multiplyExact(capacity, spec.distribution().maskSize())]
                : null;
        logProbabilities = new float[capacity];
        values = new float[capacity];
        advantages = new float[capacity];
        returns = new float[capacity];
    }

    /**
     * Returns the number of samples in use.
     *
     * @return 0 to {@link #capacity()}
     */
    public int size() {
        return size;
    }

    /**
     * Sets the number of samples in use.
     *
     * @param size 1 to {@link #capacity()}
     */
    public void size(int size) {
        if (size < 1 || size > capacity) {
            throw new IllegalArgumentException("a mini-batch's size must be in [1, " + capacity + "], but was " + size);
        }
        this.size = size;
    }

    /**
     * Returns the largest number of samples.
     *
     * @return at least 1
     */
    public int capacity() {
        return capacity;
    }

    /**
     * Returns the encoded observations.
     *
     * @return {@code [size, features]}
     */
    public float[] features() {
        return features;
    }

    /**
     * Returns the actions as they were sampled, before any clipping to a {@code Box}'s bounds.
     *
     * @return {@code [size, action size]}
     */
    public float[] actions() {
        return actions;
    }

    /**
     * Returns the masks under which the actions were sampled.
     *
     * @return {@code [size, mask size]}, or null if actions are not masked
     */
    public boolean @Nullable [] masks() {
        return masks;
    }

    /**
     * Returns the log-probabilities of the actions when they were sampled.
     *
     * @return {@code [size]}
     */
    public float[] logProbabilities() {
        return logProbabilities;
    }

    /**
     * Returns the value estimates of the time when the samples were collected.
     *
     * @return {@code [size]}
     */
    public float[] values() {
        return values;
    }

    /**
     * Returns the advantages; {@link PpoLoss#normalize} changes them in place.
     *
     * @return {@code [size]}
     */
    public float[] advantages() {
        return advantages;
    }

    /**
     * Returns what the value function is to predict.
     *
     * @return {@code [size]}
     */
    public float[] returns() {
        return returns;
    }
}
