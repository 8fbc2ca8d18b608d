package dev.holdfast.rl.api.environment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActionTest {
    @Test
    void givesItsValuesInEveryForm() {
        assertThat(Action.of(3).index()).isEqualTo(3);
        Action action = Action.copyOf(new float[] {9, 1, 2.5f, 9}, 1, 2);
        assertThat(action.index(0)).isEqualTo(1);
        assertThat(action.value(1)).isEqualTo(2.5f);
        assertThat(action.toArray()).containsExactly(1, 2.5f);
        assertThat(action).hasToString("[1.0, 2.5]");
    }

    @Test
    void copiesUnlessItWraps() {
        float[] values = {1, 2};
        Action copy = Action.copyOf(values, 0, 2);
        Action view = Action.wrap(values);
        values[0] = 7;
        assertThat(copy.value(0)).isEqualTo(1f);
        assertThat(view.value(0)).isEqualTo(7f);
        view.toArray()[0] = 8;
        assertThat(view.value(0)).isEqualTo(7f);
    }

    @Test
    void aStepIsOverIfTerminatedOrTruncated() {
        assertThat(new Step(new float[1], 0, true, false).done()).isTrue();
        assertThat(new Step(new float[1], 0, false, true).done()).isTrue();
        assertThat(new Step(new float[1], 0, false, false).done()).isFalse();
    }
}
