package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;

/** Runs with the vector kernel where this JVM has its module, else with the loops: the build does both. */
class JavaBackendConformanceTest extends PpoBackendConformanceTest {
    @Override
    protected PpoBackend backend() {
        // As many threads as are asked for, however small the work is.
        return new JavaBackend(Kernel::fastest, 1);
    }
}
