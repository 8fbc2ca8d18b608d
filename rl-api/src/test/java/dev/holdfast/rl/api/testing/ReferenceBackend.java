package dev.holdfast.rl.api.testing;

import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.backend.AbstractPpoLearner;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A backend as simple as can be, on top of {@link ReferencePpo}: it shows that the conformance test can be passed. */
final class ReferenceBackend implements PpoBackend {
    @Override
    public String name() {
        return "reference";
    }

    @Override
    public String description() {
        return "double precision by automatic differentiation, for tests";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.THREADS));
    }

    @Override
    public List<Device> devices() {
        return List.of(new Device("cpu", true, "any"), new Device("gpu", false, "not supported"));
    }

    @Override
    public PpoLearner createLearner(LearnerRequest request) {
        Capability.require(this, request);
        return new Learner(request, Device.choose(this, request.device()));
    }

    private static final class Learner extends AbstractPpoLearner {
        private final LearnerRequest request;
        private final Map<Part, float[]> parts = new EnumMap<>(Part.class);
        private double[] gradient = {};

        Learner(LearnerRequest request, Device device) {
            super(request, device);
            this.request = request;
            for (Part part : Part.values()) {
                parts.put(part, new float[new ParameterLayout(request.network()).size()]);
            }
            initialize(request);
        }

        private float[] array(Part part) {
            return Objects.requireNonNull(parts.get(part));
        }

        @Override
        protected void loss(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics) {
            ReferencePpo.Result result =
                    ReferencePpo.evaluate(request.network(), LearnerCase.doubles(array(Part.WEIGHTS)), batch, settings);
            if (!Double.isFinite(result.loss()) || !Double.isFinite(result.kl())) {
                throw new NonFiniteException("the loss is " + result.loss());
            }
            statistics.loss = result.loss();
            statistics.policyLoss = result.policyLoss();
            statistics.valueLoss = result.valueLoss();
            statistics.entropyLoss = result.entropyLoss();
            statistics.approxKl = result.kl();
            statistics.clipFraction = result.clipFraction();
            statistics.gradientNorm = Double.NaN;
            statistics.stepped = false;
            gradient = result.gradient();
        }

        @Override
        protected double step(UpdateSettings settings, long number) {
            double norm = Math.sqrt(Arrays.stream(gradient).map(g -> g * g).sum());
            if (!Double.isFinite((float) norm)) {
                return Double.POSITIVE_INFINITY;
            }
            double scale = clipScale(norm, settings);
            double correction1 = 1 - Math.pow(UpdateSettings.BETA1, (double) number);
            double correction2 = 1 - Math.pow(UpdateSettings.BETA2, (double) number);
            float[] weights = array(Part.WEIGHTS);
            float[] firstMoments = array(Part.FIRST_MOMENTS);
            float[] secondMoments = array(Part.SECOND_MOMENTS);
            for (int i = 0; i < weights.length; i++) {
                double g = gradient[i] * scale;
                double first = UpdateSettings.BETA1 * firstMoments[i] + (1 - UpdateSettings.BETA1) * g;
                double second = UpdateSettings.BETA2 * secondMoments[i] + (1 - UpdateSettings.BETA2) * g * g;
                firstMoments[i] = (float) first;
                secondMoments[i] = (float) second;
                weights[i] -= (float) (settings.learningRate()
                        * (first / correction1)
                        / (Math.sqrt(second / correction2) + UpdateSettings.EPSILON));
            }
            return norm;
        }

        @Override
        protected void forward(int size, float[] features, float[] outputs, float[] values) {
            ReferencePpo.forward(
                    request.network(), LearnerCase.doubles(array(Part.WEIGHTS)), size, features, outputs, values);
        }

        @Override
        protected void store(Part part, float[] flat) {
            System.arraycopy(array(part), 0, flat, 0, flat.length);
        }

        @Override
        protected void load(Part part, float[] flat) {
            parts.put(part, flat.clone());
        }

        @Override
        public String kernel() {
            return "reference";
        }

        @Override
        protected void release() {}
    }
}
