package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TaxiTest {
    private final JsonNode golden;

    TaxiTest() throws IOException {
        golden = Golden.read("env_taxi");
    }

    @Test
    void isGymnasiums() {
        TabularEnvironment taxi = Taxi.create(false, false, 200);

        assertThat(taxi.observationSpace().n()).isEqualTo(500);
        assertThat(taxi.actionSpace().n()).isEqualTo(6);
        assertThat(taxi.actionMask()).isNull();
        Tables.assertStart(taxi, golden.get("initial_state_distribution"));
        Tables.assertOutcomes(taxi, golden.get("P"));
    }

    @Test
    void masksAsGymnasiumDoes() {
        TabularEnvironment taxi = Taxi.create(true, false, 200);
        for (int state = 0; state < 500; state++) {
            boolean[] mask = taxi.actionMask(state);
            for (int action = 0; action < 6; action++) {
                assertThat(mask[action])
                        .as("state %d, action %d", state, action)
                        .isEqualTo(
                                golden.get("action_mask").get(state).get(action).asInt() == 1);
            }
        }
        int start = (int) taxi.reset(1)[0];
        assertThat(taxi.actionMask()).isEqualTo(taxi.actionMask(start));
        Tables.assertOutcomes(taxi, golden.get("P"));
    }

    /** In rain, a drive leads elsewhere, the same for each passenger and destination; nothing else changes. */
    @Test
    void rainsAsInGymnasium() throws IOException {
        JsonNode drives = Golden.read("env_taxi_rainy").get("drives");
        ArrayNode table = golden.get("P").deepCopy();
        for (int state = 0; state < 500; state++) {
            for (int action = 0; action < 4; action++) {
                ArrayNode outcomes = ((ArrayNode) table.get(state).get(action)).removeAll();
                for (JsonNode drive : drives.get(state / 20).get(action)) {
                    outcomes.addArray()
                            .add(drive.get(0))
                            .add(drive.get(1).asInt() * 20 + state % 20)
                            .add(-1)
                            .add(0);
                }
            }
        }
        Tables.assertOutcomes(Taxi.create(false, true, 200), table);
    }
}
