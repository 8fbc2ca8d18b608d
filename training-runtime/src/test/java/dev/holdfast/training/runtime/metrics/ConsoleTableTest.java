package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected tables are those that Stable-Baselines3 printed for these values, but for the digits of {@code approx_kl}. */
class ConsoleTableTest {
    private final Locale locale = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    private static String table(long timesteps, Map<Metric, Double> values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MetricSinks.console(new PrintStream(bytes, false, StandardCharsets.UTF_8))
                .record(new MetricRecord(timesteps, values));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsTheFirstTableOfARun() {
        assertThat(table(
                        512,
                        Map.of(
                                Metric.EP_LEN_MEAN,
                                200.0,
                                Metric.EP_REW_MEAN,
                                -1349.6,
                                Metric.FPS,
                                1596.0,
                                Metric.ITERATIONS,
                                1.0,
                                Metric.TIME_ELAPSED,
                                0.0,
                                Metric.START_TIMESTEPS,
                                0.0)))
                .isEqualTo("""
                        ----------------------------------
                        | rollout/           |           |
                        |    ep_len_mean     | 200       |
                        |    ep_rew_mean     | -1.35e+03 |
                        | time/              |           |
                        |    fps             | 1596      |
                        |    iterations      | 1         |
                        |    time_elapsed    | 0         |
                        |    total_timesteps | 512       |
                        ----------------------------------
                        """);
    }

    @Test
    void padsNumbersToEightCharacters() {
        assertThat(table(512, Map.of(Metric.EP_REW_MEAN, 26.42))).isEqualTo("""
                        ---------------------------------
                        | rollout/           |          |
                        |    ep_rew_mean     | 26.4     |
                        | time/              |          |
                        |    total_timesteps | 512      |
                        ---------------------------------
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "de-DE", "ar-EG-u-nu-arab", "hi-IN-u-nu-deva"})
    void printsTheSameTableInEveryLocale(String tag) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        Map<Metric, Double> values = new java.util.EnumMap<>(Metric.class);
        values.put(Metric.EVAL_MEAN_EP_LENGTH, 81.6);
        values.put(Metric.EVAL_MEAN_REWARD, 81.6);
        values.put(Metric.EP_LEN_MEAN, 22.931818181818183);
        values.put(Metric.EP_REW_MEAN, 22.931818181818183);
        values.put(Metric.FPS, 1495.0);
        values.put(Metric.ITERATIONS, 2.0);
        values.put(Metric.TIME_ELAPSED, 0.0);
        values.put(Metric.APPROX_KL, 0.00822986103594303);
        values.put(Metric.CLIP_FRACTION, 0.057421875);
        values.put(Metric.CLIP_RANGE, 0.2);
        values.put(Metric.ENTROPY_LOSS, -0.6883181169629097);
        values.put(Metric.EXPLAINED_VARIANCE, -0.007918715476989746);
        values.put(Metric.LEARNING_RATE, 3e-4);
        values.put(Metric.LOSS, 29.386022567749023);
        values.put(Metric.N_UPDATES, 10.0);
        values.put(Metric.POLICY_GRADIENT_LOSS, -0.012327368499245494);
        values.put(Metric.VALUE_LOSS, 66.92395977973938);

        assertThat(table(1024, values)).isEqualTo("""
                        --------------------------------------
                        | eval/                   |          |
                        |    mean_ep_length       | 81.6     |
                        |    mean_reward          | 81.6     |
                        | rollout/                |          |
                        |    ep_len_mean          | 22.9     |
                        |    ep_rew_mean          | 22.9     |
                        | time/                   |          |
                        |    fps                  | 1495     |
                        |    iterations           | 2        |
                        |    time_elapsed         | 0        |
                        |    total_timesteps      | 1024     |
                        | train/                  |          |
                        |    approx_kl            | 0.00823  |
                        |    clip_fraction        | 0.0574   |
                        |    clip_range           | 0.2      |
                        |    entropy_loss         | -0.688   |
                        |    explained_variance   | -0.00792 |
                        |    learning_rate        | 0.0003   |
                        |    loss                 | 29.4     |
                        |    n_updates            | 10       |
                        |    policy_gradient_loss | -0.0123  |
                        |    value_loss           | 66.9     |
                        --------------------------------------
                        """);
    }

    @Test
    void hasNoKeyThatStableBaselines3WouldCut() {
        assertThat(Metric.values())
                .allSatisfy(metric -> assertThat("   " + metric.shortKey()).hasSizeLessThanOrEqualTo(36));
    }
}
