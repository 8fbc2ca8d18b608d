package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A small checkpoint in which every section is filled. */
final class Fixtures {
    static final Box OBSERVATIONS = new Box(
            new int[] {3}, new float[] {-1, -2.5f, Float.NEGATIVE_INFINITY}, new float[] {1, 0.1f, Float.MAX_VALUE});

    private Fixtures() {}

    static NetworkSpec network() {
        return new NetworkSpec(
                OBSERVATIONS,
                new MultiDiscrete(2, 3),
                true,
                List.of(4),
                List.of(3),
                List.of(2, 2),
                Activation.RELU,
                true,
                -0.5);
    }

    static PpoHyperparameters hyperparameters() {
        return new PpoHyperparameters(
                8,
                4,
                3,
                0.98,
                0.8,
                Schedule.linear(1e-3),
                Schedule.linear(0.2, 0.05),
                Schedule.constant(0.3),
                0.01,
                0.5,
                0.7,
                true,
                0.03);
    }

    /** 48 of 64 steps are done: a quarter remains. */
    static Progress progress(long timesteps) {
        return new Progress(timesteps, 16, 64, 3, 9, Phase.COLLECT, 5, 0, 0);
    }

    static Checkpoint checkpoint() {
        return checkpoint(64, network(), hyperparameters());
    }

    /** Checkpoints of different steps also have different weights. */
    static Checkpoint checkpoint(long timesteps) {
        return checkpoint(timesteps, network(), hyperparameters());
    }

    static Checkpoint checkpoint(long timesteps, NetworkSpec network, PpoHyperparameters hyperparameters) {
        RandomStream random = new RandomStream(timesteps);
        return new Checkpoint(
                network,
                hyperparameters,
                Map.of("env", "Example-v0", "envs", "2", "text", "ü \" \\ \n"),
                progress(timesteps),
                learner(network, random),
                normalizer(network, random),
                Map.of("actions", new RandomStream(1, "actions").state(), "shuffle", new RandomStream(2).state()),
                rollout(),
                List.of(
                        new EnvironmentState(new RandomStream(3).state(), new byte[] {1, 2, 3, -1}, 24),
                        new EnvironmentState(new RandomStream(4).state(), null, 24)),
                Map.of("backend", "java", "kernel", "scalar", "library", "0.1.0"));
    }

    static LearnerState learner(NetworkSpec network, RandomStream random) {
        ParameterLayout layout = new ParameterLayout(network);
        float[] weights = new float[layout.size()];
        float[] first = new float[layout.size()];
        float[] second = new float[layout.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) random.nextGaussian();
            first[i] = (float) random.nextGaussian() / 100;
            second[i] = random.nextFloat() / 1000;
        }
        return new LearnerState(layout.split(weights), layout.split(first), layout.split(second), 27);
    }

    private static List<Tensor> normalizer(NetworkSpec network, RandomStream random) {
        int size = network.observationSpace().size();
        double[] mean = new double[size];
        double[] variance = new double[size];
        for (int i = 0; i < size; i++) {
            mean[i] = random.nextGaussian();
            variance[i] = random.nextDouble();
        }
        return List.of(
                new Tensor(ObservationNormalizer.MEAN, new int[] {size}, mean),
                new Tensor(ObservationNormalizer.VARIANCE, new int[] {size}, variance),
                new Tensor(ObservationNormalizer.LIMITS, new int[] {2}, new double[] {1e-8, 10}),
                new Tensor("ret_rms.var", new int[0], new double[] {2.25}));
    }

    /** Five of eight steps of two environments: one tensor of every type. */
    private static List<Tensor> rollout() {
        boolean[] masks = new boolean[5 * 2 * 5];
        for (int i = 0; i < masks.length; i++) {
            masks[i] = i % 3 != 0;
        }
        return List.of(
                new Tensor("rewards", new int[] {5, 2}, new float[] {0, 1, -1, 0.5f, 2, 3, 4, 5, 6, 7}),
                new Tensor("masks", new int[] {5, 2, 5}, masks),
                new Tensor("lengths", new int[] {2}, new int[] {7, Integer.MIN_VALUE}),
                new Tensor("order", new int[] {3}, new long[] {2, 0, Long.MAX_VALUE}),
                new Tensor("return", new int[0], new double[] {Double.NEGATIVE_INFINITY}),
                new Tensor("empty", new int[] {0, 2}, new float[0]));
    }

    static Checkpoint withWeights(Checkpoint checkpoint, List<Tensor> weights) {
        LearnerState learner = checkpoint.learner();
        return withLearner(
                checkpoint, new LearnerState(weights, learner.firstMoments(), learner.secondMoments(), learner.step()));
    }

    static Checkpoint withLearner(Checkpoint c, LearnerState learner) {
        return new Checkpoint(
                c.network(),
                c.hyperparameters(),
                c.settings(),
                c.progress(),
                learner,
                c.normalizer(),
                c.random(),
                c.rollout(),
                c.environments(),
                c.provenance());
    }

    static Checkpoint withProgress(Checkpoint c, Progress progress) {
        return new Checkpoint(
                c.network(),
                c.hyperparameters(),
                c.settings(),
                progress,
                c.learner(),
                c.normalizer(),
                c.random(),
                c.rollout(),
                c.environments(),
                c.provenance());
    }

    static Checkpoint withState(Checkpoint c, List<Tensor> normalizer, List<Tensor> rollout) {
        return new Checkpoint(
                c.network(),
                c.hyperparameters(),
                c.settings(),
                c.progress(),
                c.learner(),
                normalizer,
                c.random(),
                rollout,
                c.environments(),
                c.provenance());
    }

    static Checkpoint withEnvironments(Checkpoint c, Map<String, long[]> random, List<EnvironmentState> environments) {
        return new Checkpoint(
                c.network(),
                c.hyperparameters(),
                c.settings(),
                c.progress(),
                c.learner(),
                c.normalizer(),
                random,
                c.rollout(),
                environments,
                c.provenance());
    }

    /** Everything of a checkpoint in a form that can be compared. */
    static List<Object> comparable(Checkpoint c) {
        List<Object> parts = new ArrayList<>(List.of(
                c.network(),
                c.hyperparameters(),
                c.settings(),
                c.progress(),
                c.learner(),
                c.normalizer(),
                c.rollout(),
                c.provenance()));
        c.random().forEach((name, state) -> parts.add(List.of(name, boxed(state))));
        for (EnvironmentState environment : c.environments()) {
            byte[] state = environment.state();
            parts.add(List.of(
                    boxed(environment.seeds()),
                    state == null ? "none" : java.nio.ByteBuffer.wrap(state),
                    environment.steps()));
        }
        return parts;
    }

    private static List<Long> boxed(long[] numbers) {
        return java.util.Arrays.stream(numbers).boxed().toList();
    }

    static ModelMetadata metadata() {
        return new ModelMetadata("Example-v0", 7, 2, "java", null, 1.5, 2.5);
    }
}
