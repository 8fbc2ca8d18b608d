package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrozenLakeTest {
    @ParameterizedTest
    @CsvSource({"4x4, true, 16", "4x4, false, 16", "8x8, true, 64", "8x8, false, 64"})
    void isGymnasiums(String map, boolean slippery, int states) throws IOException {
        JsonNode golden =
                Golden.read("env_frozenlake").get("maps").get(map + " slippery=" + (slippery ? "True" : "False"));
        TabularEnvironment lake = FrozenLake.create(map, slippery, 100);

        assertThat(lake.observationSpace().n()).isEqualTo(states);
        assertThat(lake.actionSpace().n()).isEqualTo(4);
        assertThat(lake.actionMask()).isNull();
        Tables.assertStart(lake, golden.get("initial_state_distribution"));
        Tables.assertOutcomes(lake, golden.get("P"));
    }
}
