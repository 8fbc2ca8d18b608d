package dev.holdfast.rl.backend.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * That the programs compute the right numbers is what the conformance tests see; here, that they do no more than is
 * needed.
 */
class NetworkScriptTest {
    private static List<String> body(String source, String method) {
        return source.lines()
                .dropWhile(line -> !line.startsWith("  def " + method + "("))
                .skip(1)
                .takeWhile(line -> !line.isBlank())
                .map(String::strip)
                .toList();
    }

    private static String source(NetworkSpec spec, boolean staged) {
        return new NetworkScript(new Network(spec), spec.activation(), staged).source();
    }

    private static NetworkSpec spec(
            Space actions, List<Integer> shared, List<Integer> policy, List<Integer> value, Activation activation) {
        return new NetworkSpec(Box.unbounded(4), actions, false, shared, policy, value, activation, true, 0);
    }

    @Test
    void computesBothFirstLayersAtOnceAndActivatesBothSidesAtOnce() {
        String source = source(NetworkSpec.defaults(Box.unbounded(4), new Discrete(2), false), false);
        assertThat(body(source, "forward"))
                .containsExactly(
                        "torch.addmm(self.h0, self.features_1, self.first_transposed, beta=0, alpha=2, out=self.h0)",
                        "torch.sigmoid_(self.h0)",
                        "torch.add(self.minus_one, self.h0, alpha=2, out=self.h0)",
                        "torch.addmm(self.h1_value, self.h0_value_1, self.value1_transposed, beta=0, alpha=2,"
                                + " out=self.h1_value)",
                        "torch.addmm(self.h1_policy, self.h0_policy_1, self.policy1_transposed, beta=0, alpha=2,"
                                + " out=self.h1_policy)",
                        "torch.sigmoid_(self.h1)",
                        "torch.add(self.minus_one, self.h1, alpha=2, out=self.h1)",
                        "torch.mm(self.h1_policy_1, self.action_head_transposed, out=self.outputs)",
                        "torch.mm(self.h1_value_1, self.value_head_transposed, out=self.values)",
                        "return None");
        assertThat(body(source, "step"))
                .filteredOn(line -> line.contains("tanh_backward"))
                .hasSize(2);
    }

    @Test
    void hasNothingButTheHeadsIfThereAreNoHiddenLayers() {
        String source = source(spec(new Discrete(3), List.of(), List.of(), List.of(), Activation.TANH), false);
        assertThat(body(source, "forward"))
                .containsExactly(
                        "torch.mm(self.features_1, self.action_head_transposed, out=self.outputs)",
                        "torch.mm(self.features_1, self.value_head_transposed, out=self.values)",
                        "return None");
        assertThat(source).doesNotContain("self.work, [").doesNotContain("_backward");
    }

    @Test
    void addsUpTheGradientsOfThoseThatReadASharedLayer() {
        String source = source(spec(new Discrete(3), List.of(7), List.of(5), List.of(), Activation.RELU), false);
        assertThat(body(source, "step"))
                .containsSubsequence(
                        "torch.mm(self.d_values, self.value_head_weights, out=self.d0_policy)",
                        "torch.threshold_backward(self.d1, self.h1, 0, grad_input=self.d1)",
                        "torch.addmm(self.d0_policy, self.d1_policy, self.policy0_weights, out=self.d0_policy)",
                        "torch.threshold_backward(self.d0, self.h0, 0, grad_input=self.d0)",
                        "torch.mm(self.d0_policy_transposed, self.features_1, out=self.shared0_gradient)");
    }

    @Test
    void letsTheDeeperSideGoOnAlone() {
        String source = source(spec(new Discrete(3), List.of(), List.of(8), List.of(4, 6), Activation.RELU), false);
        assertThat(body(source, "forward"))
                .containsExactly(
                        "torch.mm(self.features_1, self.first_transposed, out=self.h0)",
                        "torch.relu_(self.h0)",
                        "torch.mm(self.h0_value_1, self.value1_transposed, out=self.h1_value)",
                        "torch.relu_(self.h1)",
                        "torch.mm(self.h0_policy_1, self.action_head_transposed, out=self.outputs)",
                        "torch.mm(self.h1_value_1, self.value_head_transposed, out=self.values)",
                        "return None");
    }

    @Test
    void copiesBetweenHostAndDeviceThreeTimesIfTheyDiffer() {
        NetworkSpec spec = spec(Box.of(-1, 1, 2), List.of(), List.of(), List.of(), Activation.TANH);
        assertThat(body(source(spec, true), "forward"))
                .startsWith("torch.copy_(self.features, self.host_features)")
                .containsSubsequence(
                        "torch.copy_(self.log_std, self.log_std_of_theta)",
                        "torch.copy_(self.host_results, self.results)");
        assertThat(body(source(spec, true), "step"))
                .startsWith(
                        "torch.copy_(self.d_results, self.host_d_results)",
                        "torch.copy_(self.log_std_of_gradient, self.d_log_std)");
        assertThat(source(spec, false)).doesNotContain("host_results").doesNotContain("host_features");
    }
}
