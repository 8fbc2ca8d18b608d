package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What each {@link DynamicalSystem} must do; its golden file says what Gymnasium's does. */
abstract class DynamicalSystemTest {
    private final String golden;
    private final int traces;
    private final double[] startLow;
    private final double[] startHigh;

    /**
     * Creates a test.
     *
     * @param golden the name of the golden file
     * @param traces how many it holds
     * @param startLow the least that each state variable can be at the start
     * @param startHigh the most
     */
    DynamicalSystemTest(String golden, int traces, double[] startLow, double[] startHigh) {
        this.golden = golden;
        this.traces = traces;
        this.startLow = startLow;
        this.startHigh = startHigh;
    }

    abstract DynamicalSystem create(int maxSteps);

    /** Returns by how much a state may differ from a golden one, which it is as large as. */
    double tolerance() {
        return 1e-12;
    }

    /** The traces go on after an episode's end, so that they prove the equations in states that are rare before it too. */
    @TestFactory
    List<DynamicTest> followsGymnasium() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode trace : Golden.read(golden).get("traces")) {
            tests.add(DynamicTest.dynamicTest(trace.get("name").asText(), () -> follow(trace)));
        }
        assertThat(tests).hasSize(traces);
        return tests;
    }

    private void follow(JsonNode trace) {
        DynamicalSystem system = create(trace.get("max_episode_steps").asInt());
        system.restoreState(saved(trace.get("initial_state")));
        boolean over = false;
        for (JsonNode expected : trace.get("steps")) {
            Step step = system.step(action(expected.get("action")));
            for (int i = 0; i < system.state.length; i++) {
                close(system.state[i], expected.get("state").get(i).asDouble());
            }
            for (int i = 0; i < step.observation().length; i++) {
                float observed = (float) expected.get("obs").get(i).asDouble();
                assertThat(step.observation()[i]).isCloseTo(observed, within(Math.ulp(observed) + (float) tolerance()));
            }
            assertThat(step.terminated()).isEqualTo(expected.get("terminated").asBoolean());
            assertThat(step.truncated()).isEqualTo(expected.get("truncated").asBoolean());
            if (!over) {
                close(step.reward(), expected.get("reward").asDouble());
                assertThat(system.observationSpace().problem(step.observation(), 0))
                        .isNull();
            }
            over |= step.done();
        }
    }

    private void close(double actual, double reference) {
        assertThat(actual).isCloseTo(reference, within(tolerance() * (1 + Math.abs(reference))));
    }

    private static Action action(JsonNode action) {
        return action.isArray()
                ? Action.wrap(new float[] {(float) action.get(0).asDouble()})
                : Action.of(action.asInt());
    }

    private static byte[] saved(JsonNode state) {
        ByteBuffer buffer = ByteBuffer.allocate(state.size() * Double.BYTES + Integer.BYTES);
        state.forEach(number -> buffer.putDouble(number.asDouble()));
        return buffer.array();
    }

    @Test
    void hasGymnasiumsSpaces() throws IOException {
        JsonNode meta = Golden.read(golden).get("meta");
        DynamicalSystem system = create(500);

        Box box = (Box) system.observationSpace();
        assertThat(box.shape()).containsExactly(meta.get("obs_low").size());
        for (int i = 0; i < box.size(); i++) {
            assertThat(box.low()[i])
                    .isEqualTo((float) meta.get("obs_low").get(i).asDouble());
            assertThat(box.high()[i])
                    .isEqualTo((float) meta.get("obs_high").get(i).asDouble());
        }
        assertThat(gymnasiumsName(system)).isEqualTo(meta.get("action_space").asText());
        assertThat(system.actionMask()).isNull();
    }

    private static String gymnasiumsName(DynamicalSystem system) {
        return system.actionSpace() instanceof Box box
                ? "Box(" + box.low()[0] + ", " + box.high()[0] + ", (1,), float32)"
                : system.actionSpace().toString();
    }

    @Test
    void startsUniformly() {
        DynamicalSystem system = create(500);
        double[] sum = new double[startLow.length];
        double[] squares = new double[startLow.length];
        int episodes = 20_000;
        for (int seed = 0; seed < episodes; seed++) {
            system.reset(seed);
            for (int i = 0; i < startLow.length; i++) {
                assertThat(system.state[i]).isBetween(startLow[i], startHigh[i]);
                double fromMiddle = system.state[i] - (startLow[i] + startHigh[i]) / 2;
                sum[i] += fromMiddle;
                squares[i] += fromMiddle * fromMiddle;
            }
        }
        for (int i = 0; i < startLow.length; i++) {
            // A number uniform in a range r has variance r² / 12; over the episodes, its mean deviates by 0.002 r, that
            // of its square by 0.0005 r².
            double range = startHigh[i] - startLow[i];
            assertThat(sum[i] / episodes).isCloseTo(0, within(0.01 * range));
            assertThat(squares[i] / episodes).isCloseTo(range * range / 12, within(0.0025 * range * range));
        }
    }

    @Test
    void sameSeedSameStart() {
        DynamicalSystem system = create(500);
        float[] first = system.reset(7);
        assertThat(system.reset(8)).isNotEqualTo(first);
        assertThat(system.reset(7)).isEqualTo(first);
    }

    @Test
    void truncatesAtTheLimitAndCountsFromReset() {
        DynamicalSystem system = create(3);
        for (int episode = 0; episode < 2; episode++) {
            system.reset(episode);
            assertThat(system.step(random(system, episode)).done()).isFalse();
            assertThat(system.step(random(system, episode)).done()).isFalse();
            Step last = system.step(random(system, episode));
            assertThat(last.truncated()).isTrue();
            assertThat(last.terminated()).isFalse();
        }
    }

    @Test
    void observationsAreValidToTheEnd() {
        DynamicalSystem system = create(200);
        for (int episode = 0; episode < 300; episode++) {
            assertThat(system.observationSpace().problem(system.reset(episode), 0))
                    .isNull();
            Step step;
            long seed = episode;
            do {
                // Half the episodes act the same way throughout, which leads farthest.
                step = system.step(random(system, episode % 2 == 0 ? seed++ : seed));
                assertThat(system.observationSpace().problem(step.observation(), 0))
                        .isNull();
            } while (!step.done());
        }
    }

    @Test
    void goesOnFromASavedStateBitForBit() {
        DynamicalSystem saved = create(25);
        saved.reset(3);
        Step expected = saved.step(random(saved, 1));
        for (int i = 1; i < 5; i++) {
            expected = saved.step(random(saved, i));
        }
        DynamicalSystem restored = create(25);
        restored.restoreState(saved.saveState());
        for (int i = 5; !expected.done(); i++) {
            expected = saved.step(random(saved, i));
            Step step = restored.step(random(saved, i));
            assertThat(step.observation()).isEqualTo(expected.observation());
            assertThat(step.reward()).isEqualTo(expected.reward());
            assertThat(step.terminated()).isEqualTo(expected.terminated());
            assertThat(step.truncated()).isEqualTo(expected.truncated()).isEqualTo(i == 24);
            assertThat(restored.saveState()).isEqualTo(saved.saveState());
        }
        assertThat(restored.reset(5)).isEqualTo(saved.reset(5));
    }

    @Test
    void refusesAStateOfAnotherLength() throws IOException {
        assertThatThrownBy(() -> create(500).restoreState(new byte[10]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a saved state of this "
                        + Golden.read(golden).get("meta").get("id").asText() + " must have " + (startLow.length * 8 + 4)
                        + " bytes, but had 10");
    }

    /** Returns an action of the system's space, the same for each seed. */
    private static Action random(DynamicalSystem system, long seed) {
        RandomStream random = new RandomStream(seed);
        return system.actionSpace() instanceof Discrete discrete
                ? Action.of(random.nextInt(discrete.n()))
                : Action.wrap(new float[] {((Box) system.actionSpace()).high()[0] * (2 * random.nextFloat() - 1)});
    }
}
