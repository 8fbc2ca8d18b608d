package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.RunFiles;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever an archive with fitting hashes holds, a run resumes from it or says why it can't. */
class ResumeFuzzTest {
    private static final double[] WILD = {0, -1, 1, 1e9, -1e9, 1e300, Double.NaN, Double.POSITIVE_INFINITY};

    private Path model;
    private final List<Map<String, byte[]>> archives = new ArrayList<>();

    @BeforeEach
    void setUp(@TempDir Path folder) throws IOException {
        model = folder.resolve("run/q3.zip");
        // In the first rollout, in an update, at the end.
        for (int reads : new int[] {70, 180, 1_000_000}) {
            train(
                    TrainingConfig.builder()
                            .set(Fields.ENV, "Drift-v0")
                            .set(Fields.ENVS, 2)
                            .set(Fields.TIMESTEPS, 128L),
                    reads);
            archives.add(Archives.entries(model));
            Folders.delete(model.getParent());
        }
    }

    private void train(TrainingConfig.Builder config, int reads) {
        RunControl control = new RunControl();
        int[] count = new int[1];
        Trainer.Builder trainer = Trainer.of(config.set(Fields.MODEL, Optional.of(model))
                        .set(Fields.TENSORBOARD, false)
                        .set(Fields.EVAL_EPISODES, 0)
                        .build())
                .control(control)
                .clocks(Clock.systemUTC(), () -> {
                    if (++count[0] == reads) {
                        control.requestStop("test");
                    }
                    return count[0];
                });
        RunFiles.writtenBy(new FaultyDisk().files(), trainer).build().train();
    }

    @Test
    void noOtherExceptionThanTheDocumentedOne() throws IOException {
        fuzz(200, 20_260_103);
    }

    @Test
    @Tag("faults")
    void noOtherExceptionThanTheDocumentedOneInTheLongRun() throws IOException {
        fuzz(15_000, Long.getLong("faults.seed", 1));
    }

    private void fuzz(int count, long seed) throws IOException {
        System.out.println("resumed from mutated archives: seed " + seed);
        RandomStream random = new RandomStream(seed);
        int resumed = 0;
        for (int i = 0; i < count; i++) {
            Map<String, byte[]> entries = new LinkedHashMap<>(archives.get(i % archives.size()));
            mutate(entries, random);
            Files.createDirectories(model.getParent());
            Archives.write(model, Archives.consistentZip(entries));
            try {
                train(TrainingConfig.builder().set(Fields.RESUME, true), 200);
                resumed++;
            } catch (HoldfastException e) {
                assertThat(e.getMessage()).as("seed %d, mutation %d", seed, i).hasSizeLessThan(3_000);
            } catch (Throwable e) {
                fail("seed " + seed + ", mutation " + i, e);
            }
            Folders.delete(model.getParent());
        }
        assertThat(resumed).as("resumed with seed %d", seed).isBetween(1, count - 1);
    }

    private static void mutate(Map<String, byte[]> entries, RandomStream random) {
        List<String> names = new ArrayList<>(entries.keySet());
        String name = names.get(random.nextInt(names.size()));
        byte[] content = entries.get(name);
        entries.put(
                name,
                name.endsWith(".json")
                        ? Mutations.value(new String(content, StandardCharsets.UTF_8), random)
                        : name.endsWith(".safetensors") && random.nextInt(2) == 0
                                ? tensors(content, random)
                                : Mutations.bytes(content, random));
    }

    /** Leaves out, empties, shortens or fills a tensor, or gives it another type. */
    private static byte[] tensors(byte[] content, RandomStream random) {
        try {
            List<Tensor> tensors = new ArrayList<>(SafeTensors.read(new ByteArrayInputStream(content), content.length));
            if (tensors.isEmpty()) {
                return content;
            }
            int at = random.nextInt(tensors.size());
            Tensor tensor = tensors.get(at);
            int length = Array.getLength(tensor.data());
            Object data = switch (random.nextInt(5)) {
                case 0 -> Array.newInstance(tensor.data().getClass().getComponentType(), 0);
                case 1 -> Array.newInstance(tensor.data().getClass().getComponentType(), Math.max(0, length - 1));
                case 2 -> {
                    double[] wild = new double[length];
                    Arrays.fill(wild, WILD[random.nextInt(WILD.length)]);
                    yield wild;
                }
                case 3 -> {
                    float[] wild = new float[length];
                    Arrays.fill(wild, (float) WILD[random.nextInt(WILD.length)]);
                    yield wild;
                }
                default -> {
                    int[] wild = new int[length];
                    Arrays.fill(wild, (int) WILD[random.nextInt(WILD.length)]);
                    yield wild;
                }
            };
            int[] shape = Array.getLength(data) == length ? tensor.shape() : new int[] {Array.getLength(data)};
            tensors.set(at, new Tensor(tensor.name(), shape, data));
            if (random.nextInt(5) == 0) {
                tensors.remove(at);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            SafeTensors.write(tensors, out);
            return out.toByteArray();
        } catch (DamageException | IOException e) {
            throw new AssertionError(e);
        }
    }
}
