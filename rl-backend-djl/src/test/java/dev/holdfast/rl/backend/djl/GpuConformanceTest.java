package dev.holdfast.rl.backend.djl;

import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.testing.PpoBackendConformanceTest;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.slf4j.LoggerFactory;

/** Runs where PyTorch with CUDA and a GPU are there, and elsewhere says why not. */
@Tag("gpu")
class GpuConformanceTest extends PpoBackendConformanceTest {
    @BeforeAll
    void needsAGpu() {
        if (devices().isEmpty()) {
            String reason = "skipped, for want of a GPU: " + backend().devices();
            LoggerFactory.getLogger(GpuConformanceTest.class).warn(reason);
            Assumptions.abort(reason);
        }
    }

    @Override
    protected PpoBackend backend() {
        return new DjlBackend();
    }

    @Override
    protected List<String> devices() {
        return backend().devices().stream()
                .filter(Device::usable)
                .map(Device::name)
                .filter(name -> name.startsWith("gpu"))
                .toList();
    }

    @Override
    protected List<Integer> threadCounts() {
        return List.of(1);
    }
}
