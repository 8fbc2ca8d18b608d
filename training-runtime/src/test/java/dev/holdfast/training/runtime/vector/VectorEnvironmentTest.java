package dev.holdfast.training.runtime.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a vector environment, for every kind. */
class VectorEnvironmentTest {
    /** Counts up from its seed's last digit; ends at 10, is cut after 4 steps. Action 1 counts double. */
    private static class Counter implements Environment {
        int value;
        int steps;
        boolean closed;

        @Override
        public Space observationSpace() {
            return Box.of(0, 20, 1);
        }

        @Override
        public Space actionSpace() {
            return new Discrete(2);
        }

        @Override
        public float[] reset(long seed) {
            value = (int) Math.floorMod(seed, 9L);
            steps = 0;
            return new float[] {value};
        }

        @Override
        public Step step(Action action) {
            value += 1 + action.index();
            steps++;
            return new Step(new float[] {value}, value, value >= 10, steps == 4);
        }

        @Override
        public byte @Nullable [] saveState() {
            return new byte[] {(byte) value, (byte) steps};
        }

        @Override
        public void restoreState(byte[] state) {
            value = state[0];
            steps = state[1];
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "thread"})
    void endedEpisodesAreFollowedByNewOnes(String kind) {
        try (VectorEnvironment environments = VectorEnvironments.create(kind, 3, Counter::new)) {
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
        for (int t = 0; t < three.size(); t++) {
            assertThat(threads.get(t)).isEqualTo(three.get(t));
            assertThat(Arrays.copyOf(five.get(t), 3)).isEqualTo(three.get(t));
        }
    }

    private static List<float[]> trajectories(String kind, int count) {
        List<float[]> seen = new ArrayList<>();
        try (VectorEnvironment environments = VectorEnvironments.create(kind, count, Counter::new)) {
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
    @ValueSource(strings = {"sync", "thread"})
    void savedStatesGoOnAlike(String kind) {
        try (VectorEnvironment first = VectorEnvironments.create(kind, 2, Counter::new);
                VectorEnvironment second = VectorEnvironments.create(kind, 2, Counter::new)) {
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
        try (VectorEnvironment environments = VectorEnvironments.create("sync", 1, Counter::new)) {
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
        VectorEnvironments.create(kind, 3, factory).close();
        assertThat(made).hasSize(3).allMatch(counter -> counter.closed);
    }

    @Test
    void whatBreaksTheContractIsNamed() {
        expect(
                EnvironmentException.class,
                "environment 1 at its step 2: step threw java.lang.IllegalStateException: oops",
                () -> {
                    throw new IllegalStateException("oops");
                });
        expect(
                EnvironmentException.class,
                "environment 1 at its step 3: step must return a Step, but returned null",
                () -> null);
        expect(
                NonFiniteException.class,
                "the reward must be finite, but was NaN",
                () -> new Step(new float[1], Double.NaN, false, false));
        expect(
                NonFiniteException.class,
                "the observation must be finite, but element 0 is NaN",
                () -> new Step(new float[] {Float.NaN}, 0, false, false));
        expect(
                EnvironmentException.class,
                "the observation must be in Box(0.0..20.0, [1]), but element 0 must be in [0.0, 20.0], but was 21.0",
                () -> new Step(new float[] {21}, 0, false, false));
        expect(
                EnvironmentException.class,
                "must have 1 elements, but had 2",
                () -> new Step(new float[2], 0, false, false));
    }

    private static void expect(
            Class<? extends HoldfastException> type, String message, Supplier<@Nullable Step> third) {
        for (String kind : List.of("sync", "thread")) {
            AtomicInteger made = new AtomicInteger();
            try (VectorEnvironment environments = VectorEnvironments.create(kind, 3, () -> {
                int number = made.getAndIncrement();
                return new Counter() {
                    @Override
                    public Step step(Action action) {
                        return number == 1 && steps == 2 ? third.get() : super.step(action);
                    }

                    @Override
                    public float[] reset(long seed) {
                        return super.reset(0);
                    }
                };
            })) {
                environments.reset(0);
                environments.step(new float[3]);
                environments.step(new float[3]);
                assertThatThrownBy(() -> environments.step(new float[3]))
                        .isInstanceOf(type)
                        .hasMessageContaining("environment 1 at its step")
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
        try (VectorEnvironment environments = VectorEnvironments.create("sync", 2, () -> new Masked(() -> valid))) {
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
        try (VectorEnvironment environments = VectorEnvironments.create("sync", 2, () -> new Masked(() -> mask))) {
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
        try (VectorEnvironment environments = VectorEnvironments.create(
                "sync", 1, () -> new Masked(() -> calls.getAndIncrement() == 0 ? all : null))) {
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
        assertThatThrownBy(() -> VectorEnvironments.create("sync", 2, () -> {
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
    void processesAreRefusedByName() {
        assertThatThrownBy(() -> VectorEnvironments.create("process", 2, Counter::new))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("vec_env")
                .hasMessageContaining("process");
    }
}
