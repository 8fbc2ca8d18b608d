package dev.holdfast.rl.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.PpoLoss;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.testing.LearnerCase;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What runs once a step must leave nothing to the garbage collector. */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static List<LearnerCase> cases() {
        return LearnerCase.all().subList(0, 12);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void actingAllocatesNothing(LearnerCase learnerCase) {
        NetworkSpec spec = learnerCase.spec();
        float[] weights = learnerCase.weights(1);
        MlpPolicy policy = new MlpPolicy(spec, 4);
        policy.setWeights(weights);
        float[] observations = new float[4 * spec.observationSpace().size()];
        boolean[] masks = learnerCase.batch(4, weights, 1).masks();
        float[] actions = new float[4 * spec.actionSpace().size()];
        float[] values = new float[4];
        float[] logProbabilities = new float[4];
        RandomStream random = new RandomStream(1);
        allocatesNothing(() -> {
            policy.act(4, observations, masks, random, actions, values, logProbabilities);
            policy.act(4, observations, masks, null, actions, values, logProbabilities);
            policy.values(4, observations, values);
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theLossAllocatesNothing(LearnerCase learnerCase) {
        NetworkSpec spec = learnerCase.spec();
        MiniBatch batch = learnerCase.batch(8, learnerCase.weights(1), 1);
        int outputs = spec.distribution().parameterCount();
        int actions = spec.actionSpace().size();
        float[] head = new float[8 * outputs];
        float[] values = new float[8];
        float[] logStd = new float[actions];
        float[] headGradient = new float[8 * outputs];
        float[] valueGradient = new float[8];
        double[] logStdGradient = new double[actions];
        PpoLoss[] losses = {new PpoLoss(spec)};
        UpdateStatistics statistics = new UpdateStatistics();
        UpdateSettings settings = learnerCase.settings();
        allocatesNothing(() -> {
            PpoLoss.normalize(batch, settings);
            losses[0].evaluate(
                    batch, 0, 8, settings, head, values, logStd, headGradient, valueGradient, logStdGradient);
            PpoLoss.summarize(losses, 8, settings, statistics);
        });
    }

    /** Something else in the JVM may allocate on this thread once (class loading, say), hence several attempts. */
    private static void allocatesNothing(Runnable work) {
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5 && least > 0; attempt++) {
            for (int i = 0; i < 200; i++) {
                work.run();
            }
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 200; i++) {
                work.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
    }
}
