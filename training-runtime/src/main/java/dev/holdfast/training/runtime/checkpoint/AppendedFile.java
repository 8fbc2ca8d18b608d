package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.HoldfastException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that grows by whole records: each is given to the operating system at once, and one that can't be written whole is
 * taken back.
 *
 * <p>Methods throw {@link HoldfastException}, which names the file and the reason.
 *
 * <p><em>Threads.</em> One thread at a time.
 */
public final class AppendedFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AppendedFile.class);

    private final Path path;
    private final DurableFiles files;
    private final FileOperations disk;
    private FileOperations.Log file;
    private long length;

    AppendedFile(Path path, boolean keep, byte[] head, DurableFiles files, FileOperations disk) {
        this.path = path;
        this.files = files;
        this.disk = disk;
        try {
            file = disk.append(path);
        } catch (IOException e) {
            throw failure("open", e);
        }
        try {
            begin(keep, head);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void begin(boolean keep, byte[] head) {
        try {
            length = file.length();
            if (!keep && length > 0) {
                file.truncate(0);
                length = 0;
            }
        } catch (IOException e) {
            throw failure("open", e);
        }
        if (length == 0) {
            append(head);
        }
    }

    /**
     * Appends a record.
     *
     * @param text the record, written in UTF-8
     */
    public void append(String text) {
        append(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Appends a record.
     *
     * @param bytes the record
     */
    public void append(byte[] bytes) {
        try {
            file.write(bytes);
            length += bytes.length;
        } catch (IOException e) {
            try {
                file.truncate(length);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw failure("write", e);
        }
    }

    /**
     * Hands what was appended to the disk. A file that somebody has removed meanwhile is written again, its directory too: the
     * system keeps its content as long as it is open.
     */
    public void sync() {
        try {
            if (!Files.exists(path)) {
                LOG.warn("{} was removed while the run goes on; it is written again", path);
                files.createDirectories(DurableFiles.directoryOf(path));
                files.write(path, file::copyTo);
                FileOperations.Log removed = file;
                file = disk.append(path);
                removed.close();
            }
            file.force();
        } catch (IOException e) {
            throw failure("write", e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw failure("close", e);
        }
    }

    private HoldfastException failure(String verb, IOException cause) {
        return new HoldfastException("can't " + verb + " " + path + ": " + DurableFiles.reason(cause), cause);
    }
}
