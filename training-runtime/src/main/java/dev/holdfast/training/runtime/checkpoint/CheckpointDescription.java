package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a checkpoint holds, for people and as JSON: {@code holdfast inspect}. */
public final class CheckpointDescription {
    private final Checkpoint checkpoint;
    private final List<TensorStatistics> weights;

    /**
     * What can be said of a tensor of weights in one line.
     *
     * @param norm the Euclidean norm
     */
    private record TensorStatistics(Tensor tensor, double min, double max, double mean, double norm) {
        static TensorStatistics of(Tensor tensor) {
            double min = Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            double sum = 0;
            double squares = 0;
            for (float value : tensor.floats()) {
                min = Math.min(min, value);
                max = Math.max(max, value);
                sum += value;
                squares += (double) value * value;
            }
            return new TensorStatistics(tensor, min, max, sum / tensor.floats().length, Math.sqrt(squares));
        }

        String name() {
            return tensor.name();
        }
    }

    /**
     * Describes a checkpoint.
     *
     * @param checkpoint what was loaded
     */
    public CheckpointDescription(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
        weights = checkpoint.learner().weights().stream()
                .map(TensorStatistics::of)
                .toList();
    }

    /**
     * Returns the description as lines of text.
     *
     * @return the lines, without line ends
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        NetworkSpec network = checkpoint.network();
        lines.add("network");
        row(lines, "observation space", network.observationSpace());
        row(lines, "action space", network.actionSpace() + (network.masked() ? ", masked" : ""));
        row(lines, "shared layers", network.sharedLayers());
        row(lines, "policy layers", network.policyLayers());
        row(lines, "value layers", network.valueLayers());
        row(lines, "activation", lower(network.activation()));
        row(lines, "parameters", new ParameterLayout(network).size());
        int width = weights.stream()
                .mapToInt(tensor -> tensor.name().length())
                .max()
                .orElse(0);
        lines.add(String.format(
                Locale.ROOT,
                "  %-" + width + "s  %-14s %12s %12s %12s %12s",
                "weights",
                "shape",
                "min",
                "max",
                "mean",
                "norm"));
        for (TensorStatistics tensor : weights) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-" + width + "s  %-14s %12.5g %12.5g %12.5g %12.5g",
                    tensor.name(),
                    Arrays.toString(tensor.tensor.shape()),
                    tensor.min,
                    tensor.max,
                    tensor.mean,
                    tensor.norm));
        }
        lines.add("progress");
        progress().forEach((name, value) -> row(lines, name, value));
        lines.add("hyperparameters now");
        hyperparameters().forEach((name, value) -> row(lines, name, value));
        lines.add("schedules");
        schedules().forEach((name, text) -> row(lines, name, text));
        lines.add("normalisation");
        checkpoint.normalizer().forEach(tensor -> row(lines, tensor.name(), Arrays.toString(tensor.shape())));
        if (checkpoint.normalizer().isEmpty()) {
            lines.add("  none");
        }
        lines.add("to resume");
        resume().forEach(line -> lines.add("  " + line));
        lines.add("settings");
        checkpoint.settings().forEach((name, value) -> row(lines, name, value));
        lines.add("provenance");
        checkpoint.provenance().forEach((name, value) -> row(lines, name, value));
        return List.copyOf(lines);
    }

    private static void row(List<String> lines, String name, Object value) {
        lines.add(String.format(Locale.ROOT, "  %-20s %s", name, value));
    }

    /**
     * Returns the description as a JSON object.
     *
     * @return the keys {@code observation_space, action_space, masked, shared_layers, policy_layers, value_layers, activation,
     *     parameters, weights, progress, hyperparameters, schedules, normalizer, resume, settings, provenance}
     */
    public String json() {
        NetworkSpec network = checkpoint.network();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("observation_space", network.observationSpace().toString());
        json.put("action_space", network.actionSpace().toString());
        json.put("masked", network.masked());
        json.put("shared_layers", network.sharedLayers());
        json.put("policy_layers", network.policyLayers());
        json.put("value_layers", network.valueLayers());
        json.put("activation", lower(network.activation()));
        json.put("parameters", new ParameterLayout(network).size());
        json.put("weights", weights.stream().map(CheckpointDescription::toMap).toList());
        json.put("progress", progress());
        json.put("hyperparameters", hyperparameters());
        json.put("schedules", schedules());
        json.put(
                "normalizer", checkpoint.normalizer().stream().map(Tensor::name).toList());
        json.put("resume", resume());
        json.put("settings", checkpoint.settings());
        json.put("provenance", checkpoint.provenance());
        return new String(Json.pretty(json), StandardCharsets.UTF_8);
    }

    private static Map<String, Object> toMap(TensorStatistics tensor) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", tensor.name());
        map.put("shape", tensor.tensor.shape());
        map.put("min", tensor.min);
        map.put("max", tensor.max);
        map.put("mean", tensor.mean);
        map.put("norm", tensor.norm);
        return map;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private Map<String, Object> progress() {
        Progress progress = checkpoint.progress();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("timesteps", progress.timesteps());
        map.put("start_timesteps", progress.startTimesteps());
        map.put("total_timesteps", progress.totalTimesteps());
        map.put("remaining", progress.remaining());
        map.put("iterations", progress.iterations());
        map.put("n_updates", progress.updates());
        map.put("gradient_steps", checkpoint.learner().step());
        map.put("phase", lower(progress.phase()));
        map.put("step", progress.step());
        map.put("epoch", progress.epoch());
        map.put("mini_batch", progress.miniBatch());
        return map;
    }

    private Map<String, Object> hyperparameters() {
        PpoHyperparameters hyperparameters = checkpoint.hyperparameters();
        Map<String, Object> map = new LinkedHashMap<>(ModelMetadata.effectiveHyperparameters(
                hyperparameters, checkpoint.progress().remaining()));
        Schedule clipRangeVf = hyperparameters.clipRangeVf();
        if (clipRangeVf != null) {
            map.put(
                    "clip_range_vf",
                    ModelMetadata.value(clipRangeVf, checkpoint.progress().remaining()));
        }
        map.put("normalize_advantage", hyperparameters.normalizeAdvantage());
        if (hyperparameters.targetKl() != null) {
            map.put("target_kl", hyperparameters.targetKl());
        }
        return map;
    }

    private Map<String, String> schedules() {
        PpoHyperparameters hyperparameters = checkpoint.hyperparameters();
        Map<String, String> map = new LinkedHashMap<>();
        map.put("learning_rate", hyperparameters.learningRate().text());
        map.put("clip_range", hyperparameters.clipRange().text());
        Schedule clipRangeVf = hyperparameters.clipRangeVf();
        if (clipRangeVf != null) {
            map.put("clip_range_vf", clipRangeVf.text());
        }
        return map;
    }

    private List<String> resume() {
        if (checkpoint.environments().isEmpty()) {
            return List.of("holds no environments: it can act and start another run, but not be resumed");
        }
        List<String> needs = new ArrayList<>();
        int count = checkpoint.environments().size();
        long saved = checkpoint.environments().stream()
                .filter(environment -> environment.state() != null)
                .count();
        String environment = checkpoint.settings().getOrDefault("env", "");
        needs.add(count + " environments" + (environment.isEmpty() ? "" : " " + environment) + " of the spaces above");
        needs.add(
                saved == count
                        ? "all environments go on where they stopped"
                        : (count - saved)
                                + " environments saved no state: they start new episodes, and the old ones are truncated");
        schedules().forEach((name, text) -> {
            if (text.equals("custom")) {
                needs.add(name + " was a schedule written in Java: it must be passed again");
            }
        });
        Progress progress = checkpoint.progress();
        long steps = progress.phase() == Phase.COLLECT
                ? progress.step()
                : checkpoint.hyperparameters().rolloutSteps();
        needs.add("goes on in phase " + lower(progress.phase()) + " with " + steps * count + " samples collected");
        needs.add("the last bits are equal only on the machine and versions under provenance");
        return needs;
    }
}
