package dev.holdfast.training.runtime.checkpoint;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * An open file, read at any place.
 *
 * <p>Not a {@code FileChannel}: that one is closed by an interrupt, and a checkpoint must load on an interrupted thread too.
 */
final class RandomAccess implements Closeable {
    private final RandomAccessFile file;
    private final long length;

    RandomAccess(Path path) throws IOException {
        file = new RandomAccessFile(path.toFile(), "r");
        length = file.length();
    }

    long length() {
        return length;
    }

    byte[] read(long position, int count) throws IOException {
        byte[] bytes = new byte[count];
        file.seek(position);
        file.readFully(bytes);
        return bytes;
    }

    /** Returns the bytes of a region. Only one such stream may be in use at a time. */
    InputStream stream(long position, long count) throws IOException {
        file.seek(position);
        return new InputStream() {
            private long left = count;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] target, int offset, int wanted) throws IOException {
                if (left == 0 || wanted == 0) {
                    return wanted == 0 ? 0 : -1;
                }
                int got = file.read(target, offset, (int) Math.min(wanted, left));
                if (got < 0) {
                    throw new EOFException("the file became shorter while it was read");
                }
                left -= got;
                return got;
            }
        };
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
