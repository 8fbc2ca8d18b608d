package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Normalises what the environments give, by running statistics that are part of the run's state: observations to zero mean and
 * unit variance, rewards by the deviation of the discounted return. Each is optional; without both, everything passes through.
 *
 * <p>As the reference implementation's VecNormalize: statistics take in a batch before it is normalised; last observations of an
 * episode are normalised but not taken in; rewards keep their mean.
 */
final class Normalization {
    private static final double EPSILON = 1e-8;
    private static final double CLIP = 10;

    private final @Nullable RunningMeanStd observations;
    private final @Nullable ObservationNormalizer observationNormalizer;
    private final @Nullable RunningMeanStd rewards;
    private final double[] returns;
    private final double gamma;
    private final double epsilon;
    private final double clipObservation;
    private final double clipReward;

    /** With the limits of the reference implementation. */
    Normalization(int environments, Space observationSpace, boolean observations, boolean rewards, double gamma) {
        this(environments, observationSpace, observations, rewards, gamma, EPSILON, CLIP, CLIP);
    }

    Normalization(
            int environments,
            Space observationSpace,
            boolean observations,
            boolean rewards,
            double gamma,
            double epsilon,
            double clipObservation,
            double clipReward) {
        if (observations && !(observationSpace instanceof Box)) {
            throw new InvalidConfigurationException(
                    "normalize_observation must be false unless observations are a Box, but was" + " true for "
                            + observationSpace);
        }
        this.observations = observations ? new RunningMeanStd(observationSpace.size()) : null;
        this.observationNormalizer = this.observations == null
                ? null
                : new ObservationNormalizer(
                        this.observations.mean, this.observations.variance, epsilon, clipObservation);
        this.rewards = rewards ? new RunningMeanStd(1) : null;
        this.returns = new double[environments];
        this.gamma = gamma;
        this.epsilon = epsilon;
        this.clipObservation = clipObservation;
        this.clipReward = clipReward;
    }

    /** Takes in new observations, then normalises them. */
    void observe(float[] raw, float[] normalized, int rows) {
        if (observations != null) {
            observations.update(raw, rows);
        }
        normalize(raw, normalized, rows);
    }

    /** Normalises observations without taking them in. */
    void normalize(float[] raw, float[] normalized, int rows) {
        if (observationNormalizer == null) {
            System.arraycopy(raw, 0, normalized, 0, raw.length);
        } else {
            observationNormalizer.apply(raw, normalized, rows);
        }
    }

    /** Takes in the rewards of one step, then normalises them. */
    void reward(float[] raw, boolean[] terminated, boolean[] truncated, float[] normalized) {
        if (rewards == null) {
            System.arraycopy(raw, 0, normalized, 0, raw.length);
            return;
        }
        for (int i = 0; i < raw.length; i++) {
            returns[i] = returns[i] * gamma + raw[i];
        }
        rewards.update(returns);
        double scale = 1 / Math.sqrt(rewards.variance[0] + epsilon);
        for (int i = 0; i < raw.length; i++) {
            normalized[i] = (float) Math.min(Math.max(raw[i] * scale, -clipReward), clipReward);
            if (terminated[i] || truncated[i]) {
                returns[i] = 0;
            }
        }
    }

    /** Forgets the running return of an environment whose episode was given up. */
    void forget(int environment) {
        returns[environment] = 0;
    }

    @Nullable ObservationNormalizer observationNormalizer() {
        return observationNormalizer;
    }

    List<Tensor> save() {
        List<Tensor> tensors = new ArrayList<>();
        if (observations != null) {
            tensors.add(doubles(ObservationNormalizer.MEAN, observations.mean.clone()));
            tensors.add(doubles(ObservationNormalizer.VARIANCE, observations.variance.clone()));
            tensors.add(doubles("obs_rms.count", observations.count));
            tensors.add(doubles(ObservationNormalizer.LIMITS, epsilon, clipObservation));
        }
        if (rewards != null) {
            tensors.add(doubles("ret_rms.mean", rewards.mean.clone()));
            tensors.add(doubles("ret_rms.var", rewards.variance.clone()));
            tensors.add(doubles("ret_rms.count", rewards.count));
            tensors.add(doubles("returns", returns.clone()));
        }
        return tensors;
    }

    /** Goes on from what {@link #save} gave. */
    void restore(List<Tensor> saved) {
        Map<String, Tensor> tensors = byName(saved);
        restore(tensors, "obs_rms", observations);
        restore(tensors, "ret_rms", rewards);
        if (rewards != null) {
            copy(tensors, "returns", returns);
        }
    }

    /** Starts a new run from another one's statistics, as far as it had them. */
    void adopt(List<Tensor> saved) {
        Map<String, Tensor> tensors = byName(saved);
        if (tensors.containsKey("obs_rms.count")) {
            restore(tensors, "obs_rms", observations);
        }
        if (tensors.containsKey("ret_rms.count")) {
            restore(tensors, "ret_rms", rewards);
        }
    }

    private static Map<String, Tensor> byName(List<Tensor> tensors) {
        return tensors.stream().collect(Collectors.toMap(Tensor::name, Function.identity()));
    }

    private static void restore(Map<String, Tensor> tensors, String name, @Nullable RunningMeanStd statistics) {
        if (statistics != null) {
            double[] count = new double[1];
            copy(tensors, name + ".mean", statistics.mean);
            copy(tensors, name + ".var", statistics.variance);
            copy(tensors, name + ".count", count);
            statistics.count = count[0];
        }
    }

    private static void copy(Map<String, Tensor> tensors, String name, double[] target) {
        Tensor tensor = tensors.get(name);
        if (tensor == null || tensor.doubles().length != target.length) {
            throw new IllegalArgumentException("the normaliser must have " + target.length + " numbers of " + name
                    + ", but has " + (tensor == null ? "none" : tensor.doubles().length));
        }
        System.arraycopy(tensor.doubles(), 0, target, 0, target.length);
    }

    private static Tensor doubles(String name, double... values) {
        return new Tensor(name, new int[] {values.length}, values);
    }
}
