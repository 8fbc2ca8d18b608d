package dev.holdfast.rl.api.testing;

import dev.holdfast.rl.api.backend.PpoBackend;

class ReferenceBackendConformanceTest extends PpoBackendConformanceTest {
    @Override
    protected PpoBackend backend() {
        return new ReferenceBackend();
    }
}
