package dev.holdfast.rl.backend.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.testing.LearnerCase;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NetworkTest {
    static List<LearnerCase> cases() {
        return LearnerCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void keepsEveryParameterInAPlaceOfItsOwn(LearnerCase learnerCase) {
        int size = new ParameterLayout(learnerCase.spec()).size();
        float[] torch = new float[size];
        for (int i = 0; i < size; i++) {
            torch[i] = i + 1;
        }
        Network network = new Network(learnerCase.spec());
        assertThat(network.size()).isEqualTo(size);
        float[] own = new float[size];
        network.load(torch, FloatBuffer.wrap(own));
        float[] sorted = own.clone();
        Arrays.sort(sorted);
        assertThat(sorted).isEqualTo(torch);

        float[] back = new float[size];
        network.store(FloatBuffer.wrap(own), back);
        assertThat(back).isEqualTo(torch);
    }
}
