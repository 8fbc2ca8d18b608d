package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code manifest.json}, the first entry of an archive: what the checkpoint is, and the sizes and hashes of the other entries.
 *
 * <p>The keys {@code format} and {@code kind}, and the archive's structure as far as this entry, stay the same in every version
 * of the format, so that an older library can say what it was given. Unknown keys are ignored; whatever changes the meaning of a
 * known one is a new version.
 *
 * @param entries the other entries in their order
 */
record Manifest(
        NetworkSpec network,
        PpoHyperparameters hyperparameters,
        Map<String, String> settings,
        Progress progress,
        Map<String, String> provenance,
        List<Item> entries) {
    static final int FORMAT = 1;
    static final String KIND = "holdfast-checkpoint";

    record Item(String name, long size, String sha256) {}

    static Map<String, Object> describe(Checkpoint checkpoint, List<StoredZip.Part> parts) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("kind", KIND);
        json.put("network", network(checkpoint.network()));
        json.put("hyperparameters", hyperparameters(checkpoint.hyperparameters()));
        json.put("schedule_values", scheduleValues(checkpoint));
        json.put("settings", checkpoint.settings());
        json.put("progress", progress(checkpoint.progress()));
        json.put("provenance", checkpoint.provenance());
        List<Map<String, Object>> entries = new ArrayList<>();
        for (StoredZip.Part part : parts) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", part.name());
            entry.put("size", part.size());
            entry.put("sha256", part.sha256());
            entries.add(entry);
        }
        json.put("entries", entries);
        return json;
    }

    /**
     * Reads a manifest.
     *
     * @param text the JSON
     * @param mostFeatures the largest size of a space that the archive has room for weights for
     */
    static Manifest read(byte[] text, long mostFeatures) throws DamageException {
        Json json = Json.parse(text);
        String kind = json.text("kind");
        DamageException.unless(kind.equals(KIND), "kind", "must be " + KIND, DamageException.quote(kind));
        int format = json.integer("format");
        DamageException.unless(format >= 1, "format", "must be at least 1", format);
        if (format > FORMAT) {
            throw new DamageException("it has format version " + format + ", but this library reads versions up to "
                    + FORMAT + ": use a newer version of Holdfast");
        }
        try {
            return new Manifest(
                    network(json.object("network"), mostFeatures),
                    hyperparameters(json.object("hyperparameters"), json.object("schedule_values")),
                    json.textMap("settings"),
                    progress(json.object("progress")),
                    json.textMap("provenance"),
                    entries(json));
        } catch (HoldfastException e) {
            // The value types check themselves.
            throw new DamageException(e.getMessage());
        }
    }

    private static List<Item> entries(Json json) throws DamageException {
        List<Item> entries = new ArrayList<>();
        for (Json entry : json.objects("entries")) {
            entries.add(new Item(entry.text("name"), entry.whole("size"), entry.text("sha256")));
        }
        return entries;
    }

    private static Map<String, Object> network(NetworkSpec network) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("observation_space", space(network.observationSpace()));
        json.put("action_space", space(network.actionSpace()));
        json.put("masked", network.masked());
        json.put("shared_layers", network.sharedLayers());
        json.put("policy_layers", network.policyLayers());
        json.put("value_layers", network.valueLayers());
        json.put("activation", lower(network.activation()));
        json.put("orthogonal", network.orthogonal());
        json.put("initial_log_std", network.initialLogStd());
        return json;
    }

    private static NetworkSpec network(Json json, long mostFeatures) throws DamageException {
        return new NetworkSpec(
                space(json.object("observation_space"), mostFeatures),
                space(json.object("action_space"), mostFeatures),
                json.flag("masked"),
                layers(json, "shared_layers"),
                layers(json, "policy_layers"),
                layers(json, "value_layers"),
                constant(Activation.values(), json, "activation"),
                json.flag("orthogonal"),
                json.number("initial_log_std"));
    }

    private static List<Integer> layers(Json json, String key) throws DamageException {
        return Arrays.stream(json.integers(key)).boxed().toList();
    }

    private static Map<String, Object> space(Space space) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", space.getClass().getSimpleName());
        if (space instanceof Box box) {
            json.put("shape", box.shape());
            json.put("low", bounds(box.low()));
            json.put("high", bounds(box.high()));
        } else if (space instanceof Discrete discrete) {
            json.put("n", discrete.n());
        } else if (space instanceof MultiDiscrete multi) {
            json.put("branches", multi.branches());
        } else if (space instanceof ConditionalDiscrete conditional) {
            json.put("branches", conditional.choices().branches());
            json.put("parents", conditional.parents());
        } else {
            json.put("n", ((MultiBinary) space).n());
        }
        return json;
    }

    private static Space space(Json json, long mostFeatures) throws DamageException {
        String type = json.text("type");
        Space space = switch (type) {
            case "Box" -> box(json, mostFeatures);
            case "Discrete" -> new Discrete(json.integer("n"));
            case "MultiDiscrete" -> new MultiDiscrete(json.integers("branches"));
            case "ConditionalDiscrete" ->
                new ConditionalDiscrete(new MultiDiscrete(json.integers("branches")), json.integers("parents"));
            case "MultiBinary" -> new MultiBinary(json.integer("n"));
            default ->
                throw new DamageException(
                        "type of a space must be Box, Discrete, MultiDiscrete, ConditionalDiscrete or MultiBinary, but was "
                                + DamageException.quote(type));
        };
        checkRoom(space.featureSize(), mostFeatures);
        return space;
    }

    private static Box box(Json json, long mostFeatures) throws DamageException {
        int[] shape = json.integers("shape");
        long size = 1;
        for (int dimension : shape) {
            DamageException.unless(dimension > 0, "Box shape", "must have positive dimensions", dimension);
            size *= dimension;
            // Before the bounds are allocated: a few digits can ask for gigabytes.
            checkRoom(size, mostFeatures);
        }
        return new Box(shape, bounds(json, "low", (int) size), bounds(json, "high", (int) size));
    }

    private static void checkRoom(long size, long mostFeatures) throws DamageException {
        DamageException.unless(
                size <= mostFeatures, "a space", "must be no larger than the archive's weights, " + mostFeatures, size);
    }

    /** One number where all are equal, as doubles, which hold every float exactly. */
    private static Object bounds(float[] bounds) {
        double[] values = new double[bounds.length];
        boolean equal = true;
        for (int i = 0; i < bounds.length; i++) {
            values[i] = bounds[i];
            equal &= Float.compare(bounds[i], bounds[0]) == 0;
        }
        return equal ? values[0] : values;
    }

    private static float[] bounds(Json json, String key, int size) throws DamageException {
        double[] numbers = json.numbers(key);
        float[] bounds = new float[numbers == null ? size : numbers.length];
        if (numbers == null) {
            Arrays.fill(bounds, (float) json.number(key));
        } else {
            for (int i = 0; i < bounds.length; i++) {
                bounds[i] = (float) numbers[i];
            }
        }
        return bounds;
    }

    private static Map<String, Object> hyperparameters(PpoHyperparameters h) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("n_steps", h.rolloutSteps());
        json.put("batch_size", h.batchSize());
        json.put("n_epochs", h.epochs());
        json.put("gamma", h.gamma());
        json.put("gae_lambda", h.gaeLambda());
        json.put("learning_rate", h.learningRate().text());
        json.put("clip_range", h.clipRange().text());
        Schedule clipRangeVf = h.clipRangeVf();
        json.put("clip_range_vf", clipRangeVf == null ? null : clipRangeVf.text());
        json.put("ent_coef", h.entCoef());
        json.put("vf_coef", h.vfCoef());
        json.put("max_grad_norm", h.maxGradNorm());
        json.put("normalize_advantage", h.normalizeAdvantage());
        json.put("target_kl", h.targetKl());
        return json;
    }

    private static Map<String, Object> scheduleValues(Checkpoint checkpoint) {
        PpoHyperparameters hyperparameters = checkpoint.hyperparameters();
        double remaining = checkpoint.progress().remaining();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("learning_rate", ModelMetadata.value(hyperparameters.learningRate(), remaining));
        values.put("clip_range", ModelMetadata.value(hyperparameters.clipRange(), remaining));
        Schedule clipRangeVf = hyperparameters.clipRangeVf();
        values.put("clip_range_vf", clipRangeVf == null ? null : ModelMetadata.value(clipRangeVf, remaining));
        return values;
    }

    private static PpoHyperparameters hyperparameters(Json json, Json values) throws DamageException {
        return new PpoHyperparameters(
                json.integer("n_steps"),
                json.integer("batch_size"),
                json.integer("n_epochs"),
                json.number("gamma"),
                json.number("gae_lambda"),
                schedule(json, values, "learning_rate"),
                schedule(json, values, "clip_range"),
                json.has("clip_range_vf") ? schedule(json, values, "clip_range_vf") : null,
                json.number("ent_coef"),
                json.number("vf_coef"),
                json.number("max_grad_norm"),
                json.flag("normalize_advantage"),
                json.has("target_kl") ? (Double) json.number("target_kl") : null);
    }

    private static Schedule schedule(Json json, Json values, String key) throws DamageException {
        String text = json.text(key);
        return text.equals("custom") ? new Schedule.Unavailable(key, values.number(key)) : Schedule.parse(text, key);
    }

    private static Map<String, Object> progress(Progress progress) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("timesteps", progress.timesteps());
        json.put("start_timesteps", progress.startTimesteps());
        json.put("total_timesteps", progress.totalTimesteps());
        json.put("iterations", progress.iterations());
        json.put("updates", progress.updates());
        json.put("phase", lower(progress.phase()));
        json.put("step", progress.step());
        json.put("epoch", progress.epoch());
        json.put("mini_batch", progress.miniBatch());
        return json;
    }

    private static Progress progress(Json json) throws DamageException {
        return new Progress(
                json.whole("timesteps"),
                json.whole("start_timesteps"),
                json.whole("total_timesteps"),
                json.whole("iterations"),
                json.whole("updates"),
                constant(Phase.values(), json, "phase"),
                json.integer("step"),
                json.integer("epoch"),
                json.integer("mini_batch"));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> E constant(E[] constants, Json json, String key) throws DamageException {
        String text = json.text(key);
        for (E constant : constants) {
            if (lower(constant).equals(text)) {
                return constant;
            }
        }
        String names = Arrays.stream(constants).map(Manifest::lower).toList().toString();
        throw new DamageException(key + " must be one of " + names + ", but was " + DamageException.quote(text));
    }
}
