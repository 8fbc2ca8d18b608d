package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {
    @ParameterizedTest
    @EnumSource
    void canBeCalledAgainAndAgain(Work work) {
        try (Workload workload = Workload.of(work, "java", Net.SMALL, 64, 2)) {
            assertThat(workload.kernel()).isNotEmpty();
            for (int i = 0; i < 3; i++) {
                workload.call();
            }
        }
    }

    @Test
    void thePolicyActs() {
        try (Workload workload = Workload.of(Work.FORWARD, Variant.ACTING, Net.SMALL, 8, 1)) {
            workload.call();
            assertThat(workload.kernel()).isEqualTo("loops");
        }
    }

    @Test
    void isOverWhenClosed() {
        Workload workload = Workload.of(Work.UPDATE, "java", Net.SMALL, 64, 1);
        workload.close();

        assertThatThrownBy(workload::call).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void needsABackendThatIsThere() {
        assertThatThrownBy(() -> Workload.of(Work.UPDATE, "abacus", Net.SMALL, 64, 1))
                .isInstanceOf(InvalidConfigurationException.class);
    }
}
