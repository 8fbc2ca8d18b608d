package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;
import java.util.List;

/** What is meant for GPUs, on the CPU. */
class Nd4jConformanceTest extends PpoBackendConformanceTest {
    @Override
    protected PpoBackend backend() {
        return new Dl4jBackend(List.of(new Nd4jOnTheCpu()), 1);
    }

    @Override
    protected List<Integer> threadCounts() {
        // ND4J computes in one thread of Java, whatever is asked for.
        return List.of(1);
    }
}
