package dev.holdfast.training.runtime.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
    private static List<Space> spaces() {
        return List.of(
                new Box(new int[] {1, 2}, new float[] {-1, Float.NEGATIVE_INFINITY}, new float[] {0, 3}),
                new Discrete(7),
                new MultiDiscrete(2, 1, 3),
                new ConditionalDiscrete(new MultiDiscrete(2, 1, 3), -1, 0, 0),
                new MultiBinary(4));
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void aSpaceArrivesAsItWas(Space space) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Wire.writeSpace(new DataOutputStream(bytes), space);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        assertThat(Wire.readSpace(in)).isEqualTo(space);
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void anUnknownSpaceIsRefused() {
        assertThatThrownBy(() -> Wire.readSpace(new DataInputStream(new ByteArrayInputStream(new byte[] {'x'}))))
                .isInstanceOf(IOException.class)
                .hasMessage("a space's type must be B, D, M, C or b, but was 120");
    }
}
