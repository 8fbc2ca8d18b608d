package dev.holdfast.rl.api.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import java.util.List;

/** Comparison with the reference implementation, which computes in single precision itself. */
final class ConformanceTolerance {
    private static final double RELATIVE = 1e-4;
    private static final double ABSOLUTE = 1e-5;
    /** What rounding adds to an element of the gradient. */
    private static final double ROUNDING = 1e-7;

    private ConformanceTolerance() {}

    static void close(double actual, JsonNode parent, String name, String where) {
        double expected = parent.required(name).doubleValue();
        assertThat(actual).as("%s: %s", where, name).isCloseTo(expected, within(of(expected)));
    }

    static double of(double expected) {
        return ABSOLUTE + RELATIVE * Math.abs(expected);
    }

    /**
     * Compares weights. Where an element's gradients have been so small that Adam divides them by little else than their own
     * rounding, the weight may be off by a part of the learning rate.
     */
    static void weightsAgree(LearnerState actual, JsonNode expected, double learningRate, String where) {
        double correction = 1 - Math.pow(UpdateSettings.BETA2, (double) actual.step());
        List<Tensor> tensors = Golden.tensors(expected);
        for (int t = 0; t < tensors.size(); t++) {
            Tensor tensor = tensors.get(t);
            assertThat(actual.weights().get(t).name()).as(where).isEqualTo(tensor.name());
            for (int i = 0; i < tensor.floats().length; i++) {
                double root = Math.sqrt(actual.secondMoments().get(t).floats()[i] / correction);
                double amplified = learningRate * Math.min(1, ROUNDING / (root + UpdateSettings.EPSILON));
                double weight = tensor.floats()[i];
                assertThat((double) actual.weights().get(t).floats()[i])
                        .as("%s: %s, element %s", where, tensor.name(), i)
                        .isCloseTo(weight, within(of(weight) + amplified));
            }
        }
    }

    /** Compares Adam's moments in units of the gradient, in which a tolerance means the same for both. */
    static void momentsAgree(LearnerState actual, JsonNode expected, String where) {
        for (int t = 0; t < actual.weights().size(); t++) {
            String name = actual.weights().get(t).name();
            JsonNode moments = expected.required(name);
            double step = moments.required("step").doubleValue();
            assertThat((double) actual.step()).as(where).isEqualTo(step);
            double correction1 = 1 - Math.pow(UpdateSettings.BETA1, step);
            double correction2 = 1 - Math.pow(UpdateSettings.BETA2, step);
            float[] first = Golden.floats(moments.required("exp_avg"));
            float[] second = Golden.floats(moments.required("exp_avg_sq"));
            for (int i = 0; i < first.length; i++) {
                double mean = first[i] / correction1;
                assertThat(actual.firstMoments().get(t).floats()[i] / correction1)
                        .as("%s: exp_avg of %s, element %s", where, name, i)
                        .isCloseTo(mean, within(of(mean)));
                double root = Math.sqrt(second[i] / correction2);
                assertThat(Math.sqrt(actual.secondMoments().get(t).floats()[i] / correction2))
                        .as("%s: exp_avg_sq of %s, element %s", where, name, i)
                        .isCloseTo(root, within(of(root)));
            }
        }
    }
}
