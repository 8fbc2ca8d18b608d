package dev.holdfast.rl.api.testing;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.NonFiniteException;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
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
        return List.of(new Device("cpu", true, "any"), new Device("gpu:0", false, "not supported"));
    }

    @Override
    public PpoLearner createLearner(LearnerRequest request) {
        if (!request.device().equals("cpu") && !request.device().equals("auto")) {
            throw new InvalidConfigurationException("device must be cpu or auto, but was " + request.device());
        }
        if (request.threads() > 1) {
            throw new InvalidConfigurationException(
                    "threads must be 1 for the reference backend, but was " + request.threads());
        }
        return new Learner(request);
    }

    private static final class Learner implements PpoLearner {
        private final LearnerRequest request;
        private final ParameterLayout layout;
        private float[] weights;
        private float[] firstMoments;
        private float[] secondMoments;
        private long step;
        private boolean closed;

        Learner(LearnerRequest request) {
            this.request = request;
            layout = new ParameterLayout(request.network());
            weights = Initializer.weights(request.network(), request.seed());
            firstMoments = new float[layout.size()];
            secondMoments = new float[layout.size()];
        }

        @Override
        public void update(MiniBatch batch, UpdateSettings settings, UpdateStatistics statistics) {
            checkOpen();
            ReferencePpo.Result result =
                    ReferencePpo.evaluate(request.network(), LearnerCase.doubles(weights), batch, settings);
            PpoLoss.normalize(batch, settings);
            statistics.loss = result.loss();
            statistics.policyLoss = result.policyLoss();
            statistics.valueLoss = result.valueLoss();
            statistics.entropyLoss = result.entropyLoss();
            statistics.approxKl = result.kl();
            statistics.clipFraction = result.clipFraction();
            statistics.gradientNorm = Double.NaN;
            statistics.stepped = result.kl() <= settings.maxKl();
            double[] gradient = result.gradient();
            double norm = Math.sqrt(Arrays.stream(gradient).map(g -> g * g).sum());
            if (!Double.isFinite(result.loss()) || !Double.isFinite(result.kl()) || !Double.isFinite((float) norm)) {
                throw new NonFiniteException("the loss is " + result.loss() + ", the gradient's norm " + norm);
            }
            if (statistics.stepped) {
                statistics.gradientNorm = norm;
                adam(gradient, Math.min(1, settings.maxGradNorm() / (norm + 1e-6)), settings.learningRate());
            }
        }

        private void adam(double[] gradient, double scale, double learningRate) {
            step++;
            double correction1 = 1 - Math.pow(UpdateSettings.BETA1, (double) step);
            double correction2 = 1 - Math.pow(UpdateSettings.BETA2, (double) step);
            for (int i = 0; i < weights.length; i++) {
                double g = gradient[i] * scale;
                double first = UpdateSettings.BETA1 * firstMoments[i] + (1 - UpdateSettings.BETA1) * g;
                double second = UpdateSettings.BETA2 * secondMoments[i] + (1 - UpdateSettings.BETA2) * g * g;
                firstMoments[i] = (float) first;
                secondMoments[i] = (float) second;
                weights[i] -= (float) (learningRate
                        * (first / correction1)
                        / (Math.sqrt(second / correction2) + UpdateSettings.EPSILON));
            }
        }

        @Override
        public void copyWeights(float[] flat) {
            checkOpen();
            System.arraycopy(weights, 0, flat, 0, weights.length);
        }

        @Override
        public LearnerState exportState() {
            checkOpen();
            return new LearnerState(
                    layout.split(weights), layout.split(firstMoments), layout.split(secondMoments), step);
        }

        @Override
        public void importState(LearnerState state) {
            checkOpen();
            float[] newWeights = layout.join(state.weights());
            float[] newFirst = layout.join(state.firstMoments());
            float[] newSecond = layout.join(state.secondMoments());
            weights = newWeights;
            firstMoments = newFirst;
            secondMoments = newSecond;
            step = state.step();
        }

        @Override
        public String kernel() {
            return "reference";
        }

        @Override
        public void close() {
            closed = true;
        }

        private void checkOpen() {
            if (closed) {
                throw new IllegalStateException("the learner is closed");
            }
        }
    }
}
