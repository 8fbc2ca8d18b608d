package dev.holdfast.training.runtime.checkpoint;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Everything that changes a disk, so that tests can let each of it fail. */
interface FileOperations {
    /** A file that is being written. */
    abstract class Output extends OutputStream {
        /** Returns once everything written so far is on the disk. */
        abstract void force() throws IOException;
    }

    /** A file that is written to at its end. */
    abstract class Log extends Output {
        abstract long length() throws IOException;

        /** Takes back what is beyond a length; writing goes on there. */
        abstract void truncate(long length) throws IOException;

        /** Copies the whole content, also of a file that was deleted meanwhile. */
        abstract void copyTo(OutputStream out) throws IOException;
    }

    /** Creates a file that must not be there yet. */
    Output create(Path file) throws IOException;

    /** Opens a file to write at its end; creates it if it isn't there. */
    Log append(Path file) throws IOException;

    /** Renames a file within its directory at one instant, replacing what has the new name. */
    void move(Path from, Path to) throws IOException;

    /** Deletes a file if it is there. */
    void delete(Path file) throws IOException;

    /** Creates a directory in one that is there, if it isn't there yet. */
    void createDirectory(Path directory) throws IOException;

    /** Returns once the names in a directory are on the disk, if the system can tell. */
    void forceDirectory(Path directory) throws IOException;

    /** The operations of the disk itself. */
    FileOperations DISK = new FileOperations() {
        @Override
        public Output create(Path file) throws IOException {
            // Created apart, since the exceptions of this call say what was wrong. FileOutputStream is not closed by
            // interrupts.
            Files.createFile(file);
            FileOutputStream stream = new FileOutputStream(file.toFile());
            return new Output() {
                @Override
                public void write(int b) throws IOException {
                    stream.write(b);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    stream.write(bytes, offset, length);
                }

                @Override
                void force() throws IOException {
                    stream.getFD().sync();
                }

                @Override
                public void close() throws IOException {
                    stream.close();
                }
            };
        }

        @Override
        public Log append(Path file) throws IOException {
            // Not a FileChannel: an interrupt of the thread that writes would close it.
            RandomAccessFile target = new RandomAccessFile(file.toFile(), "rw");
            try {
                target.seek(target.length());
            } catch (IOException e) {
                target.close();
                throw e;
            }
            return new Log() {
                @Override
                long length() throws IOException {
                    return target.length();
                }

                @Override
                void truncate(long length) throws IOException {
                    target.setLength(length);
                }

                @Override
                void copyTo(OutputStream out) throws IOException {
                    target.seek(0);
                    byte[] chunk = new byte[1 << 16];
                    for (int count = target.read(chunk); count >= 0; count = target.read(chunk)) {
                        out.write(chunk, 0, count);
                    }
                }

                @Override
                public void write(int b) throws IOException {
                    target.write(b);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    target.write(bytes, offset, length);
                }

                @Override
                void force() throws IOException {
                    target.getFD().sync();
                }

                @Override
                public void close() throws IOException {
                    target.close();
                }
            };
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void delete(Path file) throws IOException {
            Files.deleteIfExists(file);
        }

        @Override
        public void createDirectory(Path directory) throws IOException {
            // Unlike createDirectory this doesn't mind if another process was faster.
            Files.createDirectories(directory);
        }

        @Override
        public void forceDirectory(Path directory) throws IOException {
            boolean interrupted = false;
            try {
                while (true) {
                    try (FileChannel channel = open(directory)) {
                        if (channel != null) {
                            channel.force(true);
                        }
                        return;
                    } catch (ClosedByInterruptException e) {
                        interrupted = Thread.interrupted();
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** Returns null on a system that doesn't open directories (Windows), where renames are durable by other means. */
        private static @org.jspecify.annotations.Nullable FileChannel open(Path directory) {
            try {
                return FileChannel.open(directory, StandardOpenOption.READ);
            } catch (IOException e) {
                return null;
            }
        }
    };
}
