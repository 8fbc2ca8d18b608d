package dev.holdfast.rl.backend.java;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private final NetworkSpec spec = new NetworkSpec(
            Box.unbounded(3), Box.of(-1, 1, 2), false, List.of(2), List.of(), List.of(33), Activation.TANH, true, 0);
    private final Network network = new Network(spec);

    @Test
    void putsEachLayerBehindTheOneItReads() {
        List<Network.Layer> layers = network.layers();
        assertThat(layers)
                .extracting(Network.Layer::role)
                .containsExactly(
                        Network.Role.HIDDEN, Network.Role.ACTION_HEAD, Network.Role.HIDDEN, Network.Role.VALUE_HEAD);
        assertThat(layers)
                .extracting(Network.Layer::input)
                .containsExactly(null, layers.get(0), layers.get(0), layers.get(2));
        // Of the two that read the shared layer, the first one finds the other's gradient when it goes backwards.
        assertThat(layers).extracting(Network.Layer::joins).containsExactly(false, true, false, false);
        assertThat(layers).extracting(Network.Layer::narrow).containsExactly(false, true, false, true);
        assertThat(layers).extracting(Network.Layer::width).containsExactly(32, 2, 64, 1);
        assertThat(layers).extracting(Network.Layer::inWidth).containsExactly(3, 32, 32, 64);
    }

    @Test
    void keepsWeightsInRowsPerInputAndPaddingZero() {
        float[] torch = new float[network.layout().size()];
        for (int i = 0; i < torch.length; i++) {
            torch[i] = i + 1;
        }
        float[] own = new float[network.size()];
        network.load(torch, own);

        assertThat(own[network.logStd()]).isEqualTo(1);
        assertThat(own[network.logStd() + 1]).isEqualTo(2);
        // The first layer: weights [2, 3] from 3 on, then biases 9 and 10.
        Network.Layer first = network.layers().get(0);
        for (int i = 0; i < 3; i++) {
            assertThat(own[first.weights() + i * 32]).isEqualTo(3 + i);
            assertThat(own[first.weights() + i * 32 + 1]).isEqualTo(6 + i);
            assertThat(own[first.weights() + i * 32 + 2]).isZero();
        }
        assertThat(own[first.bias()]).isEqualTo(9);
        assertThat(own[first.bias() + 1]).isEqualTo(10);
        int zeros = 0;
        for (float number : own) {
            zeros += number == 0 ? 1 : 0;
        }
        assertThat(zeros).isEqualTo(own.length - torch.length);

        float[] back = new float[torch.length];
        network.store(own, back);
        assertThat(back).isEqualTo(torch);
    }
}
