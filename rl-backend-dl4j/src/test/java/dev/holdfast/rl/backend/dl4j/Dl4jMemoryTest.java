package dev.holdfast.rl.backend.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native memory is what no garbage collector brings back in time. */
class Dl4jMemoryTest {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE = 4096;
    private static final long MEGABYTE = 1 << 20;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void freesAllNativeMemoryWhenClosed(int threads) {
        NetworkSpec spec = Learners.spec(64, 64);
        try (Dl4jLearner learner = Learners.learner(spec, new OpenBlasEngine(), threads, 300)) {
            // Loaded, with all that stays.
            assertThat(learner.kernel()).isNotBlank();
        }
        long before = Pointer.totalBytes();
        try (Dl4jLearner learner = Learners.learner(spec, new OpenBlasEngine(), threads, 300)) {
            MiniBatch batch = Learners.batch(spec, 300, Learners.weights(spec, learner));
            learner.update(batch, Learners.SETTINGS, new UpdateStatistics());
            assertThat(Pointer.totalBytes()).isGreaterThan(before + 300 * 64 * 4);
        }
        assertThat(Pointer.totalBytes()).isEqualTo(before);
    }

    @Test
    void residentMemoryStaysFlat() throws IOException {
        staysFlat(3_000, 3_000);
    }

    @Test
    @Tag("long")
    void residentMemoryStaysFlatForLong() throws IOException {
        staysFlat(5_000, 50_000);
    }

    private static void staysFlat(int warmUp, int updates) throws IOException {
        Assumptions.assumeTrue(Files.exists(STATM), "there is no " + STATM + " to read the resident memory from");
        NetworkSpec spec = Learners.spec(64, 64);
        try (Dl4jLearner learner = Learners.learner(spec, new OpenBlasEngine(), 1, 64)) {
            MiniBatch batch = Learners.batch(spec, 64, Learners.weights(spec, learner));
            update(learner, batch, warmUp);
            long before = residentBytes();
            update(learner, batch, updates);
            long growth = residentBytes() - before;
            System.out.println("resident memory grew by " + growth / 1024 + " KB in " + updates + " updates");
            assertThat(growth).isLessThan(20 * MEGABYTE);
        }
    }

    private static void update(Dl4jLearner learner, MiniBatch batch, int count) {
        UpdateStatistics statistics = new UpdateStatistics();
        for (int i = 0; i < count; i++) {
            learner.update(batch, Learners.SETTINGS, statistics);
        }
    }

    private static long residentBytes() throws IOException {
        return PAGE * Long.parseLong(Files.readString(STATM).split(" ", -1)[1]);
    }
}
