package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.training.runtime.vector.EnvironmentSource;
import dev.holdfast.training.runtime.vector.VectorEnvironments;
import dev.holdfast.training.runtime.vector.WorkerOptions;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Plays a policy for some episodes, in an environment of its own. The same seed gives the same episodes at every evaluation, and
 * nothing of the training run changes by it.
 */
final class Evaluator implements AutoCloseable {
    private final VectorEnvironment environment;
    private final long seed;
    private final float[] observation;
    private final float[] action;
    private final float[] value = new float[1];
    private final float[] logProbability = new float[1];

    /**
     * Creates an evaluator.
     *
     * @param environment one environment, closed with the evaluator
     * @param seed the run's seed
     */
    Evaluator(VectorEnvironment environment, long seed) {
        this.environment = environment;
        this.seed = new RandomStream(seed, "evaluation").nextLong();
        observation = new float[environment.observationSpace().size()];
        action = new float[environment.actionSpace().size()];
    }

    /** Creates an evaluator that plays in this JVM. */
    static Evaluator of(EnvironmentSource source, long seed) {
        return new Evaluator(
                VectorEnvironments.create("sync", 1, source, WorkerOptions.defaults(), reason -> {}), seed);
    }

    void requireSpaces(NetworkSpec network) {
        TrainingSession.requireSpaces("the model", network, environment);
    }

    /**
     * Plays.
     *
     * @param sampling where randomness comes from to sample actions; null for the most probable ones
     * @param interrupted asked before every step
     * @return null if it was interrupted
     */
    @Nullable Evaluation evaluate(
            MlpPolicy policy,
            @Nullable ObservationNormalizer normalizer,
            int episodes,
            @Nullable RandomGenerator sampling,
            BooleanSupplier interrupted) {
        environment.reset(seed);
        double[] returns = new double[episodes];
        long steps = 0;
        for (int episode = 0; episode < episodes; episode++) {
            boolean done = false;
            while (!done) {
                if (interrupted.getAsBoolean()) {
                    return null;
                }
                if (normalizer == null) {
                    System.arraycopy(environment.observations(), 0, observation, 0, observation.length);
                } else {
                    normalizer.apply(environment.observations(), observation, 1);
                }
                policy.act(1, observation, environment.masks(), sampling, action, value, logProbability);
                if (environment.actionSpace() instanceof Box box) {
                    box.clip(action, 0);
                }
                environment.step(action);
                if (environment.missed()[0]) {
                    // Its worker was lost. The same episodes are to be played at every evaluation: all of them anew.
                    return evaluate(policy, normalizer, episodes, sampling, interrupted);
                }
                returns[episode] += environment.rewards()[0];
                steps++;
                done = environment.terminated()[0] || environment.truncated()[0];
            }
        }
        double mean = 0;
        for (double episodeReturn : returns) {
            mean += episodeReturn / episodes;
        }
        double variance = 0;
        for (double episodeReturn : returns) {
            variance += (episodeReturn - mean) * (episodeReturn - mean) / episodes;
        }
        return new Evaluation(episodes, mean, Math.sqrt(variance), (double) steps / episodes);
    }

    @Override
    public void close() {
        environment.close();
    }
}
