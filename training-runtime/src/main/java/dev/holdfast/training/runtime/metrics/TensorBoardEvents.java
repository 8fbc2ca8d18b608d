package dev.holdfast.training.runtime.metrics;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.checkpoint.AppendedFile;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A TensorBoard event file: protocol buffers in the frames of a TFRecord file.
 *
 * <pre>
 * frame    8 bytes  length n of the message, little-endian
 *          4 bytes  masked CRC-32C of the 8 bytes before
 *          n bytes  message
 *          4 bytes  masked CRC-32C of the message
 *
 * Event       1 wall_time     double   seconds since 1970
 *             2 step          int64
 *             3 file_version  string   "brain.Event:2", in the first event of a file
 *             5 summary       Summary
 *             7 session_log   SessionLog
 * Summary     1 value         repeated Value
 * Value       1 tag           string
 *             2 simple_value  float
 * SessionLog  1 status        enum     1 is START
 * </pre>
 *
 * <p>A START with step s makes TensorBoard forget the events with steps of s and more that it read before. So each file begins
 * with one: what a killed run had written beyond its last checkpoint, in an older file, vanishes when the run resumes. A frame
 * cut short by a kill is the end of its file, at which readers stop without an error.
 */
final class TensorBoardEvents implements MetricSink {
    private static final Pattern NAME = Pattern.compile("events\\.out\\.tfevents\\.(\\d{1,18})\\..*");
    private static final int STATUS_START = 1;

    private final AppendedFile file;
    private final Clock clock;

    TensorBoardEvents(Path directory, long lastTimesteps, Clock clock, DurableFiles files) {
        this.clock = clock;
        byte[] version = frame(event().string(3, "brain.Event:2"));
        byte[] start = frame(
                event().integer(2, Math.max(0, lastTimesteps) + 1).message(7, new Message().integer(1, STATUS_START)));
        byte[] head = ByteBuffer.allocate(version.length + start.length)
                .put(version)
                .put(start)
                .array();
        file = files.append(directory.resolve(fileName(directory, clock)), false, head);
    }

    /** Readers take the files of a directory in the order of their names: the new one must be the last, also if clocks disagree. */
    private static String fileName(Path directory, Clock clock) {
        long seconds = clock.instant().getEpochSecond();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "events.out.tfevents.*")) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    seconds = Math.max(seconds, Long.parseLong(name.group(1)) + 1);
                }
            }
        } catch (IOException e) {
            throw new HoldfastException("can't list " + directory + ": " + e, e);
        }
        return String.format(
                Locale.ROOT,
                "events.out.tfevents.%010d.%s.%d.0",
                seconds,
                host(),
                ProcessHandle.current().pid());
    }

    /** The host's name is for people only; asking the network for it could take seconds. */
    private static String host() {
        String name = System.getenv("HOSTNAME");
        if (name == null) {
            name = System.getenv("COMPUTERNAME");
        }
        return name == null ? "localhost" : name.replaceAll("[^A-Za-z0-9.-]", "_");
    }

    @Override
    public void record(MetricRecord record) {
        Message summary = new Message();
        record.values().forEach((metric, value) -> {
            if (!metric.axis()) {
                summary.message(1, new Message().string(1, metric.key()).real(2, value.floatValue()));
            }
        });
        file.append(frame(event().integer(2, record.timesteps()).message(5, summary)));
    }

    @Override
    public void flush() {
        file.sync();
    }

    @Override
    public void close() {
        file.close();
    }

    private Message event() {
        Instant now = clock.instant();
        return new Message().real(1, now.getEpochSecond() + now.getNano() * 1e-9);
    }

    private static byte[] frame(Message message) {
        byte[] bytes = message.bytes.toByteArray();
        ByteBuffer frame = ByteBuffer.allocate(bytes.length + 16).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(bytes.length);
        frame.putInt(maskedCrc(frame.array(), 0, 8));
        frame.put(bytes);
        frame.putInt(maskedCrc(bytes, 0, bytes.length));
        return frame.array();
    }

    /** The mask keeps the checksum of data that hold checksums from being degenerate. */
    static int maskedCrc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return Integer.rotateRight((int) crc.getValue(), 15) + 0xA282EAD8;
    }

    /** A protocol buffer being written, by field numbers. */
    private static final class Message {
        private static final int VARINT = 0;
        private static final int FIXED_64 = 1;
        private static final int LENGTH_DELIMITED = 2;
        private static final int FIXED_32 = 5;

        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Message integer(int field, long value) {
            varint(field << 3 | VARINT);
            varint(value);
            return this;
        }

        Message real(int field, double value) {
            varint(field << 3 | FIXED_64);
            fixed(Double.doubleToLongBits(value), 8);
            return this;
        }

        Message real(int field, float value) {
            varint(field << 3 | FIXED_32);
            fixed(Float.floatToIntBits(value), 4);
            return this;
        }

        Message string(int field, String value) {
            return delimited(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return delimited(field, value.bytes.toByteArray());
        }

        private Message delimited(int field, byte[] value) {
            varint(field << 3 | LENGTH_DELIMITED);
            varint(value.length);
            bytes.writeBytes(value);
            return this;
        }

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                bytes.write((int) ((rest & 0x7F) | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
        }

        private void fixed(long value, int size) {
            for (int i = 0; i < size; i++) {
                bytes.write((int) (value >>> (8 * i)));
            }
        }
    }
}
