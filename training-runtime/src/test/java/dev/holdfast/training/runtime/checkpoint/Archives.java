package dev.holdfast.training.runtime.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Takes archives apart and puts them together again, with headers, sizes and hashes that fit: for damage below the surface. */
final class Archives {
    private Archives() {}

    /** Returns the entries of an archive, read by the Java platform and not by what is tested. */
    static Map<String, byte[]> entries(Path archive) {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    /** Returns an archive of these entries as they are. */
    static byte[] zip(Map<String, byte[]> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            List<StoredZip.Part> parts = new ArrayList<>();
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                parts.add(StoredZip.Part.of(entry.getKey(), o -> o.write(entry.getValue())));
            }
            StoredZip.write(parts, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Returns an archive whose manifest lists the other entries as they are now. */
    static byte[] consistentZip(Map<String, byte[]> entries) {
        Map<String, byte[]> all = new LinkedHashMap<>(entries);
        String manifest = new String(all.get("manifest.json"), StandardCharsets.UTF_8);
        StringBuilder list = new StringBuilder();
        try {
            for (Map.Entry<String, byte[]> entry : all.entrySet()) {
                if (!entry.getKey().equals("manifest.json")) {
                    StoredZip.Part part = StoredZip.Part.of(entry.getKey(), o -> o.write(entry.getValue()));
                    list.append(list.isEmpty() ? "" : ",")
                            .append("{\"name\":\"")
                            .append(part.name())
                            .append("\",\"size\":")
                            .append(part.size())
                            .append(",\"sha256\":\"")
                            .append(part.sha256())
                            .append("\"}");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int start = manifest.lastIndexOf("\"entries\"");
        if (start >= 0) {
            manifest = manifest.substring(0, start) + "\"entries\":[" + list + "]}";
        }
        all.put("manifest.json", manifest.getBytes(StandardCharsets.UTF_8));
        return zip(all);
    }

    /** Changes a text entry of an archive, everything else still fitting. */
    static void edit(Path archive, String name, UnaryOperator<String> change) {
        Map<String, byte[]> entries = entries(archive);
        // A character a byte, so that binary parts stay as they are.
        String before = new String(entries.get(name), StandardCharsets.ISO_8859_1);
        String after = change.apply(before);
        if (after.equals(before)) {
            throw new AssertionError("the edit changed nothing in " + before);
        }
        entries.put(name, after.getBytes(StandardCharsets.ISO_8859_1));
        write(archive, consistentZip(entries));
    }

    /** Returns a file in the safetensors format from its two halves. */
    static byte[] safetensors(String header, byte[] data) {
        return safetensors(header.getBytes(StandardCharsets.UTF_8), data);
    }

    static byte[] safetensors(byte[] text, byte[] data) {
        return ByteBuffer.allocate(8 + text.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .put(text)
                .put(data)
                .array();
    }

    /** Writes in place: some file systems wait for the disk when a file is emptied and written anew, thousands of times here. */
    static void write(Path file, byte[] bytes) {
        try (RandomAccessFile target = new RandomAccessFile(file.toFile(), "rw")) {
            target.write(bytes);
            target.setLength(bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
