package dev.holdfast.rl.api.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.testing.Golden;
import dev.holdfast.rl.api.testing.GoldenUpdate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ParameterLayoutTest {
    private static final ParameterLayout SMALL =
            new ParameterLayout(NetworkSpec.of(Box.unbounded(2), new Discrete(3), false, Activation.TANH));

    private static List<String> goldenUpdates() {
        return GoldenUpdate.NAMES;
    }

    @ParameterizedTest
    @MethodSource("goldenUpdates")
    void hasTheNamesShapesAndOrderOfTheReferenceImplementation(String name) {
        GoldenUpdate golden = new GoldenUpdate(name);
        List<ParameterLayout.Entry> entries = new ParameterLayout(golden.spec()).entries();
        List<Tensor> expected = golden.initialState().weights();
        assertThat(entries.stream().map(ParameterLayout.Entry::name))
                .containsExactlyElementsOf(expected.stream().map(Tensor::name).toList());
        int offset = 0;
        for (int i = 0; i < entries.size(); i++) {
            assertThat(entries.get(i).shape().stream().mapToInt(d -> d).toArray())
                    .isEqualTo(expected.get(i).shape());
            assertThat(entries.get(i).offset()).isEqualTo(offset);
            offset += entries.get(i).size();
        }
        assertThat(new ParameterLayout(golden.spec()).size()).isEqualTo(offset);
    }

    @Test
    void hasTheParameterOrderOfTheReferenceImplementation() {
        JsonNode golden = Golden.load("orthogonal_init").required("policies");
        ordered(NetworkSpec.defaults(Box.unbounded(5), new Discrete(2), false), golden.get(0));
        ordered(NetworkSpec.defaults(Box.unbounded(5), Box.of(-1, 1, 2), false), golden.get(1));
    }

    private static void ordered(NetworkSpec spec, JsonNode golden) {
        List<String> expected = new ArrayList<>();
        golden.required("parameter_order").forEach(name -> expected.add(name.textValue()));
        assertThat(new ParameterLayout(spec).entries().stream().map(ParameterLayout.Entry::name))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void laysOutSharedLayersFirst() {
        NetworkSpec spec = new NetworkSpec(
                new Discrete(3),
                new MultiBinary(2),
                true,
                List.of(4, 5),
                List.of(6),
                List.of(),
                Activation.TANH,
                true,
                0);
        ParameterLayout layout = new ParameterLayout(spec);
        assertThat(layout.entries().stream().map(ParameterLayout.Entry::name))
                .containsExactly(
                        "mlp_extractor.shared_net.0.weight",
                        "mlp_extractor.shared_net.0.bias",
                        "mlp_extractor.shared_net.2.weight",
                        "mlp_extractor.shared_net.2.bias",
                        "mlp_extractor.policy_net.0.weight",
                        "mlp_extractor.policy_net.0.bias",
                        "action_net.weight",
                        "action_net.bias",
                        "value_net.weight",
                        "value_net.bias");
        assertThat(layout.shared())
                .containsExactly(
                        new ParameterLayout.Layer("mlp_extractor.shared_net.0", 3, 4, 0, 12),
                        new ParameterLayout.Layer("mlp_extractor.shared_net.2", 4, 5, 16, 36));
        assertThat(layout.policy())
                .containsExactly(new ParameterLayout.Layer("mlp_extractor.policy_net.0", 5, 6, 41, 71));
        assertThat(layout.value()).isEmpty();
        assertThat(layout.actionHead()).isEqualTo(new ParameterLayout.Layer("action_net", 6, 4, 77, 101));
        assertThat(layout.valueHead()).isEqualTo(new ParameterLayout.Layer("value_net", 5, 1, 105, 110));
        assertThat(layout.logStdOffset()).isEqualTo(-1);
        assertThat(layout.size()).isEqualTo(111);
    }

    @Test
    void splitsAndJoins() {
        float[] flat = new float[SMALL.size()];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = i;
        }
        List<Tensor> tensors = SMALL.split(flat);
        assertThat(tensors)
                .containsExactly(
                        new Tensor("action_net.weight", new int[] {3, 2}, new float[] {0, 1, 2, 3, 4, 5}),
                        new Tensor("action_net.bias", new int[] {3}, new float[] {6, 7, 8}),
                        new Tensor("value_net.weight", new int[] {1, 2}, new float[] {9, 10}),
                        new Tensor("value_net.bias", new int[] {1}, new float[] {11}));
        List<Tensor> reversed = new ArrayList<>(tensors);
        java.util.Collections.reverse(reversed);
        assertThat(SMALL.join(reversed)).isEqualTo(flat);
        tensors.get(0).floats()[0] = 99;
        assertThat(flat[0]).isZero();
    }

    @Test
    void namesTheTensorThatDoesNotFit() {
        List<Tensor> tensors = SMALL.split(new float[SMALL.size()]);
        refused(tensors.subList(0, 3), "parameter value_net.bias is missing");
        refused(with(tensors, new Tensor("log_std", new int[0], new float[1])), "the network has no parameter log_std");
        refused(with(tensors, tensors.get(1)), "parameter action_net.bias is given twice");
        refused(
                with(tensors.subList(0, 3), new Tensor("value_net.bias", new int[] {1, 1}, new float[1])),
                "parameter value_net.bias must have shape [1], but has [1, 1]");
    }

    private static List<Tensor> with(List<Tensor> tensors, Tensor another) {
        List<Tensor> more = new ArrayList<>(tensors);
        more.add(another);
        return more;
    }

    private static void refused(List<Tensor> tensors, String message) {
        assertThatThrownBy(() -> SMALL.join(tensors))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void refusesANetworkThatDoesNotFitIntoAnArray() {
        NetworkSpec spec = NetworkSpec.of(
                Box.unbounded(NetworkSpec.MAX_WIDTH), new Discrete(2), false, Activation.TANH, NetworkSpec.MAX_WIDTH);
        assertThatThrownBy(() -> new ParameterLayout(spec))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("network must have at most 2^30 parameters");
    }
}
