package dev.holdfast.rl.backend.djl;

import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;
import java.util.List;

/** What a GPU needs, on the CPU: numbers are copied in and out. */
class StagedConformanceTest extends PpoBackendConformanceTest {
    @Override
    protected PpoBackend backend() {
        return new DjlBackend(true);
    }

    @Override
    protected List<String> devices() {
        return List.of("cpu");
    }

    @Override
    protected List<Integer> threadCounts() {
        return List.of(1);
    }
}
