package dev.holdfast.examples.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is deleted with everything in it when it is closed. */
final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("holdfast-bench");
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        List<Path> contentFirst;
        try (Stream<Path> paths = Files.walk(path)) {
            contentFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : contentFirst) {
            Files.delete(each);
        }
    }
}
