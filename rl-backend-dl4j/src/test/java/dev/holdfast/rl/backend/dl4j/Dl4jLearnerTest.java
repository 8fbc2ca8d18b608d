package dev.holdfast.rl.backend.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.sun.management.ThreadMXBean;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.presets.openblas_nolapack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Dl4jLearnerTest {
    private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Engine engine = new OpenBlasEngine();

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void agreesWithTheActingPolicyOverSeveralChunks(int threads) {
        NetworkSpec spec = Learners.spec(512, 8);
        assertThat(engine.chunkRows(spec)).isEqualTo(128);
        try (Dl4jLearner learner = Learners.learner(spec, engine, threads, 700)) {
            MiniBatch batch = Learners.batch(spec, 700, Learners.weights(spec, learner));
            UpdateStatistics statistics = new UpdateStatistics();
            learner.update(batch, Learners.SETTINGS, statistics);
            // The ratios of the first step are 1: every row has met its own action.
            assertThat(statistics.approxKl).isBetween(-1e-9, 1e-9);
            assertThat(statistics.clipFraction).isZero();
            assertThat(statistics.stepped).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void givesTheSameBitsAgainForALargeMiniBatch(int threads) {
        NetworkSpec spec = Learners.spec(256, 256);
        LearnerState first = trained(spec, threads);
        assertThat(first.step()).isEqualTo(3);
        assertThat(trained(spec, threads)).isEqualTo(first);
    }

    private LearnerState trained(NetworkSpec spec, int threads) {
        try (Dl4jLearner learner = Learners.learner(spec, engine, threads, 2048)) {
            MiniBatch batch = Learners.batch(spec, 2048, Learners.weights(spec, learner));
            for (int i = 0; i < 3; i++) {
                learner.update(batch, Learners.SETTINGS, new UpdateStatistics());
            }
            return learner.exportState();
        }
    }

    @Test
    void allocatesNothingOnceWarm() {
        NetworkSpec spec = Learners.spec(64, 64);
        try (Dl4jLearner learner = Learners.learner(spec, engine, 1, 100)) {
            MiniBatch batch = Learners.batch(spec, 100, Learners.weights(spec, learner));
            UpdateStatistics statistics = new UpdateStatistics();
            // Until all of it is compiled, something may be allocated. On a busy machine that takes a while.
            long deadline = System.nanoTime() + 120_000_000_000L;
            long allocated = Long.MAX_VALUE;
            while (allocated > 0 && System.nanoTime() < deadline) {
                long before = MEMORY.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 300; i++) {
                    learner.update(batch, Learners.SETTINGS, statistics);
                }
                allocated = MEMORY.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(allocated).isZero();
        }
    }

    @Test
    void keepsOpenBlasFromUsingThreadsOfItsOwn() {
        NetworkSpec spec = Learners.spec(8);
        try (Dl4jLearner learner = Learners.learner(spec, engine, 1, 8)) {
            // As ND4J does when it is loaded.
            openblas_nolapack.blas_set_num_threads(2);
            IntPointer threads = new IntPointer(Loader.addressof("blas_cpu_number"));
            assertThat(threads.get()).isEqualTo(2);
            MiniBatch batch = Learners.batch(spec, 8, Learners.weights(spec, learner));
            learner.update(batch, Learners.SETTINGS, new UpdateStatistics());
            assertThat(threads.get()).isEqualTo(1);
        }
    }

    @Test
    void passesOnWhatFailsInAPartAndStaysUsable() {
        NetworkSpec spec = Learners.spec(8);
        try (Dl4jLearner learner = Learners.learner(spec, engine, 2, 8)) {
            float[] before = Learners.weights(spec, learner);
            MiniBatch batch = Learners.batch(spec, 8, before);
            float action = batch.actions()[7];
            batch.actions()[7] = 1_000;
            UpdateStatistics statistics = new UpdateStatistics();
            assertThatThrownBy(() -> learner.update(batch, Learners.SETTINGS, statistics))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(Learners.weights(spec, learner)).isEqualTo(before);
            batch.actions()[7] = action;
            learner.update(batch, Learners.SETTINGS, statistics);
            assertThat(statistics.stepped).isTrue();
        }
    }

    @Test
    void endsItsThreadsWhenClosed() throws InterruptedException {
        NetworkSpec spec = Learners.spec(8);
        List<Thread> helpers;
        try (Dl4jLearner learner = Learners.learner(spec, engine, 3, 9)) {
            learner.update(
                    Learners.batch(spec, 9, Learners.weights(spec, learner)),
                    Learners.SETTINGS,
                    new UpdateStatistics());
            helpers = helpers();
            assertThat(helpers).hasSizeGreaterThanOrEqualTo(2).allMatch(Thread::isDaemon);
        }
        for (Thread helper : helpers) {
            helper.join(20_000);
            assertThat(helper.isAlive()).isFalse();
        }
    }

    private static List<Thread> helpers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-dl4j-backend-"))
                .toList();
    }

    @Test
    void freesWhatItHasIfItCannotBeCreated() {
        NetworkSpec spec = Learners.spec(8);
        Engine failing = mock(Engine.class);
        when(failing.maxThreads()).thenReturn(3);
        when(failing.chunkRows(spec)).thenReturn(8);
        when(failing.kernel()).thenReturn("none");
        when(failing.network(spec, 3, Learners.CPU))
                .thenAnswer(call -> new BlasNetwork(spec, 3))
                .thenAnswer(call -> new BlasNetwork(spec, 3))
                .thenThrow(new OutOfMemoryError("native memory"));
        long before = Pointer.totalBytes();
        assertThatThrownBy(() -> Learners.learner(spec, failing, 3, 9)).isInstanceOf(OutOfMemoryError.class);
        verify(failing, times(3)).network(spec, 3, Learners.CPU);
        assertThat(Pointer.totalBytes()).isEqualTo(before);
    }
}
