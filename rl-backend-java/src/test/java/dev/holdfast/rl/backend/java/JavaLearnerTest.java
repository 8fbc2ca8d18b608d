package dev.holdfast.rl.backend.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaLearnerTest {
    private static final Device CPU = new Device("cpu", true, "this machine");
    private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final UpdateSettings SETTINGS =
            new UpdateSettings(1e-3, 0.2, Double.POSITIVE_INFINITY, 0.01, 0.5, 0.5, true, Double.POSITIVE_INFINITY);

    /** One hidden layer is wide enough for several chunks of 256 rows, and one is shared. */
    private static NetworkSpec spec(Activation activation) {
        return new NetworkSpec(
                Box.unbounded(3), new Discrete(17), true, List.of(128), List.of(16), List.of(), activation, true, 0);
    }

    private static MiniBatch batch(NetworkSpec spec, int size, float[] weights) {
        MiniBatch batch = new MiniBatch(spec, size);
        batch.size(size);
        RandomStream random = new RandomStream(size);
        for (float[] numbers : List.of(batch.features(), batch.advantages(), batch.returns())) {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = (float) random.nextGaussian();
            }
        }
        Arrays.fill(batch.masks(), true);
        MlpPolicy policy = new MlpPolicy(spec, size);
        policy.setWeights(weights);
        policy.act(
                size,
                batch.features(),
                batch.masks(),
                random,
                batch.actions(),
                batch.values(),
                batch.logProbabilities());
        return batch;
    }

    private static JavaLearner learner(NetworkSpec spec, int threads, int batchSize, int grain) {
        return new JavaLearner(new LearnerRequest(spec, "cpu", threads, batchSize, 1), CPU, Kernel::fastest, grain);
    }

    private static float[] weights(NetworkSpec spec, JavaLearner learner) {
        float[] weights = new float[new ParameterLayout(spec).size()];
        learner.copyWeights(weights);
        return weights;
    }

    @Test
    void agreesWithTheActingPolicy() {
        NetworkSpec spec = spec(Activation.TANH);
        try (JavaLearner learner = learner(spec, 2, 700, 1)) {
            MiniBatch batch = batch(spec, 700, weights(spec, learner));
            UpdateStatistics statistics = new UpdateStatistics();
            learner.update(batch, SETTINGS, statistics);
            // The ratios of the first step are 1: over three chunks, every row has met its own action.
            assertThat(statistics.approxKl).isBetween(-1e-9, 1e-9);
            assertThat(statistics.clipFraction).isZero();
            assertThat(statistics.stepped).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void allocatesNothingOnceWarm(int threads) {
        NetworkSpec spec = spec(threads == 1 ? Activation.TANH : Activation.RELU);
        try (JavaLearner learner = learner(spec, threads, 100, 1)) {
            MiniBatch batch = batch(spec, 100, weights(spec, learner));
            UpdateStatistics statistics = new UpdateStatistics();
            learner.update(batch, SETTINGS, statistics);
            List<Thread> helpers = helpers();
            assertThat(helpers).hasSize(threads - 1);
            // Until all of it is compiled, vectors are objects. On a busy machine that takes a while.
            long deadline = System.nanoTime() + 120_000_000_000L;
            long allocated = Long.MAX_VALUE;
            while (allocated > 0 && System.nanoTime() < deadline) {
                long helpersBefore = allocated(helpers);
                long before = MEMORY.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 300; i++) {
                    learner.update(batch, SETTINGS, statistics);
                }
                allocated = MEMORY.getCurrentThreadAllocatedBytes() - before;
                allocated += allocated(helpers) - helpersBefore;
            }
            assertThat(allocated).isZero();
        }
    }

    private static long allocated(List<Thread> threads) {
        return threads.stream()
                .mapToLong(thread -> MEMORY.getThreadAllocatedBytes(thread.getId()))
                .sum();
    }

    private static List<Thread> helpers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-java-backend-"))
                .toList();
    }

    /** Waits for the threads of learners that are closed: closing asks them to end, and doesn't wait. */
    @BeforeEach
    void awaitEarlierHelpers() throws InterruptedException {
        for (Thread helper : helpers()) {
            helper.join(20_000);
        }
    }

    @Test
    void endsItsThreadsWhenClosed() throws InterruptedException {
        NetworkSpec spec = spec(Activation.TANH);
        List<Thread> helpers;
        try (JavaLearner learner = learner(spec, 3, 96, 1)) {
            assertThat(helpers()).isEmpty();
            learner.update(batch(spec, 96, weights(spec, learner)), SETTINGS, new UpdateStatistics());
            helpers = helpers();
            assertThat(helpers).hasSize(2);
        }
        for (Thread helper : helpers) {
            helper.join(20_000);
            assertThat(helper.isAlive()).isFalse();
        }
    }

    @Test
    void startsNoThreadForLittleWork() {
        NetworkSpec spec = spec(Activation.TANH);
        try (JavaLearner learner = learner(spec, 3, 4, 1 << 17)) {
            learner.update(batch(spec, 4, weights(spec, learner)), SETTINGS, new UpdateStatistics());
            assertThat(helpers()).isEmpty();
        }
    }

    @Test
    void passesOnWhatFailsInAPartAndStaysUsable() {
        NetworkSpec spec = spec(Activation.TANH);
        try (JavaLearner learner = learner(spec, 2, 8, 1)) {
            float[] before = weights(spec, learner);
            MiniBatch batch = batch(spec, 8, before);
            batch.actions()[7] = 1_000;
            UpdateStatistics statistics = new UpdateStatistics();
            assertThatThrownBy(() -> learner.update(batch, SETTINGS, statistics))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(weights(spec, learner)).isEqualTo(before);
            batch.actions()[7] = 0;
            learner.update(batch, SETTINGS, statistics);
            assertThat(statistics.stepped).isTrue();
        }
    }

    @Test
    void refusesAMiniBatchThatIsTooLarge() {
        NetworkSpec spec = spec(Activation.TANH);
        try (JavaLearner learner = learner(spec, 1, 8, 1)) {
            MiniBatch batch = batch(spec, 9, weights(spec, learner));
            assertThatThrownBy(() -> learner.update(batch, SETTINGS, new UpdateStatistics()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a mini-batch's size must be in [1, 8], but was 9");
        }
    }
}
