package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.job.Episodes.Episode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Jobs that never ran, to show what a job may look like. The same each time. */
public final class DemoJobs {
    /** The names of the scenarios. */
    public static final List<String> SCENARIOS =
            List.of("healthy", "kl-spike", "plateau", "value-trouble", "paused", "stopped");

    private static final int POINTS = 60;
    private static final int STEPS = 1_024;

    private DemoJobs() {}

    /**
     * Returns a job with every key of a real one, and {@code preview: true}.
     *
     * @param scenario one of {@link #SCENARIOS}
     * @param query how much of it
     * @return as {@link TrainingJobs#snapshot}
     * @throws InvalidConfigurationException if there is no such scenario; the message repeats its name
     */
    public static Map<String, @Nullable Object> snapshot(String scenario, StateQuery query) {
        if (!SCENARIOS.contains(scenario)) {
            throw new InvalidConfigurationException(
                    "scenario must be one of " + SCENARIOS + ", but was '" + scenario + "'");
        }
        MetricSeries series = new MetricSeries();
        LogTail log = new LogTail(Path.of("demo.log"), 0, line -> {});
        for (int i = 1; i <= POINTS; i++) {
            Map<String, Double> values = values(scenario, i);
            series.add((long) i * STEPS, values);
            log.add(String.format(
                    Locale.ROOT, "timesteps %6d   ep_rew_mean %8.2f", i * STEPS, values.get("ep_rew_mean")));
        }
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "CartPole-v1")
                .set(Fields.TIMESTEPS, 100_000L)
                .set(Fields.MODEL, Optional.of(Path.of("runs", "demo", "demo.zip")))
                .build();
        JobStatus status = switch (scenario) {
            case "paused" -> JobStatus.PAUSED;
            case "stopped" -> JobStatus.STOPPED;
            default -> JobStatus.RUNNING;
        };
        boolean stopped = status == JobStatus.STOPPED;
        return new Snapshot(
                        "demo-" + scenario,
                        status,
                        null,
                        List.of("holdfast", "train", "--env", "CartPole-v1"),
                        stopped ? 0 : null,
                        42,
                        config,
                        true,
                        false,
                        log,
                        series,
                        0,
                        episodes(),
                        stopped ? Message.of("label.stopped") : null,
                        stopped ? recovery() : null,
                        null)
                .toMap(query);
    }

    private static Map<String, Double> values(String scenario, int i) {
        double share = (double) i / POINTS;
        double wave = Math.sin(i * 1.7) * 6;
        double reward = scenario.equals("plateau") ? 200 + Math.sin(i) * 0.5 : 20 + 400 * share + wave;
        Map<String, Double> values = new HashMap<>();
        values.put("ep_rew_mean", reward);
        values.put("ep_len_mean", reward);
        values.put("value_loss", 40 * Math.exp(-3 * share) + Math.abs(wave) / 10);
        values.put("policy_gradient_loss", -0.01 * (1 - share));
        values.put("loss", 20 * Math.exp(-3 * share));
        values.put("approx_kl", scenario.equals("kl-spike") && i > POINTS - 3 ? 0.4 : 0.008 + Math.abs(wave) / 2_000);
        values.put("clip_fraction", 0.05 + Math.abs(wave) / 200);
        values.put("entropy_loss", -0.69 + 0.4 * share);
        values.put("explained_variance", scenario.equals("value-trouble") ? -0.3 : 0.2 + 0.7 * share);
        values.put("fps", 5_000 + 100 * wave);
        values.put("start_timesteps", 0.0);
        values.put("n_updates", 10.0 * i);
        return values;
    }

    private static Episodes episodes() {
        return new Episodes(IntStream.rangeClosed(1, POINTS)
                .mapToObj(i -> new Episode(20.0 + i, 20L + i, i))
                .toList());
    }

    private static Map<String, Object> recovery() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("can_resume", true);
        map.put("model", "runs/demo/demo.zip");
        map.put("timesteps", (long) POINTS * STEPS);
        map.put("source", "resume.json");
        map.put("reason", "control_file");
        return map;
    }
}
