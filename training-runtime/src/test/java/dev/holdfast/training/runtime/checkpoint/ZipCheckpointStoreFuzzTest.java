package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.rl.api.checkpoint.CheckpointException;
import dev.holdfast.rl.api.random.RandomStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
    @Tag("faults")
    void noOtherExceptionThanCheckpointExceptionInTheLongRun() {
        fuzz(60_000, Long.getLong("faults.seed", 1));
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
        System.out.println("mutated archives: seed " + seed);
        RandomStream random = new RandomStream(seed);
        int refused = 0;
        for (int i = 0; i < count; i++) {
            byte[] mutated = switch (i % 6) {
                case 0 -> Mutations.bytes(good, random);
                case 1 -> manifest(random);
                case 2 -> safetensors(random);
                case 3 -> anyEntry(random);
                case 4 -> structure(random);
                default -> random(random);
            };
            Archives.write(file, mutated);
            long allocated = Allocation.bytes();
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
            assertThat(Allocation.bytes() - allocated)
                    .as("bytes that seed %d, mutation %d made it allocate", seed, i)
                    .isLessThan(Allocation.limit(mutated.length));
        }
        // Some mutations are harmless: another weight, another text.
        assertThat(refused).as("refused with seed %d", seed).isGreaterThan(count / 2);
    }

    /** Changes the manifest, everything around it fitting. */
    private byte[] manifest(RandomStream random) {
        Map<String, byte[]> changed = new LinkedHashMap<>(entries);
        changed.put("manifest.json", Mutations.json(entries.get("manifest.json"), random));
        return Archives.zip(changed);
    }

    /** Changes the states of the random streams, everything around them fitting. */
    private byte[] random(RandomStream random) {
        Map<String, byte[]> changed = new LinkedHashMap<>(entries);
        changed.put("random.json", Mutations.json(entries.get("random.json"), random));
        return Archives.consistentZip(changed);
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
        byte[] header = Arrays.copyOfRange(tensors, 8, 8 + length);
        byte[] data = Arrays.copyOfRange(tensors, 8 + length, tensors.length);
        byte[] changed = switch (random.nextInt(3)) {
            case 0 -> Archives.safetensors(Mutations.json(header, random), data);
            case 1 -> Mutations.bytes(tensors, random);
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
        all.put(name, Mutations.bytes(entries.get(name), random));
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
