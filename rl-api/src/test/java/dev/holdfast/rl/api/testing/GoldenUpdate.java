package dev.holdfast.rl.api.testing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One recorded update of the reference implementation: a rollout, the mini-batches, and the numbers after each. */
public final class GoldenUpdate {
    /** All recorded updates. */
    public static final List<String> NAMES = List.of(
            "discrete",
            "discrete_relu_nonorm",
            "multidiscrete",
            "multibinary",
            "box",
            "box_biglr",
            "clip_range_vf",
            "target_kl",
            "maskable_discrete",
            "multidiscrete_masked",
            "multibinary_masked");

    private final JsonNode root;
    private final JsonNode config;
    private final NetworkSpec spec;
    private final UpdateSettings settings;

    /**
     * Reads a recorded update.
     *
     * @param name one of {@link #NAMES}
     */
    public GoldenUpdate(String name) {
        root = Golden.load(name);
        config = root.required("config");
        JsonNode layers = config.required("net_arch");
        spec = new NetworkSpec(
                Box.unbounded(config.required("obs_dim").intValue()),
                actionSpace(config),
                config.required("algo").textValue().equals("MaskablePPO"),
                List.of(),
                widths(layers.required("pi")),
                widths(layers.required("vf")),
                config.required("activation").textValue().equals("Tanh") ? Activation.TANH : Activation.RELU,
                true,
                0);
        settings = new UpdateSettings(
                config.required("learning_rate").doubleValue(),
                root.required("logged").required("train/clip_range").doubleValue(),
                config.required("clip_range_vf").asDouble(Double.POSITIVE_INFINITY),
                config.required("ent_coef").doubleValue(),
                config.required("vf_coef").doubleValue(),
                config.required("max_grad_norm").doubleValue(),
                config.required("normalize_advantage").booleanValue(),
                1.5 * config.required("target_kl").asDouble(Double.POSITIVE_INFINITY));
    }

    private static Space actionSpace(JsonNode config) {
        int[] dimensions = Golden.ints(config.required("action_dims"));
        return switch (config.required("action_space").textValue()) {
            case "Discrete" -> new Discrete(dimensions[0]);
            case "MultiDiscrete" -> new MultiDiscrete(dimensions);
            case "MultiBinary" -> new MultiBinary(dimensions[0]);
            default ->
                new Box(
                        dimensions,
                        Golden.floats(config.required("action_low")),
                        Golden.floats(config.required("action_high")));
        };
    }

    private static List<Integer> widths(JsonNode list) {
        return Arrays.stream(Golden.ints(list)).boxed().toList();
    }

    /**
     * Returns the file's content.
     *
     * @return as JSON
     */
    public JsonNode root() {
        return root;
    }

    /**
     * Returns the network.
     *
     * @return its specification
     */
    public NetworkSpec spec() {
        return spec;
    }

    /**
     * Returns the hyperparameters in force.
     *
     * @return the same for all mini-batches
     */
    public UpdateSettings settings() {
        return settings;
    }

    /**
     * Returns the state before the first mini-batch.
     *
     * @return the initial weights, moments of 0
     */
    public LearnerState initialState() {
        List<Tensor> weights = Golden.tensors(root.required("initial_params"));
        List<Tensor> zeros = weights.stream()
                .map(tensor -> new Tensor(tensor.name(), tensor.shape(), new float[tensor.floats().length]))
                .toList();
        return new LearnerState(weights, zeros, zeros, 0);
    }

    /**
     * Returns the mini-batches with their numbers.
     *
     * @return one JSON object a mini-batch
     */
    public List<JsonNode> miniBatches() {
        List<JsonNode> miniBatches = new ArrayList<>();
        root.required("minibatches").forEach(miniBatches::add);
        return miniBatches;
    }

    /**
     * Returns a batch that can hold any of the mini-batches.
     *
     * @return an empty batch
     */
    public MiniBatch newBatch() {
        return new MiniBatch(spec, config.required("batch_size").intValue());
    }

    /**
     * Fills a batch with the samples of a mini-batch.
     *
     * @param miniBatch one of {@link #miniBatches}
     * @param batch is filled
     */
    public void fill(JsonNode miniBatch, MiniBatch batch) {
        int[] indices = Golden.ints(miniBatch.required("indices"));
        batch.size(indices.length);
        gather(indices, "observations", batch.features());
        gather(indices, "actions", batch.actions());
        gather(indices, "log_probs", batch.logProbabilities());
        gather(indices, "values", batch.values());
        gather(indices, "advantages", batch.advantages());
        gather(indices, "returns", batch.returns());
        boolean[] masks = batch.masks();
        if (masks != null) {
            float[] gathered = new float[masks.length];
            gather(indices, "action_masks", gathered);
            for (int i = 0; i < masks.length; i++) {
                masks[i] = gathered[i] != 0;
            }
        }
    }

    /** Copies rows of a rollout array {@code [step, environment, …]}; an index counts {@code environment · steps + step}. */
    private void gather(int[] indices, String name, float[] to) {
        JsonNode array = root.required("buffer").required(name);
        float[] from = Golden.floats(array);
        int steps = config.required("n_steps").intValue();
        int environments = config.required("n_envs").intValue();
        int width = from.length / (steps * environments);
        for (int row = 0; row < indices.length; row++) {
            int at = indices[row] % steps * environments + indices[row] / steps;
            System.arraycopy(from, at * width, to, row * width, width);
        }
    }
}
