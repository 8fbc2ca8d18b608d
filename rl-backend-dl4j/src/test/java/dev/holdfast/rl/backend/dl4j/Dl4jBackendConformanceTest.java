package dev.holdfast.rl.backend.dl4j;

import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;
import java.util.List;

/** On the CPU, as users get it. */
class Dl4jBackendConformanceTest extends PpoBackendConformanceTest {
    @Override
    protected PpoBackend backend() {
        // As many threads as are asked for, however small the work is.
        return new Dl4jBackend(List.of(new OpenBlasEngine()), 1);
    }
}
