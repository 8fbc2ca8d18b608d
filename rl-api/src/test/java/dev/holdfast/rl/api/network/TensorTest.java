package dev.holdfast.rl.api.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TensorTest {
    @Test
    void holdsEveryKindOfNumber() {
        assertThat(new Tensor("a", new int[] {2}, new float[] {1, 2}).floats()).containsExactly(1, 2);
        assertThat(new Tensor("a", new int[] {1, 2}, new double[] {1, 2}).doubles())
                .containsExactly(1, 2);
        assertThat(new Tensor("a", new int[] {2}, new int[] {1, 2}).ints()).containsExactly(1, 2);
        assertThat(new Tensor("a", new int[] {2}, new long[] {1, 2}).longs()).containsExactly(1, 2);
        assertThat(new Tensor("a", new int[0], new boolean[] {true}).booleans()).containsExactly(true);
    }

    @Test
    void refusesDataThatDoNotFit() {
        assertThatThrownBy(() -> new Tensor("a", new int[] {2, 3}, new float[5]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tensor a of shape [2, 3] needs 6 elements, but has 5");
        assertThatThrownBy(() -> new Tensor("a", new int[] {1}, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a tensor can't hold String");
        assertThatThrownBy(() -> new Tensor("a", new int[] {1}, new float[1]).doubles())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("tensor a must hold double[], but holds float[]");
    }

    @Test
    void isEqualToOneWithTheSameContent() {
        Tensor tensor = new Tensor("a", new int[] {2}, new float[] {1, 2});
        assertThat(tensor).isEqualTo(new Tensor("a", new int[] {2}, new float[] {1, 2}));
        assertThat(tensor).hasSameHashCodeAs(new Tensor("a", new int[] {2}, new float[] {1, 2}));
        assertThat(tensor).isNotEqualTo(new Tensor("b", new int[] {2}, new float[] {1, 2}));
        assertThat(tensor).isNotEqualTo(new Tensor("a", new int[] {2, 1}, new float[] {1, 2}));
        assertThat(tensor).isNotEqualTo(new Tensor("a", new int[] {2}, new float[] {1, 3}));
        assertThat(tensor).isNotEqualTo(new Tensor("a", new int[] {2}, new double[] {1, 2}));
        assertThat(tensor).hasToString("a[2]:float[]");
    }
}
