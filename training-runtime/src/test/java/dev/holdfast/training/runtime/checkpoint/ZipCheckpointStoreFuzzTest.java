package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.rl.api.checkpoint.CheckpointException;
import dev.holdfast.rl.api.random.RandomStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a file holds, loading it gives a checkpoint or a {@link CheckpointException}, and no other exception. */
class ZipCheckpointStoreFuzzTest {
    private static final String[] HOSTILE_JSON = {
        "0",
        "-1",
        "1e999",
        "-0.0",
        "2147483648",
        "9223372036854775808",
        "1".repeat(100),
        "null",
        "true",
        "\"\"",
        "\"custom\"",
        "\"Infinity\"",
        "\"-Infinity\"",
        "[]",
        "{}",
        "[[[[]]]]",
        "[2147483647]",
        "[65536,65536]",
        "{\"\":0}",
        "\"\\ud800\"",
        "\"linear(1)\"",
        "\"linear(,)\"",
        "\"lin_\"",
        "\"1e-400\"",
        "[".repeat(2000),
        "\"Box\"",
        "\"MultiBinary\"",
        "16777216"
    };

    private final ZipCheckpointStore store = new ZipCheckpointStore();
    private Path file;
    private byte[] good;
    private Map<String, byte[]> entries;

    @BeforeEach
    void setUp(@TempDir Path directory) {
        file = directory.resolve("fuzz.zip");
        store.save(Fixtures.checkpoint(), file);
        good = Archives.read(file);
        entries = Archives.entries(file);
    }

    @Test
    void noOtherExceptionThanCheckpointException() {
        fuzz(3_000, 20_260_101);
    }

    @Test
    @Tag("long")
    void noOtherExceptionThanCheckpointExceptionInTheLongRun() {
        fuzz(60_000, System.nanoTime());
    }

    /** {@link StoredZipTest} does the same with every byte of a smaller file. */
    @Test
    void flippedBytesAreFound() {
        for (int i = 0; i < good.length; i += 11) {
            byte[] flipped = good.clone();
            flipped[i] ^= (byte) (1 << i % 8);
            Archives.write(file, flipped);
            assertThatThrownBy(() -> store.load(file)).as("byte %d", i).isInstanceOf(CheckpointException.class);
        }
    }

    @Test
    void truncationsAreFound() {
        for (int length = 0; length < good.length; length += length < 200 || good.length - length < 200 ? 1 : 37) {
            Archives.write(file, Arrays.copyOf(good, length));
            assertThatThrownBy(() -> store.load(file)).as("length %d", length).isInstanceOf(CheckpointException.class);
        }
    }

    private void fuzz(int count, long seed) {
        RandomStream random = new RandomStream(seed);
        int refused = 0;
        for (int i = 0; i < count; i++) {
            byte[] mutated = switch (i % 5) {
                case 0 -> bytes(good, random);
                case 1 -> manifest(random);
                case 2 -> safetensors(random);
                case 3 -> anyEntry(random);
                default -> structure(random);
            };
            Archives.write(file, mutated);
            try {
                store.load(file);
            } catch (CheckpointException e) {
                refused++;
                assertThat(e.getMessage())
                        .startsWith("can't load checkpoint " + file)
                        .hasSizeLessThan(2_000);
            } catch (Throwable e) {
                fail("seed " + seed + ", mutation " + i, e);
            }
        }
        // Some mutations are harmless: another weight, another text.
        assertThat(refused).as("refused with seed %d", seed).isGreaterThan(count / 2);
    }

    /** Changes, removes, repeats or inserts some bytes. */
    private static byte[] bytes(byte[] from, RandomStream random) {
        byte[] bytes = from.clone();
        for (int n = 1 + random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(1 + random.nextInt(1 << random.nextInt(10)), bytes.length - at);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> Arrays.fill(bytes, at, at + length, (byte) (random.nextInt(2) - 1));
                case 3 -> bytes = Arrays.copyOf(bytes, at);
                case 4 -> bytes = splice(bytes, at, length, new byte[0]);
                default -> bytes = splice(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
            }
        }
        return bytes;
    }

    private static byte[] splice(byte[] bytes, int at, int removed, byte[] inserted) {
        byte[] result = new byte[bytes.length - removed + inserted.length];
        System.arraycopy(bytes, 0, result, 0, at);
        System.arraycopy(inserted, 0, result, at, inserted.length);
        System.arraycopy(bytes, at + removed, result, at + inserted.length, bytes.length - at - removed);
        return result;
    }

    /** Puts something else in the place of one value of the manifest, everything around it fitting. */
    private byte[] manifest(RandomStream random) {
        Map<String, byte[]> changed = new LinkedHashMap<>(entries);
        changed.put("manifest.json", json(new String(entries.get("manifest.json"), StandardCharsets.UTF_8), random));
        return random.nextInt(4) == 0 ? Archives.zip(changed) : Archives.consistentZip(changed);
    }

    private static byte[] json(String text, RandomStream random) {
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == ':' || (text.charAt(i) == ',' && random.nextInt(4) == 0)) {
                values.add(i + 1);
            }
        }
        int start = values.get(random.nextInt(values.size()));
        int end = start;
        int depth = 0;
        while (end < text.length() && (depth > 0 || ",}]".indexOf(text.charAt(end)) < 0)) {
            depth += "[{".indexOf(text.charAt(end)) >= 0 ? 1 : "]}".indexOf(text.charAt(end)) >= 0 ? -1 : 0;
            end++;
        }
        String value = HOSTILE_JSON[random.nextInt(HOSTILE_JSON.length)];
        return (text.substring(0, start) + value + text.substring(end)).getBytes(StandardCharsets.UTF_8);
    }

    /** Changes the header of a file of tensors, or makes it and its length disagree. */
    private byte[] safetensors(RandomStream random) {
        List<String> names = entries.keySet().stream()
                .filter(name -> name.endsWith(".safetensors"))
                .toList();
        String name = names.get(random.nextInt(names.size()));
        byte[] tensors = entries.get(name);
        int length =
                (int) ByteBuffer.wrap(tensors).order(ByteOrder.LITTLE_ENDIAN).getLong();
        String header = new String(tensors, 8, length, StandardCharsets.UTF_8);
        byte[] data = Arrays.copyOfRange(tensors, 8 + length, tensors.length);
        byte[] changed = switch (random.nextInt(3)) {
            case 0 -> Archives.safetensors(new String(json(header, random), StandardCharsets.UTF_8), data);
            case 1 -> bytes(tensors, random);
            default ->
                ByteBuffer.wrap(tensors.clone())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(random.nextLong() >> random.nextInt(64))
                        .array();
        };
        Map<String, byte[]> all = new LinkedHashMap<>(entries);
        all.put(name, changed);
        return Archives.consistentZip(all);
    }

    private byte[] anyEntry(RandomStream random) {
        List<String> names = new ArrayList<>(entries.keySet());
        String name = names.get(random.nextInt(names.size()));
        Map<String, byte[]> all = new LinkedHashMap<>(entries);
        all.put(name, bytes(entries.get(name), random));
        return Archives.consistentZip(all);
    }

    /** Drops, adds, renames or reorders entries, or writes wild numbers into the last headers. */
    private byte[] structure(RandomStream random) {
        List<String> names = new ArrayList<>(entries.keySet());
        Map<String, byte[]> all = new LinkedHashMap<>(entries);
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(4)) {
            case 0 -> all.remove(name);
            case 1 -> all.put("../".repeat(random.nextInt(10)) + "x", new byte[random.nextInt(10)]);
            case 2 -> {
                byte[] content = all.remove(name);
                all.put(name, content);
            }
            default -> {
                byte[] wild = good.clone();
                int at = wild.length - 4 - random.nextInt(600);
                ByteBuffer.wrap(wild).order(ByteOrder.LITTLE_ENDIAN).putInt(at, random.nextInt() >> random.nextInt(32));
                return wild;
            }
        }
        return random.nextInt(2) == 0 || !all.containsKey("manifest.json")
                ? Archives.zip(all)
                : Archives.consistentZip(all);
    }
}
