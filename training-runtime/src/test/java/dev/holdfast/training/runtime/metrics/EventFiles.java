package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads TensorBoard's event files without any code of the writer. */
public final class EventFiles {
    private EventFiles() {}

    /** Returns the event files of a directory in the order in which TensorBoard reads them. */
    static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("events.out.tfevents."))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the scalars that TensorBoard shows for each step: it reads all files of a directory and obeys every START. */
    public static Map<Long, Map<String, Float>> shown(Path directory) throws IOException {
        TreeMap<Long, Map<String, Float>> shown = new TreeMap<>();
        for (Path file : in(directory)) {
            for (Event event : decode(Files.readAllBytes(file))) {
                if (event.start) {
                    shown.tailMap(event.step).clear();
                } else if (!event.scalars.isEmpty()) {
                    shown.put(event.step, event.scalars);
                }
            }
        }
        return shown;
    }

    /** What an event says. */
    static final class Event {
        double wallTime;
        long step;
        String fileVersion = "";
        boolean start;
        final Map<String, Float> scalars = new TreeMap<>();
    }

    /** Reads frames up to the first that isn't complete, as TensorBoard does. */
    static List<Event> decode(byte[] file) {
        List<Event> events = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        while (in.remaining() >= 12) {
            int at = in.position();
            long length = in.getLong();
            assertThat(in.getInt()).isEqualTo(mask(crc32c(file, at, 8)));
            if (in.remaining() < length + 4) {
                break;
            }
            int end = in.position() + (int) length;
            assertThat(in.getInt(end)).isEqualTo(mask(crc32c(file, in.position(), (int) length)));
            in.limit(end);
            events.add(event(in));
            in.limit(file.length).position(end + 4);
        }
        return events;
    }

    private static Event event(ByteBuffer in) {
        Event event = new Event();
        while (in.hasRemaining()) {
            int key = (int) varint(in);
            switch (key) {
                case 1 << 3 | 1 -> event.wallTime = in.getDouble();
                case 2 << 3 -> event.step = varint(in);
                case 3 << 3 | 2 -> event.fileVersion = text(in);
                case 5 << 3 | 2 -> {
                    ByteBuffer summary = part(in);
                    while (summary.hasRemaining()) {
                        assertThat(varint(summary)).isEqualTo(1 << 3 | 2);
                        ByteBuffer value = part(summary);
                        assertThat(varint(value)).isEqualTo(1 << 3 | 2);
                        String tag = text(value);
                        assertThat(varint(value)).isEqualTo(2 << 3 | 5);
                        assertThat(event.scalars.put(tag, value.getFloat())).isNull();
                    }
                }
                case 7 << 3 | 2 -> {
                    assertThat(part(in)).isEqualTo(ByteBuffer.wrap(new byte[] {1 << 3, 1}));
                    event.start = true;
                }
                default -> throw new AssertionError("unexpected field key " + key);
            }
        }
        return event;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static ByteBuffer part(ByteBuffer in) {
        int length = (int) varint(in);
        ByteBuffer part = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        return part;
    }

    private static String text(ByteBuffer in) {
        return StandardCharsets.UTF_8.decode(part(in)).toString();
    }

    /** The checksum bit by bit, with Castagnoli's polynomial reversed. */
    private static int crc32c(byte[] bytes, int offset, int length) {
        int crc = -1;
        for (int i = offset; i < offset + length; i++) {
            crc ^= bytes[i] & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ ((crc & 1) == 0 ? 0 : 0x82F63B78);
            }
        }
        return ~crc;
    }

    private static int mask(int crc) {
        return ((crc >>> 15) | (crc << 17)) + 0xA282EAD8;
    }
}
