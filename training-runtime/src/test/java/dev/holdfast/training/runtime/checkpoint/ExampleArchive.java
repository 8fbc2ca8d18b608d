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
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Makes the example of format 1 among the test resources, which stays there for ever, as do those of {@link ExampleRun}. They are
 * never made again.
 *
 * <p>When the format changes: let {@code Manifest.FORMAT} rise and go on reading what was written before; copy this class and
 * write {@code format-2.zip} with the copy, by its {@code main} and from this module's test classes; add a test like those of
 * {@link ExampleArchiveTest} for it; of the old format's test, only the comparison with what today's library writes goes. When the
 * trainer keeps something else in a checkpoint, {@link ExampleRun} gets new examples in the same way, of the version that is
 * released with it.
 */
final class ExampleArchive {
    private ExampleArchive() {}

    /** Writes {@code format-1.zip} into the directory that is given. */
    public static void main(String[] arguments) {
        new ZipCheckpointStore().save(checkpoint(), Path.of(arguments[0], "format-1.zip"));
    }

    /** Masks, normalisation, two environments of which one saved its state, two of four steps of a rollout. */
    static Checkpoint checkpoint() {
        NetworkSpec network = new NetworkSpec(
                new Box(new int[] {2}, new float[] {-4.5f, Float.NEGATIVE_INFINITY}, new float[] {
                    4.5f, Float.POSITIVE_INFINITY
                }),
                new Discrete(3),
                true,
                List.of(),
                List.of(2),
                List.of(),
                Activation.TANH,
                true,
                0);
        ParameterLayout layout = new ParameterLayout(network);
        float[] weights = new float[layout.size()];
        float[] first = new float[layout.size()];
        float[] second = new float[layout.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = i / 8f - 1;
            first[i] = -i / 64f;
            second[i] = i / 1024f;
        }
        return new Checkpoint(
                network,
                new PpoHyperparameters(
                        4,
                        4,
                        5,
                        0.98,
                        0.75,
                        Schedule.linear(0.5),
                        Schedule.linear(0.25, 0.125),
                        Schedule.constant(0.5),
                        0.01,
                        0.5,
                        0.75,
                        true,
                        0.03),
                Map.of("env", "Example-v1", "envs", "2", "seed", "7"),
                new Progress(20, 8, 16, 1, 5, Phase.COLLECT, 2, 0, 0),
                new LearnerState(layout.split(weights), layout.split(first), layout.split(second), 10),
                List.of(
                        new Tensor(ObservationNormalizer.MEAN, new int[] {2}, new double[] {0.5, 1}),
                        new Tensor(ObservationNormalizer.VARIANCE, new int[] {2}, new double[] {0.25, 4}),
                        new Tensor(ObservationNormalizer.LIMITS, new int[] {2}, new double[] {0, 10})),
                Map.of("actions", new long[] {1, 2, 3, 4}, "shuffle", new long[] {-1, Long.MIN_VALUE, 0, 5}),
                List.of(
                        new Tensor("observations", new int[] {2, 2, 2}, new float[] {0, 1, 2, 3, 4, 5, 6, 7}),
                        new Tensor("masks", new int[] {2, 2, 3}, new boolean[] {
                            true, true, false, true, false, true, false, true, true, true, true, true
                        }),
                        new Tensor("lengths", new int[] {2}, new int[] {2, -2}),
                        new Tensor("order", new int[] {2}, new long[] {1, 0}),
                        new Tensor("best", new int[0], new double[] {Double.NEGATIVE_INFINITY})),
                List.of(
                        new EnvironmentState(new long[] {5, 6, 7, 8}, new byte[] {9, 10, -11}, 6),
                        new EnvironmentState(new long[] {9, 10, 11, 12}, null, 6)),
                Map.of("backend", "java", "kernel", "scalar", "library", "0.1.0"));
    }
}
