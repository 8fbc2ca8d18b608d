package dev.holdfast.rl.backend.djl;

import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;
import java.util.List;

class DjlBackendConformanceTest extends PpoBackendConformanceTest {
    @Override
    protected PpoBackend backend() {
        return new DjlBackend();
    }

    @Override
    protected List<String> devices() {
        return List.of("cpu");
    }
}
