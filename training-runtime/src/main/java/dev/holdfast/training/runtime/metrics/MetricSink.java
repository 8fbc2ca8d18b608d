package dev.holdfast.training.runtime.metrics;

/**
 * Where the reports of a run go: a table, a file, or what a user writes to send them elsewhere. {@link MetricSinks} has those
 * that come with the library.
 *
 * <p><em>Errors.</em> A {@link dev.holdfast.rl.api.HoldfastException} says that the run can't be recorded as it was asked to be
 * (a full disk, say): the run saves and ends. Any other exception is a fault of the sink, which must not cost a run: it is
 * logged, and the sink gets no more reports.
 *
 * <p><em>Threads.</em> All methods are called by the thread that trains, which waits for them: a slow sink slows the run.
 */
public interface MetricSink extends AutoCloseable {
    /**
     * Takes the metrics of an iteration.
     *
     * @param record the metrics
     */
    void record(MetricRecord record);

    /**
     * Takes an episode. Called between two steps, as often as episodes end.
     *
     * @param episode the episode
     */
    default void episode(EpisodeRecord episode) {}

    /**
     * Takes an event.
     *
     * @param event the event
     */
    default void event(RunEvent event) {}

    /** Makes everything taken so far durable. Called before every checkpoint. */
    default void flush() {}

    /** Frees what the sink holds. Called once, last. */
    @Override
    default void close() {}
}
