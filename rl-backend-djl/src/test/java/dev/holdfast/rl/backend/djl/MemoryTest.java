package dev.holdfast.rl.backend.djl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Native memory is freed by hand: what is forgotten shows in the resident memory of a JVM whose heap is small and all
 * resident.
 */
class MemoryTest {
    private static final List<String> OPTIONS = List.of(
            "-Xms64m",
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:+AlwaysPreTouch",
            "-DENGINE_CACHE_DIR=" + System.getProperty("ENGINE_CACHE_DIR"));

    @BeforeEach
    void needsProc() {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/status")), "resident memory is read from /proc");
        Assumptions.assumeTrue(System.getProperty("ENGINE_CACHE_DIR") != null, "the build says where natives are");
    }

    @Test
    void staysFlat() throws Exception {
        assertThat(growth(2_000, 3_000)).isLessThan(20_000);
    }

    @Test
    @Tag("long")
    void staysFlatForLong() throws Exception {
        assertThat(growth(10_000, 50_000)).isLessThan(20_000);
    }

    private static long growth(int warmUp, int updates) throws Exception {
        String output = Probe.run(OPTIONS, System.getProperty("java.class.path"), "memory", "" + warmUp, "" + updates);
        return Long.parseLong(output.strip().replaceAll("(?s).*grown by (-?\\d+) kB", "$1"));
    }
}
