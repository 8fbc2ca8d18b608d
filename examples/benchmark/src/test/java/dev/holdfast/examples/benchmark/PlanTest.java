package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.backend.Backends;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Variant SIMD = Variant.javaSimd();
    private static final Variant LOOPS = Variant.javaLoops();
    private static final Variant FAKE = new Variant("fake", "fake", true);

    private static Plan plan(String... chosen) {
        return Plan.of(List.of(chosen), Backends.all(), List.of(1, 2), true);
    }

    @Test
    void comparesTheActingPolicyWithForwardPasses() {
        Plan plan = plan("forward");

        assertThat(plan.calls().stream().filter(call -> call.net() == Net.MIDDLE))
                .containsExactly(
                        new Call(Work.FORWARD, Net.MIDDLE, Variant.acting(true), 1),
                        new Call(Work.FORWARD, Net.MIDDLE, SIMD, 1),
                        new Call(Work.FORWARD, Net.MIDDLE, LOOPS, 1),
                        new Call(Work.FORWARD, Net.MIDDLE, FAKE, 1),
                        new Call(Work.FORWARD, Net.MIDDLE, SIMD, 2),
                        new Call(Work.FORWARD, Net.MIDDLE, LOOPS, 2));
        assertThat(plan.trainings()).isEmpty();
        assertThat(plan.starts()).isEmpty();
    }

    @Test
    void updatesWithEveryNetAndBackend() {
        Plan plan = plan("update");

        assertThat(plan.calls()).hasSize(3 * 5).allMatch(call -> call.work() == Work.UPDATE);
        assertThat(plan.calls()).noneMatch(call -> call.variant().isActing());
    }

    @Test
    void trainsWithEveryNumberOfThreadsAndOnceWithTheDefaults() {
        Setting setting = Setting.COMPARED;

        assertThat(plan("cartpole-default").trainings())
                .containsExactly(
                        new Training(setting, SIMD, 1, false),
                        new Training(setting, SIMD, 2, false),
                        new Training(setting, LOOPS, 1, false),
                        new Training(setting, LOOPS, 2, false),
                        new Training(setting, FAKE, 1, false),
                        new Training(setting, SIMD, 1, true));
    }

    @Test
    void comparesBackendsByOneSettingUnlessOthersAreNamed() {
        assertThat(plan().trainings().stream()
                        .filter(training -> training.variant().equals(FAKE))
                        .map(Training::setting))
                .containsExactly(Setting.COMPARED);
        assertThat(plan("masked-1", "masked-8").trainings().stream()
                        .filter(training -> training.variant().equals(FAKE))
                        .map(training -> training.setting().name()))
                .containsExactly("masked-1", "masked-8");
    }

    @Test
    void comparesWorkersWithEnvironmentsInThisProcess() {
        Plan plan = plan("workers");

        assertThat(plan.steppings()).hasSize(4 * 3).startsWith(new Stepping(VecEnv.SYNC, 1));
        assertThat(plan.trainings())
                .extracting(Training::setting)
                .isEqualTo(Setting.WORKERS)
                .extracting(setting -> setting.config().get("vec_env"))
                .containsExactly("sync", "process", "sync", "process");
        assertThat(plan.trainings()).allMatch(training -> training.variant().equals(SIMD) && training.threads() == 1);
        assertThat(plan("start").steppings()).isEmpty();
    }

    @Test
    void startsTheCommandAsTheLauncherDoes() {
        assertThat(plan("start").starts()).containsExactly(SIMD, FAKE);
        assertThat(Plan.of(List.of(), Backends.all(), List.of(1), false).starts())
                .containsExactly(LOOPS, new Variant("fake", "fake", false));
    }
}
