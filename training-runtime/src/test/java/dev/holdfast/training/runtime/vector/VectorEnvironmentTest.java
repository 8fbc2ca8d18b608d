package dev.holdfast.training.runtime.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a vector environment, for every kind. */
class VectorEnvironmentTest {
    private static final WorkerOptions OPTIONS = WorkerOptions.defaults();

    private static VectorEnvironment create(String kind, int count, EnvironmentSource source) {
        return VectorEnvironments.create(kind, count, source, OPTIONS, reason -> {});
    }

    private static VectorEnvironment create(String kind, int count, Supplier<? extends Environment> factory) {
        return create(kind, count, EnvironmentSource.of(factory));
    }

    private static EnvironmentSource counters(String third) {
        CounterProvider provider = new CounterProvider();
        return EnvironmentSource.of(provider, EnvironmentOptions.of(provider, Map.of("third", third), 1, 1, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "thread", "process"})
    void endedEpisodesAreFollowedByNewOnes(String kind) {
        try (VectorEnvironment environments = create(kind, 3, counters("fine"))) {
            environments.reset(5);
            assertThat(environments.masks()).isNull();
            int ended = 0;
            for (int t = 0; t < 40; t++) {
                float[] before = environments.observations().clone();
                environments.step(new float[] {0, 1, t % 2});
                for (int i = 0; i < 3; i++) {
                    float next = before[i] + 1 + (i == 0 ? 0 : i == 1 ? 1 : t % 2);
                    assertThat(environments.rewards()[i]).isEqualTo(next);
                    assertThat(environments.terminated()[i]).isEqualTo(next >= 10);
                    if (environments.terminated()[i] || environments.truncated()[i]) {
                        assertThat(environments.finalObservations()[i]).isEqualTo(next);
                        assertThat(environments.observations()[i]).isLessThan(9);
                        ended++;
                    } else {
                        assertThat(environments.observations()[i]).isEqualTo(next);
                    }
                }
            }
            assertThat(ended).isGreaterThan(20);
        }
    }

    @Test
    void allKindsGiveTheSameTrajectoriesWhateverTheNumberOfOthers() {
        List<float[]> three = trajectories("sync", 3);
        List<float[]> threads = trajectories("thread", 3);
        List<float[]> five = trajectories("thread", 5);
        List<float[]> processes = trajectories("process", 3);
        for (int t = 0; t < three.size(); t++) {
            assertThat(threads.get(t)).isEqualTo(three.get(t));
            assertThat(processes.get(t)).isEqualTo(three.get(t));
            assertThat(Arrays.copyOf(five.get(t), 3)).isEqualTo(three.get(t));
        }
    }

    private static List<float[]> trajectories(String kind, int count) {
        List<float[]> seen = new ArrayList<>();
        try (VectorEnvironment environments = create(kind, count, counters("fine"))) {
            environments.reset(11);
            for (int t = 0; t < 50; t++) {
                seen.add(environments.observations().clone());
                float[] actions = new float[count];
                Arrays.fill(actions, t % 3 == 0 ? 1 : 0);
                environments.step(actions);
            }
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "thread", "process"})
    void savedStatesGoOnAlike(String kind) {
        try (VectorEnvironment first = create(kind, 2, counters("fine"));
                VectorEnvironment second = create(kind, 2, counters("fine"))) {
            first.reset(3);
            for (int t = 0; t < 6; t++) {
                first.step(new float[] {0, 1});
            }
            second.restore(first.save(), first.observations().clone());
            for (int t = 0; t < 30; t++) {
                assertThat(second.observations()).isEqualTo(first.observations());
                first.step(new float[] {1, 0});
                second.step(new float[] {1, 0});
            }
            assertThatThrownBy(() -> second.restore(List.of(), new float[2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 environment states");
        }
    }

    @Test
    void anEnvironmentWithoutAStateStartsANewEpisode() {
        try (VectorEnvironment environments = create("sync", 1, Counter::new)) {
            environments.reset(3);
            environments.step(new float[1]);
            long[] seeds = environments.save().get(0).seeds();
            environments.restore(List.of(new EnvironmentState(seeds, null, 1)), new float[] {19});
            assertThat(environments.observations()[0]).isLessThan(9);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "thread"})
    void closesEveryEnvironment(String kind) {
        List<Counter> made = new ArrayList<>();
        Supplier<Counter> factory = () -> {
            Counter counter = new Counter();
            made.add(counter);
            return counter;
        };
        create(kind, 3, factory).close();
        assertThat(made).hasSize(3).allMatch(counter -> counter.closed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exception       | environment 1 at its step 2: step threw java.lang.IllegalStateException: oops
            null            | environment 1 at its step 3: step must return a Step, but returned null
            nan_reward      | environment 1 at its step 3: the reward must be finite, but was NaN
            nan_observation | environment 1 at its step 3: the observation must be finite, but element 0 is NaN
            outside         | must be in Box(0.0..20.0, [1]), but element 0 must be in [0.0, 20.0], but was 21.0
            long            | environment 1 at its step 3: an observation of Box(0.0..20.0, [1]) must have 1 elements, but had 2
            """)
    void whatBreaksTheContractIsNamed(String third, String message) {
        // All three in one process, none of which is replaced.
        WorkerOptions options = new WorkerOptions(3, OPTIONS.timeout(), 0, List.of(), System::nanoTime);
        for (String kind : List.of("sync", "thread", "process")) {
            try (VectorEnvironment environments =
                    VectorEnvironments.create(kind, 3, counters(third), options, reason -> {})) {
                environments.reset(0);
                environments.step(new float[3]);
                environments.step(new float[3]);
                assertThatThrownBy(() -> environments.step(new float[3]))
                        .as(kind)
                        .isInstanceOf(third.startsWith("nan") ? NonFiniteException.class : EnvironmentException.class)
                        .hasMessageContaining(message);
            }
        }
    }

    private static final class Masked extends Counter {
        private final Supplier<boolean @Nullable []> mask;

        Masked(Supplier<boolean @Nullable []> mask) {
            this.mask = mask;
        }

        @Override
        public Space actionSpace() {
            return new MultiDiscrete(2, 3);
        }

        @Override
        public boolean @Nullable [] actionMask() {
            return mask.get();
        }
    }

    @Test
    void masksAreJointOverBranchesAndChecked() {
        boolean[] valid = {true, false, false, true, true};
        try (VectorEnvironment environments = create("sync", 2, () -> new Masked(() -> valid))) {
            environments.reset(0);
            assertThat(environments.masked()).isTrue();
            assertThat(environments.masks())
                    .containsExactly(true, false, false, true, true, true, false, false, true, true);
        }
        expectMask(
                "must leave a valid action in every branch, but leaves none in branch 1",
                true,
                true,
                false,
                false,
                false);
        expectMask("must have 5 elements, but had 3", true, true, true);
    }

    private static void expectMask(String message, boolean... mask) {
        try (VectorEnvironment environments = create("sync", 2, () -> new Masked(() -> mask))) {
            assertThatThrownBy(() -> environments.reset(0))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("environment 0 at its step 0")
                    .hasMessageContaining(message);
        }
    }

    @Test
    void aMaskMustBeThereAlwaysOrNever() {
        AtomicInteger calls = new AtomicInteger();
        boolean[] all = {true, true, true, true, true};
        try (VectorEnvironment environments =
                create("sync", 1, () -> new Masked(() -> calls.getAndIncrement() == 0 ? all : null))) {
            environments.reset(0);
            assertThatThrownBy(() -> environments.step(new float[2]))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining(
                            "actionMask must return null always or never, but returned null after a mask");
        }
    }

    @Test
    void otherSpacesThanTheFirstEnvironmentsAreRefused() {
        AtomicInteger made = new AtomicInteger();
        assertThatThrownBy(() -> create("sync", 2, () -> {
                    boolean first = made.getAndIncrement() == 0;
                    return new Counter() {
                        @Override
                        public Space actionSpace() {
                            return new Discrete(first ? 2 : 3);
                        }
                    };
                }))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("environment 1")
                .hasMessageContaining("Discrete(3)");
    }

    @Test
    void processesNeedAProvider() {
        assertThatThrownBy(() -> create("process", 2, Counter::new))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(
                        "vec_env must be sync or thread for an environment that is made by an application's own code")
                .hasMessageContaining("EnvironmentProvider");
    }
}
