package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.network.NetworkSpec;

/**
 * What a learner is created for.
 *
 * @param network the network
 * @param device {@code cpu}, {@code gpu}, {@code gpu:N} or {@code auto}
 * @param threads the number of threads for the gradient step, at least 1; it is part of what fixes the last bits of a result
 * @param maxBatchSize the largest mini-batch that will come
 * @param seed fixes the initial weights
 */
public record LearnerRequest(NetworkSpec network, String device, int threads, int maxBatchSize, long seed) {
    /** Validates. */
    public LearnerRequest {
        Require.that(device.matches("cpu|auto|gpu(:\\d{1,4})?"), "device", "must be cpu, gpu, gpu:N or auto", device);
        Require.that(threads >= 1 && threads <= 1024, "threads", "must be in [1, 1024]", threads);
        Require.atLeast(maxBatchSize, 1, "the largest mini-batch");
    }
}
