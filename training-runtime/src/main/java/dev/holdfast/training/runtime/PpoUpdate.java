package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.training.runtime.metrics.Metric;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Learning from one rollout: epochs of shuffled mini-batches, which can be interrupted between two mini-batches and gone on with later. */
final class PpoUpdate {
    private final RolloutBuffer rollout;
    private final PpoLearner learner;
    private final PpoHyperparameters hyperparameters;
    private final Consumer<int[]> shuffle;
    private final MiniBatch batch;
    private final UpdateStatistics statistics = new UpdateStatistics();
    private final int[] samples;
    private int epoch;
    private int miniBatch;

    // Sums over the mini-batches of this update, in the order in which they are saved.
    private double policyLoss;
    private double valueLoss;
    private double entropyLoss;
    private double clipFraction;
    private double gradientNorm;
    private double steps;
    private double miniBatches;
    private double epochKl;
    private double epochMiniBatches;
    private double lastLoss;

    /**
     * @param shuffle puts the samples of an epoch into a new order
     */
    PpoUpdate(
            NetworkSpec network,
            RolloutBuffer rollout,
            PpoLearner learner,
            PpoHyperparameters hyperparameters,
            Consumer<int[]> shuffle) {
        this.rollout = rollout;
        this.learner = learner;
        this.hyperparameters = hyperparameters;
        this.shuffle = shuffle;
        samples = new int[rollout.samples()];
        batch = new MiniBatch(network, Math.min(hyperparameters.batchSize(), samples.length));
    }

    void begin() {
        epoch = 0;
        miniBatch = 0;
        restoreSums(new double[10]);
    }

    /**
     * Goes on until the update is finished or interrupted.
     *
     * @return whether it is finished
     */
    boolean run(UpdateSettings settings, BooleanSupplier interrupted) {
        int size = hyperparameters.batchSize();
        int perEpoch = (samples.length + size - 1) / size;
        while (epoch < hyperparameters.epochs()) {
            // Asked before the shuffle, so that an interrupted update never shuffles an epoch twice.
            if (interrupted.getAsBoolean()) {
                return false;
            }
            if (miniBatch == 0) {
                beginEpoch();
            }
            int from = miniBatch * size;
            rollout.fill(batch, samples, from, Math.min(from + size, samples.length));
            learner.update(batch, settings, statistics);
            add();
            miniBatch++;
            if (!statistics.stepped) {
                epoch++;
                return true;
            }
            if (miniBatch == perEpoch) {
                epoch++;
                miniBatch = 0;
            }
        }
        return true;
    }

    private void beginEpoch() {
        for (int i = 0; i < samples.length; i++) {
            samples[i] = i;
        }
        shuffle.accept(samples);
        epochKl = 0;
        epochMiniBatches = 0;
    }

    private void add() {
        policyLoss += statistics.policyLoss;
        valueLoss += statistics.valueLoss;
        entropyLoss += statistics.entropyLoss;
        clipFraction += statistics.clipFraction;
        lastLoss = statistics.loss;
        epochKl += statistics.approxKl;
        epochMiniBatches++;
        miniBatches++;
        if (statistics.stepped) {
            gradientNorm += statistics.gradientNorm;
            steps++;
        }
    }

    /** Finished epochs; an epoch that {@code target_kl} cut short counts, later ones don't. */
    int epoch() {
        return epoch;
    }

    int miniBatch() {
        return miniBatch;
    }

    /** Adds the statistics, averaged as the reference implementation does: KL over the last epoch, the loss of the last mini-batch. */
    void report(Map<Metric, Double> metrics) {
        metrics.put(Metric.APPROX_KL, epochKl / epochMiniBatches);
        metrics.put(Metric.CLIP_FRACTION, clipFraction / miniBatches);
        metrics.put(Metric.ENTROPY_LOSS, entropyLoss / miniBatches);
        metrics.put(Metric.GRADIENT_NORM, gradientNorm / steps);
        metrics.put(Metric.LOSS, lastLoss);
        metrics.put(Metric.POLICY_GRADIENT_LOSS, policyLoss / miniBatches);
        metrics.put(Metric.VALUE_LOSS, valueLoss / miniBatches);
    }

    List<Tensor> save() {
        double[] sums = {
            policyLoss,
            valueLoss,
            entropyLoss,
            clipFraction,
            gradientNorm,
            steps,
            miniBatches,
            epochKl,
            epochMiniBatches,
            lastLoss
        };
        return List.of(
                new Tensor("update_sums", new int[] {sums.length}, sums),
                new Tensor("update_order", new int[] {samples.length}, samples.clone()));
    }

    void restore(Map<String, Tensor> tensors, int epoch, int miniBatch) {
        Tensor order = tensors.get("update_order");
        Tensor sums = tensors.get("update_sums");
        if (order == null || order.ints().length != samples.length || sums == null || sums.doubles().length != 10) {
            throw new IllegalArgumentException("the update must hold an order of " + samples.length
                    + " samples and 10 sums, but holds " + order + ", " + sums);
        }
        for (int sample : order.ints()) {
            if (sample < 0 || sample >= samples.length) {
                throw new IllegalArgumentException(
                        "update_order must be in [0, " + samples.length + "), but has " + sample);
            }
        }
        System.arraycopy(order.ints(), 0, samples, 0, samples.length);
        restoreSums(sums.doubles());
        this.epoch = epoch;
        this.miniBatch = miniBatch;
    }

    private void restoreSums(double[] sums) {
        policyLoss = sums[0];
        valueLoss = sums[1];
        entropyLoss = sums[2];
        clipFraction = sums[3];
        gradientNorm = sums[4];
        steps = sums[5];
        miniBatches = sums[6];
        epochKl = sums[7];
        epochMiniBatches = sums[8];
        lastLoss = sums[9];
    }
}
