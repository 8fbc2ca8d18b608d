package dev.holdfast.training.runtime.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;

/**
 * A ZIP archive without compression, of which every byte is determined by the entries' names and contents.
 *
 * <pre>
 *   for each entry      local header        30 bytes: signature, version, CRC-32, size …
 *                       name                ASCII
 *                       content
 *   for each entry      central header      46 bytes: the same, and the offset of the local header
 *                       name
 *   once                end record          22 bytes: number of entries, size and offset of the central headers
 * </pre>
 *
 * Any ZIP tool reads it. It is written and read here and not through {@code java.util.zip} for two reasons. Equal checkpoints
 * must give equal bytes on every Java version, and that of the library's headers is nobody's promise. And reading compares every
 * header with the only one that this class would write: nothing can hide before, between or behind the entries, local and
 * central headers can't disagree, and a flipped bit anywhere is found (in an entry by its CRC-32).
 *
 * <p>The format's own limits hold: less than 4 GiB and 65,535 entries.
 */
final class StoredZip {
    private static final int LOCAL_SIZE = 30;
    private static final int CENTRAL_SIZE = 46;
    private static final int END_SIZE = 22;
    private static final int LOCAL_SIGNATURE = 0x04034b50;
    private static final int CENTRAL_SIGNATURE = 0x02014b50;
    private static final int END_SIGNATURE = 0x06054b50;
    private static final short VERSION = 10;
    // 1980-01-01, the first day of the format's calendar.
    private static final short DATE = 1 << 5 | 1;
    private static final int LONGEST_NAME = 64;
    private static final int MOST_ENTRIES = 65_534;
    private static final long LARGEST = 0xFFFFFFFEL;

    /** An entry to be written, measured beforehand: its headers stand before its content. */
    record Part(String name, Content content, long size, int crc, String sha256) {
        static Part of(String name, Content content) throws IOException {
            CRC32 crc = new CRC32();
            MessageDigest sha = Hash.sha256();
            Counter counter = new Counter();
            content.writeTo(new DigestOutputStream(new CheckedOutputStream(counter, crc), sha));
            return new Part(name, content, counter.count, (int) crc.getValue(), Hash.hex(sha));
        }
    }

    /** An entry that is there. {@code position} is where its content starts. */
    record Entry(String name, long position, long size, int crc) {
        InputStream open(RandomAccess archive) throws IOException {
            return archive.stream(position, size);
        }

        /** Reads the whole content, checks its CRC-32, and returns its SHA-256. */
        String verify(RandomAccess archive) throws IOException, DamageException {
            CRC32 actual = new CRC32();
            MessageDigest sha = Hash.sha256();
            try (InputStream in = open(archive)) {
                in.transferTo(
                        new DigestOutputStream(new CheckedOutputStream(OutputStream.nullOutputStream(), actual), sha));
            }
            DamageException.unless(
                    (int) actual.getValue() == crc,
                    name + ": CRC-32 of the content",
                    "must be " + Integer.toHexString(crc),
                    Integer.toHexString((int) actual.getValue()));
            return Hash.hex(sha);
        }
    }

    private static final class Counter extends OutputStream {
        private long count;

        @Override
        public void write(int b) {
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            count += length;
        }
    }

    private StoredZip() {}

    /** Checks the format's limits. */
    static void check(List<Part> parts) throws DamageException {
        DamageException.unless(
                parts.size() <= MOST_ENTRIES, "the number of entries", "must be at most " + MOST_ENTRIES, parts.size());
        long size = END_SIZE;
        for (Part part : parts) {
            size += LOCAL_SIZE + CENTRAL_SIZE + 2 * part.name.length() + part.size;
        }
        DamageException.unless(size <= LARGEST, "the archive", "must be smaller than 4 GiB", size + " bytes");
    }

    static void write(List<Part> parts, OutputStream out) throws IOException {
        long position = 0;
        List<byte[]> centralHeaders = new ArrayList<>();
        for (Part part : parts) {
            out.write(localHeader(part.name, part.crc, part.size));
            CRC32 crc = new CRC32();
            part.content.writeTo(new CheckedOutputStream(out, crc));
            if ((int) crc.getValue() != part.crc) {
                throw new IOException(part.name + " changed while it was written");
            }
            centralHeaders.add(centralHeader(part.name, part.crc, part.size, position));
            position += LOCAL_SIZE + part.name.length() + part.size;
        }
        long centralSize = 0;
        for (byte[] header : centralHeaders) {
            out.write(header);
            centralSize += header.length;
        }
        out.write(end(parts.size(), centralSize, position));
    }

    /**
     * Reads the headers and checks them; contents are left to {@link Entry#verify}.
     *
     * @param firstName what the first entry must be called
     */
    static List<Entry> read(RandomAccess archive, String firstName) throws IOException, DamageException {
        long length = archive.length();
        DamageException.unless(
                length >= END_SIZE && length <= LARGEST,
                "length",
                "must be in [" + END_SIZE + ", " + LARGEST + "]",
                length);
        byte[] endRecord = archive.read(length - END_SIZE, END_SIZE);
        ByteBuffer end = little(endRecord);
        if (end.getInt(0) != END_SIGNATURE) {
            throw new DamageException("must end with a ZIP end record, but doesn't: it is cut short, or no checkpoint");
        }
        int count = end.getShort(10) & 0xFFFF;
        long centralSize = end.getInt(12) & 0xFFFFFFFFL;
        long centralPosition = end.getInt(16) & 0xFFFFFFFFL;
        DamageException.unless(
                Arrays.equals(endRecord, end(count, centralSize, centralPosition))
                        && centralPosition + centralSize == length - END_SIZE
                        && count >= 1
                        && centralSize <= (long) count * (CENTRAL_SIZE + LONGEST_NAME),
                "the ZIP end record",
                "must fit the file of " + length + " bytes",
                count + " entries with " + centralSize + " bytes of central headers at " + centralPosition);
        ByteBuffer central = little(archive.read(centralPosition, (int) centralSize));
        List<Entry> entries = new ArrayList<>(count);
        long position = 0;
        for (int i = 0; i < count; i++) {
            Entry entry = entry(central, i, position, centralPosition, firstName);
            byte[] local = localHeader(entry.name, entry.crc, entry.size);
            DamageException.unless(
                    Arrays.equals(local, archive.read(position, local.length)),
                    "the local header of " + entry.name,
                    "must agree with its central header",
                    "different at byte " + position);
            entries.add(entry);
            position = entry.position + entry.size;
        }
        DamageException.unless(
                !central.hasRemaining() && position == centralPosition,
                "the entries",
                "must reach up to the central headers at " + centralPosition,
                position + " with " + central.remaining() + " bytes of central headers left over");
        return entries;
    }

    /** Takes the next central header. The result's content and local header lie within the file. */
    private static Entry entry(ByteBuffer central, int number, long position, long limit, String firstName)
            throws DamageException {
        String which = "central header " + number;
        int start = central.position();
        DamageException.unless(
                central.remaining() >= CENTRAL_SIZE,
                which,
                "must have " + CENTRAL_SIZE + " bytes",
                central.remaining());
        int nameLength = central.getShort(start + 28) & 0xFFFF;
        DamageException.unless(
                nameLength >= 1 && nameLength <= LONGEST_NAME && CENTRAL_SIZE + nameLength <= central.remaining(),
                "the length of the name in " + which,
                "must be in [1, " + LONGEST_NAME + "]",
                nameLength);
        byte[] header = new byte[CENTRAL_SIZE + nameLength];
        central.get(header);
        String name = new String(header, CENTRAL_SIZE, nameLength, StandardCharsets.US_ASCII);
        String quoted = DamageException.quote(name);
        DamageException.unless(
                number > 0 || name.equals(firstName),
                "the first entry of a checkpoint",
                "must be " + firstName,
                quoted);
        int method = central.getShort(start + 10) & 0xFFFF;
        DamageException.unless(
                method == 0, "entry " + quoted, "must be stored as it is", "compressed by method " + method);
        int crc = central.getInt(start + 16);
        long size = central.getInt(start + 24) & 0xFFFFFFFFL;
        long offset = central.getInt(start + 42) & 0xFFFFFFFFL;
        DamageException.unless(
                offset == position && size <= limit - position - LOCAL_SIZE - nameLength,
                "entry " + quoted,
                "must start at byte " + position + " and end before byte " + limit,
                size + " bytes at " + offset);
        DamageException.unless(
                Arrays.equals(header, centralHeader(name, crc, size, offset)),
                which,
                "must have no flags, extras or attributes",
                "different, of entry " + quoted);
        return new Entry(name, position + LOCAL_SIZE + nameLength, size, crc);
    }

    private static byte[] localHeader(String name, int crc, long size) {
        byte[] header = new byte[LOCAL_SIZE + name.length()];
        ByteBuffer fields = little(header).putInt(LOCAL_SIGNATURE);
        common(fields, name, crc, size);
        fields.put(LOCAL_SIZE, ascii(name));
        return header;
    }

    private static byte[] centralHeader(String name, int crc, long size, long offset) {
        byte[] header = new byte[CENTRAL_SIZE + name.length()];
        ByteBuffer fields = little(header).putInt(CENTRAL_SIGNATURE).putShort(VERSION);
        common(fields, name, crc, size);
        fields.putInt(42, (int) offset).put(CENTRAL_SIZE, ascii(name));
        return header;
    }

    /** What both headers hold: version, no flags, stored, time and date, CRC-32, size twice, length of the name, no extras. */
    private static void common(ByteBuffer header, String name, int crc, long size) {
        header.putShort(VERSION)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort(DATE);
        header.putInt(crc)
                .putInt((int) size)
                .putInt((int) size)
                .putShort((short) name.length())
                .putShort((short) 0);
    }

    private static byte[] end(int count, long centralSize, long centralPosition) {
        byte[] end = new byte[END_SIZE];
        ByteBuffer fields = little(end).putInt(END_SIGNATURE).putInt(0);
        fields.putShort((short) count).putShort((short) count);
        fields.putInt((int) centralSize).putInt((int) centralPosition);
        return end;
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
