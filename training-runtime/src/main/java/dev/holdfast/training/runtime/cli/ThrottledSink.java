package dev.holdfast.training.runtime.cli;

import dev.holdfast.training.runtime.metrics.EpisodeRecord;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.RunEvent;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lets through at most one record a second, and the last one: small tasks finish hundreds of iterations a second. */
final class ThrottledSink implements MetricSink {
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final MetricSink sink;
    private final LongSupplier nanoTime;
    private @Nullable MetricRecord waiting;
    private long next;

    ThrottledSink(MetricSink sink, LongSupplier nanoTime) {
        this.sink = sink;
        this.nanoTime = nanoTime;
        next = nanoTime.getAsLong();
    }

    @Override
    public void record(MetricRecord record) {
        long now = nanoTime.getAsLong();
        if (now - next < 0) {
            waiting = record;
            return;
        }
        next = now + INTERVAL;
        waiting = null;
        sink.record(record);
    }

    @Override
    public void episode(EpisodeRecord episode) {
        sink.episode(episode);
    }

    @Override
    public void event(RunEvent event) {
        // An event is read after what came before it.
        release();
        sink.event(event);
    }

    private void release() {
        MetricRecord record = waiting;
        if (record != null) {
            waiting = null;
            sink.record(record);
        }
    }

    @Override
    public void flush() {
        sink.flush();
    }

    @Override
    public void close() {
        release();
        sink.close();
    }
}
