package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.examples.environments.TabularEnvironment.Outcome;
import java.util.Map;
import java.util.TreeMap;

/** Compares tabular environments with golden tables. */
final class Tables {
    private Tables() {}

    static void assertStart(TabularEnvironment environment, JsonNode distribution) {
        assertThat(distribution).hasSize(environment.observationSpace().n());
        for (int state = 0; state < distribution.size(); state++) {
            assertThat(environment.startProbability(state))
                    .isCloseTo(distribution.get(state).asDouble(), within(1e-15));
        }
    }

    /** Compares with {@code P[state][action] = list of [probability, next state, reward, terminated]}, in any order. */
    static void assertOutcomes(TabularEnvironment environment, JsonNode table) {
        assertThat(table).hasSize(environment.observationSpace().n());
        for (int state = 0; state < table.size(); state++) {
            assertThat(table.get(state)).hasSize(environment.actionSpace().n());
            for (int action = 0; action < table.get(state).size(); action++) {
                Map<String, Double> expected = new TreeMap<>();
                for (JsonNode outcome : table.get(state).get(action)) {
                    String way = way(
                            outcome.get(1).asInt(),
                            outcome.get(2).asDouble(),
                            outcome.get(3).asInt() == 1);
                    expected.merge(way, outcome.get(0).asDouble(), Double::sum);
                }
                Map<String, Double> actual = new TreeMap<>();
                for (Outcome outcome : environment.outcomes(state, action)) {
                    String way = way(outcome.state(), outcome.reward(), outcome.terminated());
                    actual.merge(way, outcome.probability(), Double::sum);
                }
                assertThat(actual.keySet())
                        .as("state %d, action %d", state, action)
                        .isEqualTo(expected.keySet());
                actual.forEach((way, probability) ->
                        assertThat(probability).as(way).isCloseTo(expected.get(way), within(1e-15)));
            }
        }
    }

    private static String way(int state, double reward, boolean terminated) {
        return "to " + state + ", reward " + reward + (terminated ? ", the end" : "");
    }
}
