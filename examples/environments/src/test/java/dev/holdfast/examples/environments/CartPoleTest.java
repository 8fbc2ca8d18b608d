package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class CartPoleTest {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private static JsonNode golden() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(CartPoleTest.class.getResourceAsStream("/golden/env_cartpole.json"))) {
            return JSON.readTree(in);
        }
    }

    /** The traces go on after an episode's end, so that they prove the equations at large angles too. */
    @TestFactory
    List<DynamicTest> followsGymnasium() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode trace : golden().get("traces")) {
            tests.add(DynamicTest.dynamicTest(trace.get("name").asText(), () -> follow(trace)));
        }
        assertThat(tests).hasSize(5);
        return tests;
    }

    private static void follow(JsonNode trace) {
        CartPole cartPole = new CartPole(trace.get("max_episode_steps").asInt());
        cartPole.restoreState(state(trace.get("initial_state")));
        boolean over = false;
        for (JsonNode expected : trace.get("steps")) {
            Step step = cartPole.step(Action.of(expected.get("action").asInt()));
            ByteBuffer state = ByteBuffer.wrap(cartPole.saveState());
            for (int i = 0; i < 4; i++) {
                double reference = expected.get("state").get(i).asDouble();
                assertThat(state.getDouble()).isCloseTo(reference, within(1e-12 * (1 + Math.abs(reference))));
                float observed = (float) expected.get("obs").get(i).asDouble();
                assertThat(step.observation()[i]).isCloseTo(observed, within(Math.ulp(observed)));
            }
            assertThat(step.terminated()).isEqualTo(expected.get("terminated").asBoolean());
            assertThat(step.truncated()).isEqualTo(expected.get("truncated").asBoolean());
            if (!over) {
                assertThat(step.reward()).isEqualTo(expected.get("reward").asDouble());
                assertThat(cartPole.observationSpace().problem(step.observation(), 0))
                        .isNull();
            }
            over |= step.done();
        }
    }

    private static byte[] state(JsonNode numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(36);
        numbers.forEach(number -> buffer.putDouble(number.asDouble()));
        return buffer.putInt(0).array();
    }

    @Test
    void hasGymnasiumsSpaces() throws IOException {
        JsonNode meta = golden().get("meta");
        CartPole cartPole = new CartPole(500);

        Box box = (Box) cartPole.observationSpace();
        for (int i = 0; i < 4; i++) {
            assertThat(box.low()[i])
                    .isEqualTo((float) meta.get("obs_low").get(i).asDouble());
            assertThat(box.high()[i])
                    .isEqualTo((float) meta.get("obs_high").get(i).asDouble());
        }
        assertThat(box.shape()).containsExactly(4);
        assertThat(cartPole.actionSpace()).isEqualTo(new Discrete(2));
        assertThat(cartPole.actionMask()).isNull();
    }

    @Test
    void startsUniformlyAroundZero() {
        CartPole cartPole = new CartPole(500);
        double[] sum = new double[4];
        double[] squares = new double[4];
        int episodes = 20_000;
        for (int seed = 0; seed < episodes; seed++) {
            float[] observation = cartPole.reset(seed);
            for (int i = 0; i < 4; i++) {
                assertThat(observation[i]).isBetween(-0.05f, 0.05f);
                sum[i] += observation[i];
                squares[i] += observation[i] * observation[i];
            }
        }
        // A uniform number in ±0.05 has variance 0.1² / 12; its mean over the episodes deviates by 0.0002.
        for (int i = 0; i < 4; i++) {
            assertThat(sum[i] / episodes).isCloseTo(0, within(0.001));
            assertThat(squares[i] / episodes).isCloseTo(0.01 / 12, within(2e-5));
        }
    }

    @Test
    void sameSeedSameStart() {
        CartPole cartPole = new CartPole(500);
        float[] first = cartPole.reset(7);
        assertThat(cartPole.reset(8)).isNotEqualTo(first);
        assertThat(cartPole.reset(7)).isEqualTo(first);
    }

    @Test
    void truncatesAtTheLimitAndCountsFromReset() {
        CartPole cartPole = new CartPole(3);
        for (int episode = 0; episode < 2; episode++) {
            cartPole.reset(episode);
            assertThat(cartPole.step(Action.of(0)).done()).isFalse();
            assertThat(cartPole.step(Action.of(1)).done()).isFalse();
            Step last = cartPole.step(Action.of(0));
            assertThat(last.truncated()).isTrue();
            assertThat(last.terminated()).isFalse();
        }
    }

    @Test
    void observationsAreValidToTheEnd() {
        CartPole cartPole = new CartPole(500);
        RandomStream actions = new RandomStream(1);
        for (int episode = 0; episode < 500; episode++) {
            assertThat(cartPole.observationSpace().problem(cartPole.reset(episode), 0))
                    .isNull();
            // Half the episodes push one way only: the fastest ends there are.
            Step step;
            do {
                step = cartPole.step(Action.of(episode % 2 == 0 ? actions.nextInt(2) : 1));
                assertThat(cartPole.observationSpace().problem(step.observation(), 0))
                        .isNull();
                assertThat(step.reward()).isEqualTo(1);
            } while (!step.done());
            assertThat(step.terminated()).isTrue();
        }
    }

    @Test
    void goesOnFromASavedStateBitForBit() {
        CartPole saved = new CartPole(25);
        saved.reset(3);
        for (int i = 0; i < 10; i++) {
            saved.step(Action.of(i % 2));
        }
        CartPole restored = new CartPole(25);
        restored.restoreState(saved.saveState());
        for (int i = 10; i < 25; i++) {
            Step expected = saved.step(Action.of(i % 2));
            Step step = restored.step(Action.of(i % 2));
            assertThat(step.observation()).isEqualTo(expected.observation());
            assertThat(step.truncated()).isEqualTo(expected.truncated()).isEqualTo(i == 24);
            assertThat(restored.saveState()).isEqualTo(saved.saveState());
        }
        assertThat(restored.reset(5)).isEqualTo(saved.reset(5));
    }

    @Test
    void refusesAStateOfAnotherLength() {
        assertThatThrownBy(() -> new CartPole(500).restoreState(new byte[12]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a saved state of this CartPole-v1 must have 36 bytes, but had 12");
    }
}
