package dev.holdfast.rl.api.policy;

import dev.holdfast.rl.api.network.Tensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Normalises observations with given statistics: {@code clip((x - mean) / sqrt(variance + epsilon), ±clip)}.
 *
 * <p>Immutable unless the caller changes the arrays it handed over: the trainer does, between two steps.
 */
public final class ObservationNormalizer {
    /** The name of the tensor of means in a checkpoint. */
    public static final String MEAN = "obs_rms.mean";

    /** The name of the tensor of variances in a checkpoint. */
    public static final String VARIANCE = "obs_rms.var";

    /** The name of the tensor of epsilon and clip in a checkpoint. */
    public static final String LIMITS = "obs_rms.epsilon_clip";

    private final double[] mean;
    private final double[] variance;
    private final double epsilon;
    private final double clip;

    /**
     * Creates a normaliser that reads the given arrays at every use.
     *
     * @param mean the mean of each element
     * @param variance the variance of each element
     * @param epsilon what is added to the variance
     * @param clip the largest absolute value of a result
     */
    public ObservationNormalizer(double[] mean, double[] variance, double epsilon, double clip) {
        this.mean = mean;
        this.variance = variance;
        this.epsilon = epsilon;
        this.clip = clip;
    }

    /**
     * Reads a normaliser from a checkpoint's tensors.
     *
     * @param tensors possibly without any of an observation normaliser
     * @return null if there is none
     */
    public static @Nullable ObservationNormalizer from(List<Tensor> tensors) {
        double[] mean = find(tensors, MEAN);
        double[] variance = find(tensors, VARIANCE);
        double[] limits = find(tensors, LIMITS);
        return mean == null || variance == null || limits == null
                ? null
                : new ObservationNormalizer(mean, variance, limits[0], limits[1]);
    }

    private static double @Nullable [] find(List<Tensor> tensors, String name) {
        for (Tensor tensor : tensors) {
            if (tensor.name().equals(name)) {
                return tensor.doubles();
            }
        }
        return null;
    }

    /**
     * Normalises rows of observations.
     *
     * @param from holds the raw observations, {@code [rows, size]}
     * @param to receives the normalised ones; may be the same array
     * @param rows the number of observations
     */
    public void apply(float[] from, float[] to, int rows) {
        int size = mean.length;
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < size; i++) {
                double scaled = (from[row * size + i] - mean[i]) / Math.sqrt(variance[i] + epsilon);
                to[row * size + i] = (float) Math.min(Math.max(scaled, -clip), clip);
            }
        }
    }

    /**
     * Returns the mean of each element.
     *
     * @return a copy
     */
    public double[] mean() {
        return mean.clone();
    }

    /**
     * Returns what each element is divided by.
     *
     * @return {@code sqrt(variance + epsilon)}
     */
    public double[] deviation() {
        return Arrays.stream(variance).map(v -> Math.sqrt(v + epsilon)).toArray();
    }

    /**
     * Returns the largest absolute value of a result.
     *
     * @return at least 0, may be infinite
     */
    public double clip() {
        return clip;
    }
}
