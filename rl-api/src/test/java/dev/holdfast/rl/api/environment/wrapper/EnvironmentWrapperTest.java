package dev.holdfast.rl.api.environment.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Corridor;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentChecker;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.environment.wrapper.EnvironmentWrapper.Episode;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class EnvironmentWrapperTest {
    /** Counts its steps, observes and rewards the count, and ends after four steps. */
    private static class Counter implements Environment {
        private final Space observations;
        private final Space actions;
        private int count;

        Counter(Space observations, Space actions) {
            this.observations = observations;
            this.actions = actions;
        }

        Counter() {
            this(Box.of(0, 4, 1), new Discrete(3));
        }

        @Override
        public Space observationSpace() {
            return observations;
        }

        @Override
        public Space actionSpace() {
            return actions;
        }

        @Override
        public float[] reset(long seed) {
            count = 0;
            return new float[] {0};
        }

        @Override
        public Step step(Action action) {
            count++;
            return new Step(new float[] {count}, count, count == 4, false);
        }
    }

    private static final Action ANY = Action.of(0);

    private static EnvironmentWrapper counter() {
        return EnvironmentWrapper.of(new Counter());
    }

    private static EnvironmentWrapper observing(Space space) {
        return EnvironmentWrapper.of(new Counter(space, new Discrete(3)));
    }

    private static void rejected(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    // ---- what all have in common

    /** A method that {@link Environment} gets one day would otherwise silently not go through. */
    @Test
    void everyMethodOfAnEnvironmentGoesThrough() {
        for (Method method : Environment.class.getMethods()) {
            assertThatCode(() ->
                            EnvironmentWrapper.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aChainOfNoneChangesNothing() {
        AtomicBoolean closed = new AtomicBoolean();
        Corridor corridor = new Corridor() {
            @Override
            public void close() {
                closed.set(true);
            }
        };
        try (Corridor same = new Corridor();
                Environment wrapped = EnvironmentWrapper.of(corridor)) {
            assertThat(wrapped.observationSpace()).isEqualTo(same.observationSpace());
            assertThat(wrapped.actionSpace()).isEqualTo(same.actionSpace());
            assertThat(wrapped.reset(7)).isEqualTo(same.reset(7));
            for (int i = 0; i < 5; i++) {
                assertThat(wrapped.step(Action.of(2)))
                        .usingRecursiveComparison()
                        .isEqualTo(same.step(Action.of(2)));
                assertThat(wrapped.actionMask()).isEqualTo(same.actionMask());
            }
            assertThat(closed).isFalse();
        }
        assertThat(closed).isTrue();
    }

    /** The time limit is short, so that it is reached after a restore. */
    private static EnvironmentWrapper everything() {
        class StepsAsMask extends Corridor {
            boolean[] onlyAheadInTheBeginning() {
                return new boolean[] {steps > 3, true, true};
            }
        }
        StepsAsMask corridor = new StepsAsMask();
        return EnvironmentWrapper.of(corridor)
                .timeLimit(9)
                .maskActions(corridor::onlyAheadInTheBeginning)
                .monitor(episode -> {})
                .scaleReward(0.5)
                .clipReward(-1, 1)
                .scaleObservation(-1, 1)
                .frameStack(3);
    }

    @Test
    void theyComposeAndKeepTheContract() {
        assertThat(EnvironmentChecker.check(EnvironmentWrapperTest::everything).findings())
                .isEmpty();
        try (Environment wrapped = everything()) {
            assertThat(wrapped.observationSpace()).isEqualTo(Box.of(-1, 1, 3, 2));
            wrapped.reset(1);
            assertThat(wrapped.actionMask()).containsExactly(false, true, true);
        }
    }

    /** What is written first is next to the environment. */
    @Test
    void theOrderIsThatInWhichTheyAreWritten() {
        try (Environment scaledFirst = counter().scaleReward(2).clipReward(0, 3);
                Environment clippedFirst = counter().clipReward(0, 3).scaleReward(2)) {
            scaledFirst.reset(1);
            clippedFirst.reset(1);
            assertThat(rewards(scaledFirst)).containsExactly(2.0, 3.0, 3.0, 3.0);
            assertThat(rewards(clippedFirst)).containsExactly(2.0, 4.0, 6.0, 6.0);
        }
    }

    private static List<Double> rewards(Environment environment) {
        List<Double> rewards = new ArrayList<>();
        Step step;
        do {
            step = environment.step(ANY);
            rewards.add(step.reward());
        } while (!step.done());
        return rewards;
    }

    @Test
    void withoutAStateInsideThereIsNone() {
        try (Environment wrapped = counter().frameStack(2)) {
            wrapped.reset(1);
            assertThat(wrapped.saveState()).isNull();
        }
    }

    @Test
    void aStateThatOtherWrappersSavedIsRefused() {
        try (Environment corridor = new Corridor();
                Environment limited = EnvironmentWrapper.of(new Corridor()).timeLimit(5);
                Environment stacked = EnvironmentWrapper.of(new Corridor()).frameStack(2)) {
            corridor.reset(1);
            limited.reset(1);
            assertThatThrownBy(() -> stacked.restoreState(limited.saveState()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "a saved state of FrameStack must have 16 bytes, but had 4: it was saved by other wrappers");
            assertThatThrownBy(() -> limited.restoreState(corridor.saveState()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the state of 40 bytes was not saved by a wrapper");
            assertThatThrownBy(() -> limited.restoreState(new byte[3]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the state of 3 bytes was not saved by a wrapper");
        }
    }

    /** Pays only every second reward, together with the one before it. */
    private static final class EverySecondReward extends EnvironmentWrapper {
        private double kept;
        private boolean due;

        EverySecondReward(Environment environment) {
            super(environment);
        }

        @Override
        public float[] reset(long seed) {
            kept = 0;
            due = false;
            return super.reset(seed);
        }

        @Override
        public Step step(Action action) {
            Step step = super.step(action);
            kept += step.reward();
            double paid = due || step.done() ? kept : 0;
            kept -= paid;
            due = !due;
            return new Step(step.observation(), paid, step.terminated(), step.truncated());
        }
    }

    /** It has no {@code saveOwnState}, and the checker finds out. */
    @Test
    void aWrapperOfOnesOwnThatForgetsIsFound() {
        try (Environment wrapped = new EverySecondReward(counter().timeLimit(3)).scaleReward(10)) {
            wrapped.reset(1);
            assertThat(rewards(wrapped)).containsExactly(0.0, 30.0, 30.0);
        }
        assertThat(EnvironmentChecker.check(() -> new EverySecondReward(new Corridor()))
                        .findings(Severity.ERROR))
                .first()
                .extracting(EnvironmentChecker.Finding::rule)
                .isEqualTo("a fresh environment must go on from a saved state as the saved one did");
    }

    // ---- one after the other

    @Test
    void timeLimitTruncatesWhatHasNotEnded() {
        try (Environment three = counter().timeLimit(3);
                Environment four = counter().timeLimit(4)) {
            for (int episode = 0; episode < 2; episode++) {
                three.reset(1);
                assertThat(three.step(ANY).done()).isFalse();
                assertThat(three.step(ANY).done()).isFalse();
                Step last = three.step(ANY);
                assertThat(last.truncated()).isTrue();
                assertThat(last.terminated()).isFalse();
                assertThat(last.reward()).isEqualTo(3);
                assertThat(last.observation()).containsExactly(3);
            }
            four.reset(1);
            four.step(ANY);
            four.step(ANY);
            four.step(ANY);
            Step end = four.step(ANY);
            assertThat(end.terminated()).isTrue();
            assertThat(end.truncated()).isFalse();
        }
        rejected(() -> counter().timeLimit(0), "timeLimit steps must be at least 1, but was 0");
    }

    @Test
    void frameStackShowsTheLastObservations() {
        try (Environment stacked = counter().frameStack(3)) {
            assertThat(stacked.reset(1)).containsExactly(0, 0, 0);
            assertThat(stacked.step(ANY).observation()).containsExactly(0, 0, 1);
            assertThat(stacked.step(ANY).observation()).containsExactly(0, 1, 2);
            assertThat(stacked.step(ANY).observation()).containsExactly(1, 2, 3);
            Step last = stacked.step(ANY);
            assertThat(last.observation()).containsExactly(2, 3, 4);
            assertThat(last.terminated()).isTrue();
            assertThat(stacked.reset(1)).containsExactly(0, 0, 0);
        }
    }

    @Test
    void frameStackMultipliesTheSpace() {
        Box box = new Box(new int[] {2, 1}, new float[] {0, -1}, new float[] {5, 1});
        assertThat(observing(box).frameStack(2).observationSpace())
                .isEqualTo(new Box(new int[] {2, 2, 1}, new float[] {0, -1, 0, -1}, new float[] {5, 1, 5, 1}));
        assertThat(observing(new Discrete(5)).frameStack(3).observationSpace()).isEqualTo(new MultiDiscrete(5, 5, 5));
        assertThat(observing(new MultiDiscrete(2, 3)).frameStack(2).observationSpace())
                .isEqualTo(new MultiDiscrete(2, 3, 2, 3));
        assertThat(observing(new MultiBinary(4)).frameStack(2).observationSpace())
                .isEqualTo(new MultiBinary(8));
        rejected(
                () -> observing(new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0))
                        .frameStack(2),
                "frameStack can't stack observations of ConditionalDiscrete([2, 3], parents [-1, 0])");
        rejected(() -> counter().frameStack(0), "frameStack frames must be at least 1, but was 0");
    }

    @Test
    void frameStackHidesNoObservationOfTheWrongLength() {
        try (Environment stacked = observing(Box.of(0, 4, 2)).frameStack(2)) {
            assertThatThrownBy(() -> stacked.reset(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("an observation must have 2 elements, but had 1");
        }
    }

    @Test
    void rewardsAreScaledClippedAndMapped() {
        try (Environment scaled = counter().scaleReward(-0.5);
                Environment clipped = counter().clipReward(2, 3.5);
                Environment open = counter().clipReward(3, Double.POSITIVE_INFINITY);
                Environment mapped = counter().mapReward(Math::sqrt)) {
            assertThat(rewards(scaled)).containsExactly(-0.5, -1.0, -1.5, -2.0);
            assertThat(rewards(clipped)).containsExactly(2.0, 2.0, 3.0, 3.5);
            assertThat(rewards(open)).containsExactly(3.0, 3.0, 3.0, 4.0);
            assertThat(rewards(mapped)).containsExactly(1.0, Math.sqrt(2), Math.sqrt(3), 2.0);
        }
        rejected(() -> counter().scaleReward(0), "scaleReward factor must be finite and not 0, but was 0.0");
        rejected(() -> counter().scaleReward(Double.NaN), "scaleReward factor must be finite and not 0, but was NaN");
        rejected(
                () -> counter().clipReward(1, -1),
                "clipReward low and high must be numbers with low < high, but was 1.0 and -1.0");
        rejected(
                () -> counter().clipReward(Double.NaN, 1),
                "clipReward low and high must be numbers with low < high, but was NaN and 1.0");
    }

    @Test
    void observationsAreScaledToTheGivenBounds() {
        try (Environment scaled = counter().scaleObservation(-1, 1)) {
            assertThat(scaled.observationSpace()).isEqualTo(Box.of(-1, 1, 1));
            assertThat(scaled.reset(1)).containsExactly(-1);
            assertThat(scaled.step(ANY).observation()).containsExactly(-0.5f);
            assertThat(scaled.step(ANY).observation()).containsExactly(0);
            assertThat(scaled.step(ANY).observation()).containsExactly(0.5f);
            assertThat(scaled.step(ANY).observation()).containsExactly(1);
        }
    }

    @Test
    void scalingNeverLeadsOutOfTheBoundsNorIntoThem() {
        long seed = 3;
        RandomStream random = new RandomStream(seed);
        for (int i = 0; i < 10_000; i++) {
            float[] bounds = sorted(random);
            float[] target = sorted(random);
            Box box = new Box(new int[] {1}, new float[] {bounds[0]}, new float[] {bounds[1]});
            BoxScale scale = new BoxScale("test", box, target[0], target[1]);
            for (float inside : new float[] {bounds[0], bounds[1], (bounds[0] + bounds[1]) / 2}) {
                assertThat(scale.scaled().problem(scale.scale(new float[] {inside}), 0))
                        .as("seed %s, %s of %s to %s", seed, inside, box, scale.scaled())
                        .isNull();
            }
            float outside = bounds[1] + 2 * Math.ulp(bounds[1]) + (bounds[1] - bounds[0]) / 100;
            assertThat(scale.scaled().problem(scale.scale(new float[] {outside}), 0))
                    .as("seed %s, %s of %s to %s", seed, outside, box, scale.scaled())
                    .isNotNull();
        }
    }

    private static float[] sorted(RandomStream random) {
        float[] two = {
            (float) (random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4)),
            (float) (random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4))
        };
        Arrays.sort(two);
        return two;
    }

    @Test
    void anElementThatIsAlwaysTheSameBecomesTheLowerBound() {
        try (Environment scaled = observing(Box.of(0, 0, 1)).scaleObservation(-1, 1)) {
            assertThat(scaled.reset(1)).containsExactly(-1);
            assertThat(scaled.step(ANY).observation()[0]).isInfinite();
        }
    }

    @Test
    void whatHasNoBoundsCannotBeScaled() {
        rejected(
                () -> observing(new Discrete(4)).scaleObservation(-1, 1),
                "scaleObservation needs a Box, but the environment has Discrete(4)");
        rejected(
                () -> observing(Box.unbounded(2)).scaleObservation(-1, 1),
                "scaleObservation needs finite bounds of the environment, but was -Infinity and Infinity at element 0");
        rejected(
                () -> counter().scaleObservation(1, 1),
                "scaleObservation low and high must be finite with low < high, but was 1.0 and 1.0");
        rejected(
                () -> counter().scaleObservation(0, Float.POSITIVE_INFINITY),
                "scaleObservation low and high must be finite with low < high, but was 0.0 and Infinity");
        rejected(() -> counter().scaleAction(-1, 1), "scaleAction needs a Box, but the environment has Discrete(3)");
    }

    @Test
    void observationsAreMapped() {
        try (Environment mapped =
                counter().mapObservation(new MultiDiscrete(5, 2), seen -> new float[] {seen[0], seen[0] % 2})) {
            assertThat(mapped.observationSpace()).isEqualTo(new MultiDiscrete(5, 2));
            assertThat(mapped.reset(1)).containsExactly(0, 0);
            assertThat(mapped.step(ANY).observation()).containsExactly(1, 1);
        }
    }

    @Test
    void actionsAreScaledToTheBoundsOfTheEnvironment() {
        List<float[]> taken = new ArrayList<>();
        Box valves = new Box(new int[] {2}, new float[] {0, -5}, new float[] {500, 15});
        Environment plant = new Counter(Box.of(0, 4, 1), valves) {
            @Override
            public Step step(Action action) {
                taken.add(action.toArray());
                return super.step(action);
            }
        };
        try (Environment scaled = EnvironmentWrapper.of(plant).scaleAction(-1, 1)) {
            assertThat(scaled.actionSpace()).isEqualTo(Box.of(-1, 1, 2));
            scaled.reset(1);
            scaled.step(Action.wrap(new float[] {-1, 1}));
            scaled.step(Action.wrap(new float[] {0.5f, 0}));
        }
        assertThat(taken).containsExactly(new float[] {0, 15}, new float[] {375, 5});
    }

    @Test
    void aMaskComesFromAFunction() {
        Counter counter = new Counter();
        try (Environment masked = EnvironmentWrapper.of(counter)
                .maskActions(() -> new boolean[] {true, counter.count % 2 == 0, counter.count > 1})) {
            masked.reset(1);
            assertThat(masked.actionMask()).containsExactly(true, true, false);
            masked.step(ANY);
            assertThat(masked.actionMask()).containsExactly(true, false, false);
        }
    }

    @Test
    void twoMasksBothHold() {
        boolean[] outer = {true, true, false};
        try (Environment masked = EnvironmentWrapper.of(new Corridor() {
                    @Override
                    public boolean[] actionMask() {
                        return new boolean[] {false, true, true};
                    }
                })
                .maskActions(() -> outer)) {
            masked.reset(1);
            assertThat(masked.actionMask()).containsExactly(false, true, false);
            assertThat(outer).containsExactly(true, true, false);
        }
    }

    @Test
    void numbersCannotBeMasked() {
        rejected(
                () -> EnvironmentWrapper.of(new Counter(Box.of(0, 4, 1), Box.of(-1, 1, 1)))
                        .maskActions(() -> new boolean[2]),
                "maskActions can't mask numbers, but the action space was Box(-1.0..1.0, [1])");
    }

    @Test
    void monitorReportsEveryEpisode() {
        AtomicLong clock = new AtomicLong();
        List<Episode> episodes = new ArrayList<>();
        try (Environment monitored =
                new Monitor(counter().timeLimit(3), episodes::add, () -> clock.addAndGet(500_000_000))) {
            for (int episode = 0; episode < 2; episode++) {
                monitored.reset(1);
                monitored.step(ANY);
                monitored.step(ANY);
                assertThat(episodes).hasSize(episode);
                monitored.step(ANY);
            }
        }
        assertThat(episodes).containsExactly(new Episode(6, 3, 0.5), new Episode(6, 3, 0.5));
    }

    @Test
    void monitorGoesOnFromASavedState() {
        List<Episode> episodes = new ArrayList<>();
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE);
        try (Environment whole = new Monitor(new Corridor(), episodes::add, () -> 0);
                Environment resumed = new Monitor(new Corridor(), episodes::add, clock::incrementAndGet)) {
            whole.reset(5);
            whole.step(Action.of(1));
            byte[] state = whole.saveState();
            resumed.restoreState(state);
            // Equal runs have equal states, so the time is no part of them.
            assertThat(resumed.saveState()).isEqualTo(state);
            while (!whole.step(Action.of(1)).done()) {
                resumed.step(Action.of(1));
            }
            resumed.step(Action.of(1));
        }
        assertThat(episodes).hasSize(2);
        assertThat(episodes.get(1).episodeReturn()).isEqualTo(episodes.get(0).episodeReturn());
        assertThat(episodes.get(1).length()).isEqualTo(episodes.get(0).length());
        assertThat(episodes.get(1).seconds()).isEqualTo(1e-9);
    }
}
