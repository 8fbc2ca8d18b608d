package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.HoldfastException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SinkGroupTest {
    private static final MetricRecord RECORD = new MetricRecord(1, Map.of());
    private static final EpisodeRecord EPISODE = new EpisodeRecord(0, 1, 1, 0);

    /** Writes down its calls, and throws if told to. */
    private static final class Listening implements MetricSink {
        final List<String> calls = new ArrayList<>();
        RuntimeException failure;

        private void called(String call) {
            calls.add(call);
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void record(MetricRecord record) {
            called("record");
        }

        @Override
        public void episode(EpisodeRecord episode) {
            called("episode");
        }

        @Override
        public void event(RunEvent event) {
            called("event");
        }

        @Override
        public void flush() {
            called("flush");
        }

        @Override
        public void close() {
            called("close");
        }
    }

    private final Listening first = new Listening();
    private final Listening second = new Listening();
    private final MetricSink group = MetricSinks.all(List.of(first, second));

    @Test
    void passesEverythingOn() {
        group.record(RECORD);
        group.episode(EPISODE);
        group.event(RunEvent.paused(1));
        group.flush();
        group.close();

        assertThat(first.calls).containsExactly("record", "episode", "event", "flush", "close");
        assertThat(second.calls).isEqualTo(first.calls);
    }

    @Test
    void reportsToTheOthersBeforeItThrows() {
        first.failure = new HoldfastException("can't write progress.csv");
        second.failure = new HoldfastException("can't write events");

        assertThatThrownBy(() -> group.record(RECORD)).isSameAs(first.failure).hasSuppressedException(second.failure);

        assertThatThrownBy(group::close).isSameAs(first.failure);
        assertThat(second.calls).containsExactly("record", "close");
    }

    @Test
    void leavesOutASinkWithAFault() {
        first.failure = new IllegalStateException("a user's mistake");

        group.record(RECORD);
        group.flush();

        assertThat(first.calls).containsExactly("record");
        assertThat(second.calls).containsExactly("record", "flush");
    }
}
