package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environments;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

class BusyEnvironmentTest {
    @Test
    void usesTheProcessorForAsLongAsTheActionSays() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (BusyEnvironment environment = new BusyEnvironment()) {
            environment.reset(0);
            long before = threads.getCurrentThreadCpuTime();
            environment.step(Action.wrap(new float[] {3000}));
            assertThat(threads.getCurrentThreadCpuTime() - before).isGreaterThanOrEqualTo(3_000_000);
        }
    }

    @Test
    void isNotAmongTheEnvironmentsOfUsers() {
        assertThat(Environments.all()).isNotEmpty().noneMatch(BusyProvider.class::isInstance);
    }
}
