package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps two runs from writing the same files. The operating system frees it however its process ends. */
final class RunLock {
    private static final Logger LOG = LoggerFactory.getLogger(RunLock.class);

    private RunLock() {}

    /**
     * Does something while no other run can write the model.
     *
     * @throws HoldfastException if another run, of this process or another one, holds the lock
     */
    static <T> T holding(Path model, DurableFiles files, Supplier<T> body) {
        Path folder = Objects.requireNonNull(model.toAbsolutePath().getParent());
        Path file = folder.resolve("." + model.getFileName() + ".lock");
        boolean newFolder = !Files.exists(folder);
        boolean newFile = !Files.exists(file);
        try {
            files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (DurableFiles.tryLock(channel) == null) {
                    throw new HoldfastException(
                            "another run is writing " + model + "; wait for it, stop it, or give another --model");
                }
                return body.get();
            }
        } catch (IOException e) {
            throw new HoldfastException("can't lock " + file + ": " + DurableFiles.reason(e), e);
        } catch (InvalidConfigurationException e) {
            // A run that could not begin leaves nothing behind.
            remove(file, newFile);
            remove(folder, newFolder);
            throw e;
        }
    }

    private static void remove(Path path, boolean ours) {
        try {
            if (ours) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // Something else has come into the folder: it stays.
            LOG.debug("{} stays", path, e);
        }
    }
}
