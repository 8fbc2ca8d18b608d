package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlopsTest {
    @Test
    void countsOperations() {
        NetworkSpec network = new NetworkSpec(
                Box.unbounded(4),
                new Discrete(2),
                false,
                List.of(),
                List.of(3, 5),
                List.of(7),
                Activation.TANH,
                true,
                0);

        // Products of 4x3, 3x5 and 5x2 for the policy, 4x7 and 7x1 for the value; the first ones have no gradient of
        // inputs.
        long weights = 12 + 15 + 10 + 28 + 7;
        assertThat(Flops.ofUpdate(new ParameterLayout(network))).isEqualTo(6 * weights - 2 * (12 + 28));
    }
}
