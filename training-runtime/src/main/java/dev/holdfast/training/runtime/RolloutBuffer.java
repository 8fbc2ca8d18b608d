package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is collected between two updates, in arrays allocated once: row {@code t * environments + environment} holds step {@code t}
 * of an environment.
 */
final class RolloutBuffer {
    private final int steps;
    private final int environments;
    private final Space observationSpace;
    private final Space actionSpace;
    private final int observationSize;
    private final int featureSize;
    private final int actionSize;
    private final int maskSize;
    private final float[] observations;
    private final float[] actions;
    private final boolean @Nullable [] masks;
    private final float[] rewards;
    private final boolean[] episodeStarts;
    private final float[] values;
    private final float[] logProbabilities;
    private final float[] advantages;
    private final float[] returns;

    RolloutBuffer(NetworkSpec network, int steps, int environments) {
        this.steps = steps;
        this.environments = environments;
        observationSpace = network.observationSpace();
        actionSpace = network.actionSpace();
        observationSize = observationSpace.size();
        featureSize = observationSpace.featureSize();
        actionSize = actionSpace.size();
        maskSize = network.masked() ? network.distribution().maskSize() : 0;
        int samples = Math.multiplyExact(steps, environments);
        observations = new float[Math.multiplyExact(samples, observationSize)];
        actions = new float[Math.multiplyExact(samples, actionSize)];
        masks = network.masked() ? new boolean[Math.multiplyExact(samples, maskSize)] : null;
        rewards = new float[samples];
        episodeStarts = new boolean[samples];
        values = new float[samples];
        logProbabilities = new float[samples];
        advantages = new float[samples];
        returns = new float[samples];
    }

    int samples() {
        return rewards.length;
    }

    /** Stores what was known before step {@code t}, and the choice made. */
    void store(
            int t,
            float[] observation,
            boolean @Nullable [] mask,
            boolean[] episodeStart,
            float[] action,
            float[] value,
            float[] logProbability) {
        int row = t * environments;
        System.arraycopy(observation, 0, observations, row * observationSize, environments * observationSize);
        System.arraycopy(action, 0, actions, row * actionSize, environments * actionSize);
        if (masks != null) {
            System.arraycopy(Objects.requireNonNull(mask), 0, masks, row * maskSize, environments * maskSize);
        }
        System.arraycopy(episodeStart, 0, episodeStarts, row, environments);
        System.arraycopy(value, 0, values, row, environments);
        System.arraycopy(logProbability, 0, logProbabilities, row, environments);
    }

    void storeRewards(int t, float[] reward) {
        System.arraycopy(reward, 0, rewards, t * environments, environments);
    }

    void addReward(int t, int environment, double reward) {
        rewards[t * environments + environment] += (float) reward;
    }

    /**
     * Generalized advantage estimation (Schulman et al., <em>High-Dimensional Continuous Control Using Generalized Advantage
     * Estimation</em>, 2016, equation 16), backwards over each environment's steps:
     *
     * <pre>
     *   δₜ = rₜ + γ·Vₜ₊₁·(1 - doneₜ) - Vₜ        Aₜ = δₜ + γλ·(1 - doneₜ)·Aₜ₊₁        Rₜ = Aₜ + Vₜ
     * </pre>
     *
     * @param lastValues the value estimates of the observations after the last step
     * @param lastDones whether the last step ended an episode
     */
    void computeAdvantages(float[] lastValues, boolean[] lastDones, double gamma, double lambda) {
        for (int environment = 0; environment < environments; environment++) {
            double advantage = 0;
            double nextValue = lastValues[environment];
            boolean done = lastDones[environment];
            for (int row = (steps - 1) * environments + environment; row >= 0; row -= environments) {
                double continues = done ? 0 : 1;
                double delta = rewards[row] + gamma * nextValue * continues - values[row];
                advantage = delta + gamma * lambda * continues * advantage;
                advantages[row] = (float) advantage;
                returns[row] = (float) (advantage + values[row]);
                nextValue = values[row];
                done = episodeStarts[row];
            }
        }
    }

    /** Fills a mini-batch with samples; sample {@code i} is step {@code i % steps} of environment {@code i / steps}. */
    void fill(MiniBatch batch, int[] samples, int from, int to) {
        batch.size(to - from);
        boolean[] batchMasks = batch.masks();
        for (int i = from; i < to; i++) {
            int row = samples[i] % steps * environments + samples[i] / steps;
            int at = i - from;
            observationSpace.encode(observations, row * observationSize, batch.features(), at * featureSize);
            System.arraycopy(actions, row * actionSize, batch.actions(), at * actionSize, actionSize);
            if (masks != null && batchMasks != null) {
                System.arraycopy(masks, row * maskSize, batchMasks, at * maskSize, maskSize);
            }
            batch.logProbabilities()[at] = logProbabilities[row];
            batch.values()[at] = values[row];
            batch.advantages()[at] = advantages[row];
            batch.returns()[at] = returns[row];
        }
    }

    /** {@code 1 - Var(returns - values) / Var(returns)}; NaN where the returns don't vary. */
    double explainedVariance() {
        double variance = variance(returns, null);
        return variance == 0 ? Double.NaN : 1 - variance(returns, values) / variance;
    }

    private static double variance(float[] numbers, float @Nullable [] less) {
        double sum = 0;
        double squares = 0;
        // Two passes: the textbook's one-pass formula cancels where the mean is large.
        for (int i = 0; i < numbers.length; i++) {
            sum += (double) numbers[i] - (less == null ? 0 : less[i]);
        }
        double mean = sum / numbers.length;
        for (int i = 0; i < numbers.length; i++) {
            double difference = (double) numbers[i] - (less == null ? 0 : less[i]) - mean;
            squares += difference * difference;
        }
        return squares / numbers.length;
    }

    /** Saves the first {@code filled} steps, and advantages and returns if they are computed. */
    List<Tensor> save(int filled, boolean advantagesToo) {
        int rows = filled * environments;
        List<Tensor> tensors = new ArrayList<>();
        tensors.add(
                tensor("observations", Arrays.copyOf(observations, rows * observationSize), filled, observationSize));
        tensors.add(tensor("actions", Arrays.copyOf(actions, rows * actionSize), filled, actionSize));
        if (masks != null) {
            tensors.add(tensor("action_masks", Arrays.copyOf(masks, rows * maskSize), filled, maskSize));
        }
        tensors.add(tensor("rewards", Arrays.copyOf(rewards, rows), filled, 1));
        tensors.add(tensor("episode_starts", Arrays.copyOf(episodeStarts, rows), filled, 1));
        tensors.add(tensor("values", Arrays.copyOf(values, rows), filled, 1));
        tensors.add(tensor("log_probs", Arrays.copyOf(logProbabilities, rows), filled, 1));
        if (advantagesToo) {
            tensors.add(tensor("advantages", Arrays.copyOf(advantages, rows), filled, 1));
            tensors.add(tensor("returns", Arrays.copyOf(returns, rows), filled, 1));
        }
        return tensors;
    }

    private Tensor tensor(String name, Object data, int filled, int width) {
        return new Tensor(name, new int[] {filled, environments, width}, data);
    }

    /**
     * Takes over what {@link #save} gave.
     *
     * @throws IllegalArgumentException if a size doesn't fit, or an index doesn't choose anything
     */
    void restore(Map<String, Tensor> tensors, int filled, boolean advantagesToo) {
        int rows = filled * environments;
        copy(tensors, "observations", observations, rows * observationSize);
        copy(tensors, "actions", actions, rows * actionSize);
        if (masks != null) {
            copy(tensors, "action_masks", masks, rows * maskSize);
        }
        copy(tensors, "rewards", rewards, rows);
        copy(tensors, "episode_starts", episodeStarts, rows);
        copy(tensors, "values", values, rows);
        copy(tensors, "log_probs", logProbabilities, rows);
        if (advantagesToo) {
            copy(tensors, "advantages", advantages, rows);
            copy(tensors, "returns", returns, rows);
        }
        // Indices are places in arrays. The numbers of a Box may be normalised, or not yet clipped.
        if (!(observationSpace instanceof Box)) {
            check("observations", observationSpace, observations, rows);
        }
        if (!(actionSpace instanceof Box)) {
            check("actions", actionSpace, actions, rows);
        }
    }

    static void check(String name, Space space, float[] values, int rows) {
        for (int row = 0; row < rows; row++) {
            String problem = space.problem(values, row * space.size());
            if (problem != null) {
                throw new IllegalArgumentException(
                        name + " must be in " + space + ", but in row " + row + " " + problem);
            }
        }
    }

    private static void copy(Map<String, Tensor> tensors, String name, Object target, int length) {
        Tensor tensor = tensors.get(name);
        if (tensor == null
                || tensor.data().getClass() != target.getClass()
                || java.lang.reflect.Array.getLength(tensor.data()) != length) {
            throw new IllegalArgumentException("the rollout must hold " + length + " elements of " + name
                    + ", but holds " + (tensor == null ? "none" : tensor));
        }
        System.arraycopy(tensor.data(), 0, target, 0, length);
    }
}
