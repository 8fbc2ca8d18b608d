package dev.holdfast.examples.benchmark;

import dev.holdfast.training.runtime.cli.Holdfast;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Where a measurement was made; names neither the host nor a folder. */
final class Machine {
    private Machine() {}

    static Map<String, String> describe() throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("cpu", cpu());
        values.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        values.put(
                "load at start",
                String.format(
                        Locale.ROOT,
                        "%.1f",
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        values.put("os", property("os.name") + " " + property("os.version") + " " + property("os.arch"));
        values.put(
                "java",
                property("java.vendor") + " " + property("java.runtime.version") + ", " + property("java.vm.name"));
        String version = Holdfast.class.getPackage().getImplementationVersion();
        values.put("holdfast", version == null ? "unpackaged" : version);
        return values;
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    private static String cpu() throws IOException {
        // Java doesn't tell; Linux does.
        Path info = Path.of("/proc/cpuinfo");
        if (!Files.exists(info)) {
            return "unknown";
        }
        try (Stream<String> lines = Files.lines(info)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
