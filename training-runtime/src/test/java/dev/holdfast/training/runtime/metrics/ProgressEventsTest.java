package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressEventsTest {
    private final Locale locale = Locale.getDefault();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final MetricSink sink = MetricSinks.progressEvents(new PrintStream(bytes, false, StandardCharsets.UTF_8));

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("B2: a progress record has exactly the agreed keys, numbers in one form in every locale")
    void printsARecord() {
        Locale.setDefault(Locale.GERMANY);
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(Metric.START_TIMESTEPS, 109_776.0);
        values.put(Metric.N_UPDATES, 10.0);
        values.put(Metric.EP_REW_MEAN, 1_234_567.25);
        values.put(Metric.EP_LEN_MEAN, 20.0);
        values.put(Metric.VALUE_LOSS, 0.0001);
        values.put(Metric.APPROX_KL, 1e22);
        values.put(Metric.ENTROPY_LOSS, -0.5);
        values.put(Metric.EXPLAINED_VARIANCE, 0.1);
        values.put(Metric.FPS, 50.0);
        values.put(Metric.ITERATIONS, 3.0);
        values.put(Metric.LOSS, 7.0);

        sink.record(new MetricRecord(111_776, values));

        assertThat(printed())
                .isEqualTo("{\"event\":\"progress\",\"timesteps\":111776,\"start_timesteps\":109776,\"n_updates\":10,"
                        + "\"ep_rew_mean\":1234567.25,\"ep_len_mean\":20.0,\"value_loss\":1.0E-4,\"approx_kl\":1.0E22,"
                        + "\"entropy_loss\":-0.5,\"explained_variance\":0.1,\"fps\":50}\n");
    }

    @Test
    void printsNullForWhatIsNotKnown() {
        sink.record(new MetricRecord(64, Map.of(Metric.START_TIMESTEPS, 0.0, Metric.EXPLAINED_VARIANCE, Double.NaN)));

        assertThat(printed())
                .isEqualTo("{\"event\":\"progress\",\"timesteps\":64,\"start_timesteps\":0,\"n_updates\":null,"
                        + "\"ep_rew_mean\":null,\"ep_len_mean\":null,\"value_loss\":null,\"approx_kl\":null,"
                        + "\"entropy_loss\":null,\"explained_variance\":null,\"fps\":null}\n");
    }

    @Test
    void printsEvents() {
        sink.event(RunEvent.paused(64));
        sink.event(RunEvent.resumed(64));
        sink.event(RunEvent.stopRequested("SIGTERM"));
        sink.event(RunEvent.savedAfterStop(Map.of("model", "C:\\runs\\\"q3\".zip\n")));

        assertThat(printed()).isEqualTo("""
                        {"event":"paused","timesteps":64}
                        {"event":"resumed","timesteps":64}
                        {"event":"stop_requested","signal":"SIGTERM"}
                        {"event":"saved_after_stop","model":"C:\\\\runs\\\\\\"q3\\".zip\\n"}
                        """);
    }

    @Test
    @DisplayName("B12: metadata is one line of another event, nested, with null in place of NaN and infinity")
    void printsMetadata() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("checkpoint", true);
        details.put("ppo_hyperparams", Map.of("clip_range", 0.2));
        details.put("checkpoint_files", List.of("a.zip", 9_007_199_254_740_993L));
        details.put("best", Double.NaN);
        details.put("floats", Arrays.asList(1.5f, Float.POSITIVE_INFINITY, null));
        RunEvent event = RunEvent.metadata(details);
        details.clear();

        sink.event(event);

        assertThat(printed())
                .isEqualTo("{\"event\":\"metadata\",\"checkpoint\":true,\"ppo_hyperparams\":{\"clip_range\":0.2},"
                        + "\"checkpoint_files\":[\"a.zip\",9007199254740993],\"best\":null,"
                        + "\"floats\":[1.5,null,null]}\n");
    }

    @Test
    void refusesDetailsThatWouldHideTheEventsName() {
        assertThatThrownBy(() -> RunEvent.metadata(Map.of("event", "progress")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the details of metadata must not have the key event");
    }
}
