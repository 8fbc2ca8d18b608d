package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What made a checkpoint. A run resumed under the same values is byte-identical to one that was never stopped. */
final class Provenance {
    private static final Logger LOG = LoggerFactory.getLogger(Provenance.class);

    /** What the last bits of a result depend on. */
    private static final List<String> DECISIVE = List.of("backend", "kernel", "threads", "device", "cpu", "java");

    private Provenance() {}

    static Map<String, String> of(TrainingConfig config, PpoBackend backend, PpoLearner learner) {
        Map<String, String> values = new TreeMap<>();
        String version = Provenance.class.getPackage().getImplementationVersion();
        values.put("library", "holdfast " + (version == null ? "unpackaged" : version));
        values.put("backend", backend.name());
        values.put("kernel", learner.kernel());
        values.put("device", learner.device());
        values.put("threads", config.text(Fields.THREADS));
        values.put("seed", config.text(Fields.SEED));
        values.put("java", System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
        values.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        values.put("cpu", cpu());
        return values;
    }

    private static String cpu() {
        // Java doesn't tell; Linux does.
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException | java.io.UncheckedIOException e) {
            return "unknown";
        }
    }

    /** Says in one line if a resumed run will differ from an uninterrupted one in the last bits. */
    static void warnOfDifference(Map<String, String> before, Map<String, String> now) {
        List<String> differences = new ArrayList<>();
        for (String key : DECISIVE) {
            if (!Objects.equals(before.get(key), now.get(key))) {
                differences.add(key + " was " + before.get(key) + " and is " + now.get(key));
            }
        }
        if (!differences.isEmpty()) {
            LOG.warn(
                    "the resumed run will differ from an uninterrupted one in the last bits: {}",
                    String.join("; ", differences));
        }
    }
}
