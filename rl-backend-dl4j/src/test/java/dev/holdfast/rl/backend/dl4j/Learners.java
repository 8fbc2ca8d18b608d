package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.Arrays;
import java.util.List;

/** What the tests of learners have in common. */
final class Learners {
    static final Device CPU = new Device("cpu", true, "this machine");
    static final UpdateSettings SETTINGS =
            new UpdateSettings(1e-4, 0.2, Double.POSITIVE_INFINITY, 0.01, 0.5, 0.5, true, Double.POSITIVE_INFINITY);

    private Learners() {}

    static NetworkSpec spec(int... widths) {
        return NetworkSpec.of(Box.unbounded(4), new Discrete(17), true, Activation.TANH, widths);
    }

    static Dl4jLearner learner(NetworkSpec spec, Engine engine, int threads, int maxBatchSize) {
        return new Dl4jLearner(new LearnerRequest(spec, "cpu", threads, maxBatchSize, 1), CPU, engine, 1);
    }

    static float[] weights(NetworkSpec spec, Dl4jLearner learner) {
        float[] weights = new float[new ParameterLayout(spec).size()];
        learner.copyWeights(weights);
        return weights;
    }

    /** Returns samples whose actions are those of a policy with these weights. */
    static MiniBatch batch(NetworkSpec spec, int size, float[] weights) {
        MiniBatch batch = new MiniBatch(spec, size);
        batch.size(size);
        RandomStream random = new RandomStream(size);
        for (float[] numbers : List.of(batch.features(), batch.advantages(), batch.returns())) {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = (float) random.nextGaussian();
            }
        }
        Arrays.fill(batch.masks(), true);
        MlpPolicy policy = new MlpPolicy(spec, size);
        policy.setWeights(weights);
        policy.act(
                size,
                batch.features(),
                batch.masks(),
                random,
                batch.actions(),
                batch.values(),
                batch.logProbabilities());
        return batch;
    }
}
