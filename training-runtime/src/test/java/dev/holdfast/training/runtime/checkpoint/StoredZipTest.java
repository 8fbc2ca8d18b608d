package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredZipTest {
    @TempDir
    Path directory;

    private static Map<String, byte[]> entries() {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("first", "abc".getBytes(StandardCharsets.UTF_8));
        entries.put("folder/second", new byte[0]);
        entries.put("third", new byte[100]);
        return entries;
    }

    @Test
    void theJavaPlatformReadsIt() throws Exception {
        byte[] zip = Archives.zip(entries());
        assertThat(Archives.entries(file(zip))).containsExactlyEntriesOf(entries());

        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            List<String> names = new ArrayList<>();
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                names.add(entry.getName());
                assertThat(in.readAllBytes()).isEqualTo(entries().get(entry.getName()));
                assertThat(entry.getTimeLocal()).isEqualTo("1980-01-01T00:00:00");
            }
            assertThat(names).containsExactly("first", "folder/second", "third");
        }
    }

    @Test
    void readsBackWhatItWrote() throws Exception {
        try (RandomAccess archive = new RandomAccess(file(Archives.zip(entries())))) {
            List<StoredZip.Entry> read = StoredZip.read(archive, "first");
            assertThat(read).extracting(StoredZip.Entry::name).containsExactly("first", "folder/second", "third");
            assertThat(read.get(0).open(archive).readAllBytes())
                    .isEqualTo(entries().get("first"));
            // The digest of "abc" in FIPS 180-2, appendix B.1.
            assertThat(read.get(0).verify(archive))
                    .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        }
    }

    @Test
    void findsAFlippedBitInEveryByte() {
        byte[] zip = Archives.zip(entries());
        for (int i = 0; i < zip.length; i++) {
            byte[] flipped = zip.clone();
            flipped[i] ^= (byte) (1 << i % 8);
            assertThatThrownBy(() -> verify(flipped)).as("byte %d", i).isInstanceOf(DamageException.class);
        }
    }

    @Test
    void findsEveryCutAndEveryAddedByte() {
        byte[] zip = Archives.zip(entries());
        for (int length = 0; length < zip.length; length++) {
            byte[] cut = Arrays.copyOf(zip, length);
            assertThatThrownBy(() -> verify(cut)).isInstanceOf(DamageException.class);
        }
        assertThatThrownBy(() -> verify(Arrays.copyOf(zip, zip.length + 1))).isInstanceOf(DamageException.class);
        byte[] shifted = new byte[zip.length + 1];
        System.arraycopy(zip, 0, shifted, 1, zip.length);
        assertThatThrownBy(() -> verify(shifted)).isInstanceOf(DamageException.class);
    }

    @Test
    void refusesArchivesThatOthersMade() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("first"));
            zip.write(new byte[100]);
        }
        assertThatThrownBy(() -> verify(out.toByteArray()))
                .isInstanceOf(DamageException.class)
                .hasMessage("entry 'first' must be stored as it is, but was compressed by method 8");

        ByteArrayOutputStream foreign = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(foreign)) {
            zip.putNextEntry(new ZipEntry("data\u0007\n"));
        }
        assertThatThrownBy(() -> verify(foreign.toByteArray()))
                .isInstanceOf(DamageException.class)
                .hasMessage("the first entry of a checkpoint must be first, but was 'data\\u0007\\u000a'");

        assertThatThrownBy(() -> verify(new byte[100]))
                .isInstanceOf(DamageException.class)
                .hasMessage("must end with a ZIP end record, but doesn't: it is cut short, or no checkpoint");
    }

    @Test
    void refusesContentThatChangesBetweenMeasuringAndWriting() throws Exception {
        byte[] content = new byte[10];
        StoredZip.Part part = StoredZip.Part.of("first", out -> out.write(content));
        content[3] = 1;
        assertThatThrownBy(() -> StoredZip.write(List.of(part), new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessage("first changed while it was written");
    }

    @Test
    void knowsTheLimitsOfTheFormat() {
        Content none = out -> {};
        StoredZip.Part half = new StoredZip.Part("x", none, 1L << 31, 0, "");
        assertThatThrownBy(() -> StoredZip.check(List.of(half, half)))
                .isInstanceOf(DamageException.class)
                .hasMessage("the archive must be smaller than 4 GiB, but was 4294967474 bytes");
        StoredZip.Part empty = new StoredZip.Part("x", none, 0, 0, "");
        assertThatThrownBy(() -> StoredZip.check(java.util.Collections.nCopies(65_535, empty)))
                .isInstanceOf(DamageException.class)
                .hasMessage("the number of entries must be at most 65534, but was 65535");
    }

    private void verify(byte[] zip) throws IOException, DamageException {
        try (RandomAccess archive = new RandomAccess(file(zip))) {
            for (StoredZip.Entry entry : StoredZip.read(archive, "first")) {
                entry.verify(archive);
            }
        }
    }

    private Path file(byte[] bytes) {
        Path file = directory.resolve("archive.zip");
        Archives.write(file, bytes);
        return file;
    }
}
