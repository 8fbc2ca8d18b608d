package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.metrics.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A judgement of how a run is learning, by rules of thumb: a KL divergence above {@value #LARGEST_KL} is too much for PPO, a negative
 * explained variance is worse than no value function, and the trend of the return is that of a least-squares line through its last
 * {@value #WINDOW} values, which counts if its slope differs from 0 by more than two standard errors.
 *
 * @param status the judgement
 * @param tone {@code gray ok warn bad}
 * @param notes its reasons
 * @param rewardPoints how many returns were judged
 * @param rewardSpread the difference of the largest and the smallest return in the window; NaN if there is none
 * @param latestKl NaN if none is known
 */
record Convergence(
        Message status, String tone, List<Message> notes, int rewardPoints, double rewardSpread, double latestKl) {
    static final double LARGEST_KL = 0.1;
    static final int WINDOW = 50;
    /** Fewer returns have no trend. */
    private static final int FEWEST = 3;
    /** Fewer may stand still by chance. */
    private static final int PLATEAU = 10;
    /** A spread of less than this share of the size of the returns is none. */
    private static final double PLATEAU_SHARE = 0.02;

    static final String GRAY = "gray";
    static final String OK = "ok";
    static final String WARN = "warn";
    static final String BAD = "bad";

    /**
     * Judges.
     *
     * @param series the run's points
     * @param episodes for a run whose points have no returns
     */
    static Convergence of(MetricSeries series, Episodes episodes) {
        int count = series.known(Metric.EP_REW_MEAN);
        boolean single = count == 0;
        double[] window = series.lastKnown(Metric.EP_REW_MEAN, WINDOW);
        if (single) {
            double[] returns = episodes.returns();
            count = returns.length;
            window = Arrays.copyOfRange(returns, Math.max(0, count - WINDOW), count);
        }
        double stepsEach = single ? episodes.meanLength() : stepsEach(series);
        double spread = window.length == 0
                ? Double.NaN
                : Arrays.stream(window).max().getAsDouble()
                        - Arrays.stream(window).min().getAsDouble();
        double kl = series.last(Metric.APPROX_KL);
        double explained = series.last(Metric.EXPLAINED_VARIANCE);

        List<Message> notes = new ArrayList<>();
        Message trend = trend(window, spread, stepsEach, notes);
        if (count > 0) {
            notes.add(Message.of("note.points", count, window.length));
            if (single) {
                notes.add(Message.of("note.monitor"));
            }
        }
        if (kl > LARGEST_KL) {
            notes.add(0, Message.of("note.kl"));
            return new Convergence(Message.of("status.kl", text(kl), text(LARGEST_KL)), BAD, notes, count, spread, kl);
        } else if (explained < 0) {
            notes.add(0, Message.of("note.explained"));
            return new Convergence(Message.of("status.explained", text(explained)), WARN, notes, count, spread, kl);
        }
        return new Convergence(trend, tone(trend), notes, count, spread, kl);
    }

    private static double stepsEach(MetricSeries series) {
        return series.total() == 0 ? Double.NaN : (double) series.lastTimesteps() / series.total();
    }

    private static String tone(Message trend) {
        return switch (trend.key()) {
            case "status.rising", "status.steady" -> OK;
            case "status.plateau", "status.falling" -> WARN;
            default -> GRAY;
        };
    }

    private static Message trend(double[] window, double spread, double stepsEach, List<Message> notes) {
        if (window.length == 0) {
            return Message.of("status.nothing");
        } else if (window.length < FEWEST) {
            return Message.of("status.few");
        }
        double size = Arrays.stream(window).map(Math::abs).average().orElse(0);
        Slope slope = Slope.of(window);
        notes.add(slope.note(stepsEach));
        if (window.length >= PLATEAU && spread <= PLATEAU_SHARE * size) {
            notes.add(Message.of("note.spread", text(spread)));
            notes.add(Message.of("note.plateau"));
            return Message.of("status.plateau");
        }
        return Message.of(slope.clear() ? slope.value > 0 ? "status.rising" : "status.falling" : "status.steady");
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : "%.3g", value);
    }

    /** The value of {@code convergence} in a snapshot. */
    Map<String, @Nullable Object> toMap(Locale locale) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("status", status.in(locale));
        map.put("tone", tone);
        map.put("notes", notes.stream().map(note -> note.in(locale)).toList());
        map.put("reward_points", rewardPoints);
        map.put("reward_spread", rewardSpread);
        map.put("latest_kl", latestKl);
        return map;
    }

    /** The least-squares slope of values one apart, with its standard error. */
    private record Slope(double value, double error) {
        static Slope of(double[] values) {
            int n = values.length;
            double centre = (n - 1) / 2.0;
            double mean = Arrays.stream(values).average().orElse(0);
            double products = 0;
            double squares = 0;
            for (int i = 0; i < n; i++) {
                products += (i - centre) * (values[i] - mean);
                squares += (i - centre) * (i - centre);
            }
            double slope = products / squares;
            double residuals = 0;
            for (int i = 0; i < n; i++) {
                double residual = values[i] - mean - slope * (i - centre);
                residuals += residual * residual;
            }
            return new Slope(slope, Math.sqrt(residuals / (n - 2) / squares));
        }

        boolean clear() {
            return Math.abs(value) > 2 * error && value != 0;
        }

        Message note(double stepsEach) {
            if (!clear()) {
                return Message.of("note.flat");
            }
            double inThousand = value / stepsEach * 1000;
            return Message.of(value > 0 ? "note.positive" : "note.negative", text(inThousand));
        }
    }
}
