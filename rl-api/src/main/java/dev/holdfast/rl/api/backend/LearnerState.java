package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.network.Tensor;
import java.util.List;

/**
 * The whole state of a learner, in PyTorch's naming and layout ({@link dev.holdfast.rl.api.network.ParameterLayout}), so that
 * any backend goes on from any other's.
 *
 * @param weights one float tensor per parameter
 * @param firstMoments Adam's {@code exp_avg}, with the names and shapes of the weights
 * @param secondMoments Adam's {@code exp_avg_sq}, likewise
 * @param step the number of gradient steps taken so far
 */
public record LearnerState(List<Tensor> weights, List<Tensor> firstMoments, List<Tensor> secondMoments, long step) {
    /** Copies the lists. */
    public LearnerState {
        weights = List.copyOf(weights);
        firstMoments = List.copyOf(firstMoments);
        secondMoments = List.copyOf(secondMoments);
    }
}
