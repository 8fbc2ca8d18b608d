package dev.holdfast.training.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.testing.Golden;
import dev.holdfast.rl.api.testing.GoldenUpdate;
import dev.holdfast.training.runtime.metrics.Metric;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A whole {@code train()} of the reference implementation, from its rollout to its logged values. */
class GoldenTrainTest {
    static List<String> updates() {
        return GoldenUpdate.NAMES;
    }

    @ParameterizedTest
    @MethodSource("updates")
    void train(String name) {
        GoldenUpdate golden = new GoldenUpdate(name);
        JsonNode root = golden.root();
        JsonNode config = root.required("config");
        NetworkSpec network = golden.spec();
        int steps = config.required("n_steps").intValue();
        int environments = config.required("n_envs").intValue();
        PpoHyperparameters hyperparameters = hyperparameters(golden, config);

        RolloutBuffer rollout = rollout(root, network, steps, environments);
        rollout.computeAdvantages(
                Golden.floats(root.required("last_values")),
                Golden.booleans(root.required("last_dones")),
                hyperparameters.gamma(),
                hyperparameters.gaeLambda());
        List<Tensor> saved = rollout.save(steps, true);
        close(tensor(saved, "advantages"), Golden.floats(root.required("buffer").required("advantages")), "advantages");
        close(tensor(saved, "returns"), Golden.floats(root.required("buffer").required("returns")), "returns");

        try (PpoLearner learner = Backends.named("java")
                .createLearner(new LearnerRequest(network, "cpu", 1, hyperparameters.batchSize(), 0))) {
            learner.importState(golden.initialState());
            PpoUpdate update = new PpoUpdate(network, rollout, learner, hyperparameters, recordedOrder(golden));
            update.begin();
            assertThat(update.run(golden.settings(), () -> false)).isTrue();

            Map<Metric, Double> metrics = new EnumMap<>(Metric.class);
            update.report(metrics);
            metrics.put(Metric.EXPLAINED_VARIANCE, rollout.explainedVariance());
            metrics.put(Metric.N_UPDATES, (double) update.epoch());
            for (Metric metric : metrics.keySet()) {
                JsonNode expected = root.required("logged").path(metric.key());
                // The gradient's norm is ours alone; everything else is logged by the reference, too.
                assertThat(expected.isMissingNode()).as(metric.key()).isEqualTo(metric == Metric.GRADIENT_NORM);
                if (metric != Metric.GRADIENT_NORM) {
                    double value = expected.doubleValue();
                    assertThat(metrics.get(metric))
                            .as(metric.key())
                            .isCloseTo(value, within(1e-5 + 1e-4 * Math.abs(value)));
                }
            }
        }
    }

    private static PpoHyperparameters hyperparameters(GoldenUpdate golden, JsonNode config) {
        double clipVf = golden.settings().clipRangeVf();
        double targetKl = golden.settings().maxKl() / 1.5;
        return new PpoHyperparameters(
                config.required("n_steps").intValue(),
                config.required("batch_size").intValue(),
                config.required("n_epochs").intValue(),
                config.required("gamma").doubleValue(),
                config.required("gae_lambda").doubleValue(),
                Schedule.constant(golden.settings().learningRate()),
                Schedule.constant(golden.settings().clipRange()),
                Double.isInfinite(clipVf) ? null : Schedule.constant(clipVf),
                golden.settings().entCoef(),
                golden.settings().vfCoef(),
                golden.settings().maxGradNorm(),
                golden.settings().normalizeAdvantage(),
                Double.isInfinite(targetKl) ? null : targetKl);
    }

    private static RolloutBuffer rollout(JsonNode root, NetworkSpec network, int steps, int environments) {
        JsonNode buffer = root.required("buffer");
        RolloutBuffer rollout = new RolloutBuffer(network, steps, environments);
        float[] masks = buffer.has("action_masks") ? Golden.floats(buffer.required("action_masks")) : new float[0];
        boolean[] valid = new boolean[masks.length];
        for (int i = 0; i < masks.length; i++) {
            valid[i] = masks[i] != 0;
        }
        for (int t = 0; t < steps; t++) {
            boolean[] starts = new boolean[environments];
            float[] recorded = row(buffer, "episode_starts", t, steps);
            for (int i = 0; i < environments; i++) {
                starts[i] = recorded[i] != 0;
            }
            int width = valid.length / steps;
            rollout.store(
                    t,
                    row(buffer, "observations", t, steps),
                    network.masked() ? Arrays.copyOfRange(valid, t * width, (t + 1) * width) : null,
                    starts,
                    row(buffer, "actions", t, steps),
                    row(buffer, "values", t, steps),
                    row(buffer, "log_probs", t, steps));
            rollout.storeRewards(t, row(buffer, "rewards", t, steps));
        }
        return rollout;
    }

    private static float[] row(JsonNode buffer, String name, int t, int steps) {
        float[] all = Golden.floats(buffer.required(name));
        int width = all.length / steps;
        return Arrays.copyOfRange(all, t * width, (t + 1) * width);
    }

    /** Puts the samples of each epoch into the recorded order. The file lacks what an early stop left out. */
    private static Consumer<int[]> recordedOrder(GoldenUpdate golden) {
        Deque<JsonNode> miniBatches = new ArrayDeque<>(golden.miniBatches());
        return samples -> {
            int at = 0;
            while (at < samples.length && !miniBatches.isEmpty()) {
                for (int index : Golden.ints(miniBatches.remove().required("indices"))) {
                    samples[at++] = index;
                }
            }
        };
    }

    private static float[] tensor(List<Tensor> tensors, String name) {
        return tensors.stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow()
                .floats();
    }

    private static void close(float[] actual, float[] expected, String name) {
        assertThat(actual).as(name).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i])
                    .as("%s %d", name, i)
                    .isCloseTo(expected[i], within(1e-5f + 1e-4f * Math.abs(expected[i])));
        }
    }
}
