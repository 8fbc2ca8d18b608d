package dev.holdfast.rl.api.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReferencePpoTest {
    private static List<LearnerCase> cases() {
        return LearnerCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theGradientIsTheCentralDifferenceOfTheLoss(LearnerCase learnerCase) {
        float[] weights = learnerCase.weights(7);
        double[] parameters = LearnerCase.doubles(weights);
        RandomStream random = new RandomStream(1);
        for (int size : new int[] {1, 5}) {
            MiniBatch batch = learnerCase.batch(size, weights, size);
            double[] gradient = ReferencePpo.evaluate(learnerCase.spec(), parameters, batch, learnerCase.settings())
                    .gradient();
            for (int draw = 0; draw < 40; draw++) {
                int i = random.nextInt(parameters.length);
                double h = 1e-6;
                double before = parameters[i];
                parameters[i] = before + h;
                double above = ReferencePpo.evaluate(learnerCase.spec(), parameters, batch, learnerCase.settings())
                        .loss();
                parameters[i] = before - h;
                double below = ReferencePpo.evaluate(learnerCase.spec(), parameters, batch, learnerCase.settings())
                        .loss();
                parameters[i] = before;
                double expected = (above - below) / (2 * h);
                assertThat(gradient[i]).isCloseTo(expected, within(1e-7 * (1 + Math.abs(expected))));
            }
        }
    }
}
