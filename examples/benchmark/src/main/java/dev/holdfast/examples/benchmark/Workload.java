package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.random.RandomStream;

/** The same work for every backend, ready to be done: equal weights, equal samples, actions that the policy took. */
final class Workload implements AutoCloseable {
    private static final long SEED = 1;

    /**
     * Next to no step size, so that the thousandth update does the same as the first. With a usual one, the policy would soon leave the
     * clip range, gradients become 0, and moments so small that processors take many times longer over them.
     */
    private static final UpdateSettings SETTINGS =
            new UpdateSettings(1e-9, 0.2, Double.POSITIVE_INFINITY, 0, 0.5, 0.5, true, Double.POSITIVE_INFINITY);

    private final String kernel;
    private final Runnable call;
    private final Runnable close;

    private Workload(String kernel, Runnable call, Runnable close) {
        this.kernel = kernel;
        this.call = call;
        this.close = close;
    }

    /**
     * Prepares.
     *
     * @param backend a backend's name, or {@link Variant#ACTING}
     * @param size the number of samples
     */
    static Workload of(Work work, String backend, Net net, int size, int threads) {
        NetworkSpec spec = net.spec();
        MlpPolicy policy = new MlpPolicy(spec, size);
        policy.setWeights(Initializer.weights(spec, SEED));
        RandomStream random = new RandomStream(SEED);
        MiniBatch batch = batch(spec, size, policy, random);
        if (backend.equals(Variant.ACTING)) {
            return new Workload("loops", () -> act(policy, batch, random), () -> {});
        }
        PpoLearner learner =
                Backends.named(backend).createLearner(new LearnerRequest(spec, "cpu", threads, size, SEED));
        if (work == Work.UPDATE) {
            UpdateStatistics statistics = new UpdateStatistics();
            return new Workload(learner.kernel(), () -> learner.update(batch, SETTINGS, statistics), learner::close);
        }
        float[] outputs = new float[size * spec.distribution().parameterCount()];
        float[] values = new float[size];
        return new Workload(
                learner.kernel(), () -> learner.evaluate(size, batch.features(), outputs, values), learner::close);
    }

    private static MiniBatch batch(NetworkSpec spec, int size, MlpPolicy policy, RandomStream random) {
        MiniBatch batch = new MiniBatch(spec, size);
        batch.size(size);
        for (int i = 0; i < batch.features().length; i++) {
            batch.features()[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < size; i++) {
            batch.advantages()[i] = (float) random.nextGaussian();
            batch.returns()[i] = (float) random.nextGaussian();
        }
        act(policy, batch, random);
        return batch;
    }

    /** Samples an action for each row, as in a rollout; a box's observations are its features. */
    private static void act(MlpPolicy policy, MiniBatch batch, RandomStream random) {
        policy.act(
                batch.size(),
                batch.features(),
                null,
                random,
                batch.actions(),
                batch.values(),
                batch.logProbabilities());
    }

    String kernel() {
        return kernel;
    }

    void call() {
        call.run();
    }

    @Override
    public void close() {
        close.run();
    }
}
