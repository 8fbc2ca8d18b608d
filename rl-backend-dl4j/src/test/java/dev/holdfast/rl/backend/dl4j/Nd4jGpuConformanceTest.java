package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Needs a GPU, and ND4J's CUDA artifacts on the class path. */
@Tag("gpu")
class Nd4jGpuConformanceTest extends PpoBackendConformanceTest {
    @BeforeAll
    static void needsAGpu() {
        Device first = new Nd4jEngine().devices().get(0);
        if (!first.usable()) {
            System.out.println("Tests on GPUs are skipped: " + first.detail());
        }
        Assumptions.assumeTrue(first.usable(), first.detail());
    }

    @Override
    protected PpoBackend backend() {
        return new Dl4jBackend(List.of(new Nd4jEngine()), 1);
    }

    @Override
    protected List<Integer> threadCounts() {
        return List.of(1);
    }
}
