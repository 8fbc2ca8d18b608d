package dev.holdfast.training.runtime.metrics;

import dev.holdfast.rl.api.HoldfastException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several sinks as one. */
final class SinkGroup implements MetricSink {
    private static final Logger LOG = LoggerFactory.getLogger(SinkGroup.class);

    private final List<MetricSink> sinks;

    SinkGroup(List<MetricSink> sinks) {
        this.sinks = new ArrayList<>(sinks);
    }

    @Override
    public void record(MetricRecord record) {
        each(sink -> sink.record(record));
    }

    @Override
    public void episode(EpisodeRecord episode) {
        each(sink -> sink.episode(episode));
    }

    @Override
    public void event(RunEvent event) {
        each(sink -> sink.event(event));
    }

    @Override
    public void flush() {
        each(MetricSink::flush);
    }

    @Override
    public void close() {
        each(MetricSink::close);
    }

    private void each(Consumer<MetricSink> call) {
        HoldfastException failure = null;
        for (Iterator<MetricSink> iterator = sinks.iterator(); iterator.hasNext(); ) {
            MetricSink sink = iterator.next();
            try {
                call.accept(sink);
            } catch (HoldfastException e) {
                failure = join(failure, e);
            } catch (RuntimeException e) {
                LOG.warn("the metric sink {} failed and gets no more reports; the run goes on", sink, e);
                iterator.remove();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static HoldfastException join(@Nullable HoldfastException first, HoldfastException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
