package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What must hold of every checkpoint. Checked before one is written, so that whatever was written also loads, and after one was
 * read. The shapes of the rollout are the trainer's affair.
 */
final class Consistency {
    private static final int MOST_LAYERS = 1_000;

    private Consistency() {}

    static void check(Checkpoint checkpoint) throws DamageException {
        progress(checkpoint);
        learner(checkpoint.network(), checkpoint.learner());
        normalizer(checkpoint.network(), checkpoint.normalizer());
        for (Map.Entry<String, long[]> stream : checkpoint.random().entrySet()) {
            randomState(stream.getValue(), "random stream " + stream.getKey());
        }
        for (int i = 0; i < checkpoint.environments().size(); i++) {
            EnvironmentState environment = checkpoint.environments().get(i);
            randomState(environment.seeds(), "stream of episode seeds of environment " + i);
            DamageException.unless(
                    environment.steps() >= 0, "steps of environment " + i, "must not be negative", environment.steps());
        }
    }

    private static void progress(Checkpoint checkpoint) throws DamageException {
        Progress progress = checkpoint.progress();
        notNegative(progress.startTimesteps(), "start_timesteps");
        DamageException.unless(
                progress.timesteps() >= progress.startTimesteps(),
                "timesteps",
                "must be at least start_timesteps, " + progress.startTimesteps(),
                progress.timesteps());
        DamageException.unless(
                progress.totalTimesteps() >= 1, "total_timesteps", "must be at least 1", progress.totalTimesteps());
        notNegative(progress.iterations(), "iterations");
        notNegative(progress.updates(), "updates");
        upTo(progress.step(), checkpoint.hyperparameters().rolloutSteps(), "step");
        upTo(progress.epoch(), checkpoint.hyperparameters().epochs(), "epoch");
        notNegative(progress.miniBatch(), "mini_batch");
    }

    private static void notNegative(long value, String name) throws DamageException {
        DamageException.unless(value >= 0, name, "must not be negative", value);
    }

    private static void upTo(int value, int high, String name) throws DamageException {
        DamageException.unless(value >= 0 && value <= high, name, "must be in [0, " + high + "]", value);
    }

    private static void learner(NetworkSpec network, LearnerState learner) throws DamageException {
        for (List<Integer> layers : List.of(network.sharedLayers(), network.policyLayers(), network.valueLayers())) {
            DamageException.unless(
                    layers.size() <= MOST_LAYERS,
                    "the network",
                    "must have at most " + MOST_LAYERS + " layers",
                    layers.size());
        }
        ParameterLayout layout;
        try {
            layout = new ParameterLayout(network);
        } catch (HoldfastException e) {
            throw new DamageException(e.getMessage());
        }
        parameters(layout, learner.weights(), Float.NEGATIVE_INFINITY, "weights");
        parameters(layout, learner.firstMoments(), Float.NEGATIVE_INFINITY, "exp_avg");
        parameters(layout, learner.secondMoments(), 0, "exp_avg_sq");
        notNegative(learner.step(), "step of the optimiser");
    }

    private static void parameters(ParameterLayout layout, List<Tensor> tensors, float low, String what)
            throws DamageException {
        // Counted first: the layout comes from the file, and joining allocates what it says.
        long elements = 0;
        for (Tensor tensor : tensors) {
            DamageException.unless(
                    tensor.data() instanceof float[], what + " of " + tensor.name(), "must be of type F32", tensor);
            elements += tensor.floats().length;
        }
        DamageException.unless(
                tensors.size() == layout.entries().size() && elements == layout.size(),
                what,
                "must be " + layout.entries().size() + " tensors with " + layout.size()
                        + " numbers, as the network has",
                tensors.size() + " with " + elements);
        try {
            layout.join(tensors);
        } catch (IllegalArgumentException e) {
            throw new DamageException(what + ": " + e.getMessage());
        }
        for (Tensor tensor : tensors) {
            float[] values = tensor.floats();
            for (int i = 0; i < values.length; i++) {
                if (!Float.isFinite(values[i]) || values[i] < low) {
                    throw new DamageException(what + " of " + tensor.name() + " must be finite"
                            + (low == 0 ? " and not negative" : "") + ", but element " + i + " was " + values[i]);
                }
            }
        }
    }

    private static void normalizer(NetworkSpec network, List<Tensor> tensors) throws DamageException {
        int size = network.observationSpace().size();
        int found = 0;
        for (Tensor tensor : tensors) {
            int expected = switch (tensor.name()) {
                case ObservationNormalizer.MEAN, ObservationNormalizer.VARIANCE -> size;
                case ObservationNormalizer.LIMITS -> 2;
                default -> 0;
            };
            if (expected > 0) {
                found++;
                DamageException.unless(
                        tensor.data() instanceof double[] values && values.length == expected,
                        "statistic " + tensor.name(),
                        "must be " + expected + " numbers of type F64",
                        tensor);
            }
            if (tensor.data() instanceof double[] values) {
                for (int i = 0; i < values.length; i++) {
                    DamageException.unless(
                            Double.isFinite(values[i]),
                            "statistic " + tensor.name(),
                            "must be finite",
                            values[i] + " at " + i);
                }
            }
        }
        DamageException.unless(
                found == 0 || found == 3,
                "statistics of observations",
                "must be all of "
                        + List.of(
                                ObservationNormalizer.MEAN,
                                ObservationNormalizer.VARIANCE,
                                ObservationNormalizer.LIMITS)
                        + " or none",
                tensors.stream().map(Tensor::name).toList());
    }

    private static void randomState(long[] state, String name) throws DamageException {
        DamageException.unless(
                state.length == 4 && Arrays.stream(state).anyMatch(number -> number != 0),
                name,
                "must be four numbers that are not all 0",
                Arrays.toString(state));
    }
}
