package dev.holdfast.rl.api.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkSpecTest {
    @Test
    void defaultsAreTheReferenceImplementations() {
        NetworkSpec spec = NetworkSpec.defaults(new MultiDiscrete(2, 3), new Discrete(2), true);
        assertThat(spec.sharedLayers()).isEmpty();
        assertThat(spec.policyLayers()).containsExactly(64, 64);
        assertThat(spec.valueLayers()).containsExactly(64, 64);
        assertThat(spec.activation()).isEqualTo(Activation.TANH);
        assertThat(spec.orthogonal()).isTrue();
        assertThat(spec.initialLogStd()).isZero();
        assertThat(spec.inputs()).isEqualTo(5);
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> NetworkSpec.defaults(Box.unbounded(1), Box.of(-1, 1, 1), true))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "action mask can be used with Discrete, MultiDiscrete, ConditionalDiscrete and MultiBinary actions only, but was "
                                + "Box(-1.0..1.0, [1])");
        assertThatThrownBy(() -> NetworkSpec.of(Box.unbounded(1), new Discrete(2), false, Activation.RELU, 8, 0))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("policy layers must have widths in [1, 65536], but was [8, 0]");
        assertThatThrownBy(() -> NetworkSpec.of(Box.unbounded(1), new Discrete(2), false, Activation.RELU, 65_537))
                .isInstanceOf(InvalidConfigurationException.class);
        assertThatThrownBy(() -> spec(List.of(-1), 0)).hasMessageStartingWith("shared layers must have widths");
        assertThatThrownBy(() -> spec(List.of(), Double.NaN))
                .hasMessage("log_std_init must be in [-20, 20], but was NaN");
        assertThatThrownBy(() -> spec(List.of(), 21)).hasMessage("log_std_init must be in [-20, 20], but was 21.0");
    }

    @Test
    void copiesTheLayerLists() {
        List<Integer> layers = new ArrayList<>(List.of(4));
        NetworkSpec spec = spec(layers, 0);
        layers.add(5);
        assertThat(spec.sharedLayers()).containsExactly(4);
    }

    private static NetworkSpec spec(List<Integer> shared, double logStd) {
        return new NetworkSpec(
                Box.unbounded(1), new Discrete(2), false, shared, List.of(), List.of(), Activation.TANH, true, logStd);
    }
}
