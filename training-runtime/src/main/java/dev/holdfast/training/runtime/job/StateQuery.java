package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.Require;
import java.util.Locale;

/**
 * What of a job is asked for.
 *
 * @param logTail how many of the last lines of its log, 1 to {@value #MAX_LOG_TAIL}
 * @param afterMetric the number of the first point, at least 0; {@code metric_end} of the last answer asks for what is new
 * @param metricLimit how many points at most, 1 to {@value #MAX_METRIC_LIMIT}; more are thinned out
 * @param locale of the texts: Chinese, or anything else for English
 */
public record StateQuery(int logTail, long afterMetric, int metricLimit, Locale locale) {
    /** The largest {@code log_tail}. */
    public static final int MAX_LOG_TAIL = LogTail.REMEMBERED;
    /** The largest {@code metric_limit}. */
    public static final int MAX_METRIC_LIMIT = 20_000;

    /** The last 200 lines, and all points as far as the limit of 2,000 allows, in English. */
    public static final StateQuery DEFAULT = new StateQuery(200, 0, 2_000, Locale.ENGLISH);

    /**
     * Returns the same query in another language.
     *
     * @param locale of the texts
     * @return a new query
     */
    public StateQuery in(Locale locale) {
        return new StateQuery(logTail, afterMetric, metricLimit, locale);
    }

    /**
     * Checks.
     *
     * @throws dev.holdfast.rl.api.InvalidConfigurationException if a number is out of its range; the message names it
     */
    public StateQuery {
        Require.that(
                logTail >= 1 && logTail <= MAX_LOG_TAIL, "log_tail", "must be in [1, " + MAX_LOG_TAIL + "]", logTail);
        Require.that(afterMetric >= 0, "after_metric", "must be at least 0", afterMetric);
        Require.that(
                metricLimit >= 1 && metricLimit <= MAX_METRIC_LIMIT,
                "metric_limit",
                "must be in [1, " + MAX_METRIC_LIMIT + "]",
                metricLimit);
    }
}
