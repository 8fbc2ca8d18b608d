package dev.holdfast.training.runtime.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows a file that somebody else appends to, line by line, and remembers the last lines. */
final class LogTail {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);

    /** How many lines are remembered. */
    static final int REMEMBERED = 2_000;
    /** A remembered line is cut here, any line at the other length: whatever comes, memory stays bounded. */
    private static final int SHOWN_CHARACTERS = 4_000;

    private static final int LONGEST_LINE = 1 << 16;
    /** What is read at once; others may have a look at the job in between. */
    private static final int CHUNK = 1 << 17;

    private final Path file;
    private final Consumer<String> listener;
    private final Deque<String> last = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    private long position;
    private long total;
    private boolean unreadable;

    /**
     * Begins at a place of the file.
     *
     * @param listener is given every line without its end
     */
    LogTail(Path file, long position, Consumer<String> listener) {
        this.file = file;
        this.position = position;
        this.listener = listener;
    }

    /** Reads some of what is new; returns whether there was anything. */
    boolean read() {
        chunk.clear();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            int count = channel.read(chunk, position);
            if (count <= 0) {
                return false;
            }
            position += count;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            if (!unreadable) {
                LOG.warn("{} can't be read for now: {}", file, e.toString());
                unreadable = true;
            }
            return false;
        }
        unreadable = false;
        for (int i = 0; i < chunk.position(); i++) {
            byte next = chunk.get(i);
            if (next == '\n') {
                endLine();
            } else if (line.size() < LONGEST_LINE) {
                line.write(next);
            }
        }
        return true;
    }

    /** Takes what stands behind the last line end as a line, since no end will come. */
    void end() {
        if (line.size() > 0) {
            endLine();
        }
    }

    private void endLine() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        text = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        add(text);
    }

    /** Takes a line that was not read. */
    void add(String text) {
        listener.accept(text);
        last.add(text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + " …" : text);
        if (last.size() > REMEMBERED) {
            last.remove();
        }
        total++;
    }

    /** The last lines, the newest last. */
    List<String> last(int limit) {
        return last.stream().skip(Math.max(0, last.size() - limit)).toList();
    }

    /** How many lines there have been. */
    long total() {
        return total;
    }
}
