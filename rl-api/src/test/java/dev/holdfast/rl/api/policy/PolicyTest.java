package dev.holdfast.rl.api.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyTest {
    /** Logits (or means) and value are linear in the observation: no hidden layers. */
    private static Policy linear(NetworkSpec spec, float... weights) {
        return new Policy(spec, new ParameterLayout(spec).split(weights), null);
    }

    private static NetworkSpec spec(dev.holdfast.rl.api.space.Space actions, boolean masked) {
        return NetworkSpec.of(Box.of(-10, 10, 2), actions, masked, Activation.TANH);
    }

    @Test
    void actsAndEstimatesValues() {
        // logits (x0, x1 + 0.5), value 2 x0 - x1 + 3
        Policy policy = linear(spec(new Discrete(2), false), 1, 0, 0, 1, 0, 0.5f, 2, -1, 3);
        assertThat(policy.act(new float[] {1, 0}).index()).isZero();
        assertThat(policy.act(new float[] {1, 1}).index()).isEqualTo(1);
        assertThat(policy.value(new float[] {1, 4})).isEqualTo(1f);
    }

    @Test
    void samplesWhereAskedTo() {
        Policy policy = linear(spec(new Discrete(2), false), 0, 0, 0, 0, 0, (float) Math.log(3), 0, 0, 0);
        RandomStream random = new RandomStream(1);
        int ones = 0;
        for (int i = 0; i < 10_000; i++) {
            ones += policy.act(new float[2], null, random).index();
        }
        // Five standard deviations
        assertThat(ones).isCloseTo(7500, within(217));
    }

    @Test
    void keepsABoxActionWithinItsBounds() {
        Box actions = new Box(new int[] {2}, new float[] {-1, 0}, new float[] {1, 3});
        // log_std, means (5 x0, 5 x1), value
        Policy policy = linear(spec(actions, false), 0, 0, 5, 0, 0, 5, 0, 0, 0, 0, 0);
        assertThat(policy.act(new float[] {0.1f, 0.2f}).toArray()).containsExactly(0.5f, 1f);
        assertThat(policy.act(new float[] {2, 2}).toArray()).containsExactly(1f, 3f);
        assertThat(policy.act(new float[] {-2, -2}).toArray()).containsExactly(-1f, 0f);
    }

    @Test
    void obeysTheMask() {
        NetworkSpec spec = spec(new MultiDiscrete(2, 3), true);
        float[] weights = new float[new ParameterLayout(spec).size()];
        System.arraycopy(new float[] {0, 1, 0, 1, 2}, 0, weights, 10, 5);
        Policy policy = linear(spec, weights);
        boolean[] mask = {true, false, true, true, false};
        assertThat(policy.act(new float[2], mask, null).toArray()).containsExactly(0f, 1f);
        RandomStream random = new RandomStream(1);
        for (int i = 0; i < 1000; i++) {
            float[] action = policy.act(new float[2], mask, random).toArray();
            assertThat(action[0]).isZero();
            assertThat(action[1]).isLessThan(2);
        }
    }

    @Test
    void normalisesObservations() {
        NetworkSpec spec = spec(new Discrete(2), false);
        ObservationNormalizer normalizer = new ObservationNormalizer(new double[] {1, 0}, new double[] {4, 1}, 0, 1.5);
        Policy policy =
                new Policy(spec, new ParameterLayout(spec).split(new float[] {0, 0, 0, 0, 0, 0, 1, 10, 0}), normalizer);
        // (2 - 1) / 2 and 0.25; then 9 / 1 clipped to 1.5
        assertThat(policy.value(new float[] {2, 0.25f})).isEqualTo(3f);
        assertThat(policy.value(new float[] {1, 9})).isEqualTo(15f);
    }

    @Test
    void givesFeatures() {
        NetworkSpec spec = spec(new Discrete(2), false);
        ObservationNormalizer normalizer = new ObservationNormalizer(new double[] {1, 0}, new double[] {4, 1}, 0, 1.5);
        Policy normalized = new Policy(spec, new ParameterLayout(spec).split(new float[9]), normalizer);
        assertThat(normalized.normalizer()).isSameAs(normalizer);
        assertThat(normalized.features(new float[] {2, 9})).containsExactly(0.5f, 1.5f);
        assertThatThrownBy(() -> normalized.features(new float[] {11, 0})).hasMessageContaining("but was 11.0");

        NetworkSpec indices = NetworkSpec.of(new MultiDiscrete(2, 3), new Discrete(2), false, Activation.TANH);
        Policy oneHot = linear(indices, new float[new ParameterLayout(indices).size()]);
        assertThat(oneHot.features(new float[] {1, 2})).containsExactly(0, 1, 0, 0, 1);
    }

    @Test
    void makesAnActionOfGivenOutputs() {
        Policy masked = linear(spec(new MultiDiscrete(2, 3), true), new float[10 + 5 + 3]);
        float[] outputs = {0, 1, 0, 1, 2};
        assertThat(masked.mostProbable(outputs, new boolean[] {true, false, true, true, false})
                        .toArray())
                .containsExactly(0f, 1f);
        assertThatThrownBy(() -> masked.mostProbable(outputs, null))
                .hasMessage("the policy was trained with action masks: it needs one");
        assertThatThrownBy(() -> masked.mostProbable(new float[4], new boolean[5]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the action head has 5 outputs, but 4 were given");

        Policy bounded = linear(spec(Box.of(-1, 1, 2), false), new float[2 + 6 + 3]);
        assertThat(bounded.mostProbable(new float[] {0.5f, 7}, null).toArray()).containsExactly(0.5f, 1f);
    }

    @Test
    void givesItsWeights() {
        NetworkSpec spec = spec(new Discrete(2), false);
        List<Tensor> weights = new ParameterLayout(spec).split(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        assertThat(new Policy(spec, weights, null).weights()).isEqualTo(weights);
    }

    @Test
    void givesAnotherThreadAPolicyOfItsOwn() {
        Policy policy = linear(spec(new Discrete(2), false), 1, 0, 0, 1, 0, 0, 0, 0, 7);
        Policy copy = policy.copy();
        assertThat(copy).isNotSameAs(policy);
        assertThat(copy.network()).isEqualTo(policy.network());
        assertThat(copy.value(new float[2])).isEqualTo(7f);
        assertThat(copy.act(new float[] {0, 1}).index()).isEqualTo(1);
    }

    @Test
    void returnedActionsAreIndependent() {
        Policy policy = linear(spec(new Discrete(2), false), 1, 0, 0, 1, 0, 0, 0, 0, 0);
        var first = policy.act(new float[] {1, 0});
        var second = policy.act(new float[] {0, 1});
        assertThat(first.index()).isZero();
        assertThat(second.index()).isEqualTo(1);
    }

    @Test
    void refusesWhatIsNotAnObservation() {
        Policy policy = linear(spec(new Discrete(2), false), new float[9]);
        assertThatThrownBy(() -> policy.act(new float[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have 2 elements, but has 3");
        assertThatThrownBy(() -> policy.act(new float[] {0, Float.NaN}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("element 1 is NaN");
        assertThatThrownBy(() -> policy.value(new float[] {11, 0}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("element 0 must be in [-10.0, 10.0], but was 11.0");
    }

    @Test
    void refusesAMaskThatDoesNotFit() {
        Policy plain = linear(spec(new Discrete(2), false), new float[9]);
        assertThatThrownBy(() -> plain.act(new float[2], new boolean[2], null))
                .hasMessage("the policy was trained without action masks: it takes none");
        NetworkSpec spec = spec(new MultiDiscrete(2, 3), true);
        Policy masked = linear(spec, new float[new ParameterLayout(spec).size()]);
        assertThatThrownBy(() -> masked.act(new float[2]))
                .hasMessage("the policy was trained with action masks: it needs one");
        assertThatThrownBy(() -> masked.act(new float[2], new boolean[4], null))
                .hasMessage("the action mask must have 5 elements, but has 4");
        assertThatThrownBy(() -> masked.act(new float[2], new boolean[] {true, true, false, false, false}, null))
                .hasMessage("the action mask leaves no valid action in branch 1");
        Policy dependent = linear(spec(new ConditionalDiscrete(new MultiDiscrete(2, 1), -1, 0), true), new float[15]);
        assertThatThrownBy(() -> dependent.act(new float[2], new boolean[] {true, true, true, false}, null))
                .hasMessage("the action mask leaves no valid action in branch 1 after choice 1 in branch 0");
    }

    @Test
    void refusesWeightsThatDoNotFit() {
        NetworkSpec spec = spec(new Discrete(2), false);
        List<Tensor> weights = new ParameterLayout(spec).split(new float[9]);
        assertThatThrownBy(() -> new Policy(spec, weights.subList(1, 4), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parameter action_net.weight is missing");
    }
}
