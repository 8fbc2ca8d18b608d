package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.job.Episodes.Episode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("B13: the judgement of a run")
class ConvergenceTest {
    private static final Episodes NONE = new Episodes(List.of());

    private static MetricSeries series(int count, IntToDoubleFunction reward, Map<String, Double> others) {
        MetricSeries series = new MetricSeries();
        for (int i = 0; i < count; i++) {
            Map<String, Double> values = new HashMap<>(others);
            values.put("ep_rew_mean", reward.applyAsDouble(i));
            series.add(100L * (i + 1), values);
        }
        return series;
    }

    private static Map<String, Object> judge(MetricSeries series) {
        return Convergence.of(series, NONE).toMap(Locale.ENGLISH);
    }

    @Test
    void nothing() {
        assertThat(judge(new MetricSeries())).containsEntry("tone", "gray").containsEntry("reward_points", 0);
    }

    @Test
    void rising() {
        Convergence judgement = Convergence.of(series(12, i -> i, Map.of()), NONE);
        assertThat(judgement.tone()).isEqualTo("ok");
        assertThat(judgement.toMap(Locale.ENGLISH).get("notes").toString())
                .contains("slope is positive: 10.0 in 1,000 steps");
        assertThat(judgement.toMap(Locale.SIMPLIFIED_CHINESE).get("notes").toString())
                .contains("斜率为正");
        assertThat(judgement.latestKl()).isNaN();
    }

    @Test
    void plateau() {
        Convergence judgement = Convergence.of(series(14, i -> 200, Map.of()), NONE);
        assertThat(judgement.toMap(Locale.ENGLISH).get("status").toString()).contains("plateau");
        assertThat(judgement.toMap(Locale.forLanguageTag("zh-CN")).get("status").toString())
                .contains("平稳");
        assertThat(judgement.rewardSpread()).isEqualTo(0.0);
    }

    @Test
    void largeKl() {
        Map<String, Object> judgement = judge(series(12, i -> i, Map.of("approx_kl", 0.4)));
        assertThat(judgement).containsEntry("tone", "bad").containsEntry("latest_kl", 0.4);
        assertThat(judgement.get("status").toString()).contains("KL");
    }

    @Test
    void uselessValueFunction() {
        assertThat(judge(series(12, i -> i, Map.of("explained_variance", -0.3))))
                .containsEntry("tone", "warn");
    }

    @Test
    void episodesCountWhereThereIsNothingElse() {
        Episodes episodes = new Episodes(
                IntStream.range(0, 20).mapToObj(i -> new Episode(i, 10, i)).toList());
        Convergence judgement = Convergence.of(new MetricSeries(), episodes);
        assertThat(judgement.rewardPoints()).isEqualTo(20);
        assertThat(judgement.tone()).isEqualTo("ok");
    }

    @Test
    void noTrendInNoise() {
        MetricSeries series = series(40, i -> i % 2 == 0 ? 100 : -100, Map.of());
        assertThat(judge(series).get("status").toString()).contains("no clear trend");
        assertThat(judge(series(40, i -> -i, Map.of()))).containsEntry("tone", "warn");
        assertThat(judge(series(2, i -> i, Map.of()))).containsEntry("tone", "gray");
    }
}
