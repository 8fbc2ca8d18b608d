package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.CheckpointException;
import dev.holdfast.rl.api.checkpoint.CheckpointStore;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.network.Tensor;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints as ZIP archives.
 *
 * <pre>
 *   manifest.json           format version, spaces, network, hyperparameters, settings, progress, provenance;
 *                           size and SHA-256 of every other entry
 *   weights.safetensors     one F32 tensor a parameter, in PyTorch's naming and layout
 *   optimizer.safetensors   exp_avg.(parameter) and exp_avg_sq.(parameter), F32, and step, an I64 scalar
 *   normalizer.safetensors  statistics of observations and rewards; no tensors without normalisation
 *   random.json             state of each named random stream: four numbers of 64 bits, hexadecimal
 *   rollout.safetensors     the rollout that is being collected or learned from; no tensors if there is none
 *   environments/0.bin …    state of each environment
 * </pre>
 *
 * <p>The entries are not compressed, stand in this order, and nothing holds a time: equal checkpoints give equal bytes, and every
 * byte of the file is checked when it is read. No Java object is ever deserialised. Memory is bounded by the length of the file. An
 * archive must be smaller than 4 GiB.
 *
 * <p>Where a file of the same name with the ending {@code .json} holds {@code model_sha256}, the archive must have that hash. Saving
 * over an archive therefore removes such a file: it describes the old one.
 *
 * <p><em>Threads.</em> Safe for concurrent use on different files; a file may be read while it is replaced.
 */
public final class ZipCheckpointStore implements CheckpointStore {
    private static final Logger LOG = LoggerFactory.getLogger(ZipCheckpointStore.class);

    private static final String MANIFEST = "manifest.json";
    private static final String WEIGHTS = "weights.safetensors";
    private static final String OPTIMIZER = "optimizer.safetensors";
    private static final String NORMALIZER = "normalizer.safetensors";
    private static final String RANDOM = "random.json";
    private static final String ROLLOUT = "rollout.safetensors";
    private static final List<String> FIXED = List.of(MANIFEST, WEIGHTS, OPTIMIZER, NORMALIZER, RANDOM, ROLLOUT);
    private static final int LARGEST_JSON = 8 << 20;

    private static final String FIRST_MOMENT = "exp_avg.";
    private static final String SECOND_MOMENT = "exp_avg_sq.";
    private static final String STEP = "step";

    private final DurableFiles files;

    /** Creates a store. */
    public ZipCheckpointStore() {
        this(new DurableFiles());
    }

    ZipCheckpointStore(DurableFiles files) {
        this.files = files;
    }

    /** Returns where the JSON beside an archive is. */
    static Path metadataFile(Path archive) {
        String name = String.valueOf(archive.getFileName());
        String stem = name.endsWith(".zip") ? name.substring(0, name.length() - ".zip".length()) : name;
        return archive.resolveSibling(stem + ".json");
    }

    @Override
    public void save(Checkpoint checkpoint, Path file) {
        write(checkpoint, file);
    }

    /** Saves, and returns the archive's SHA-256. */
    String write(Checkpoint checkpoint, Path file) {
        List<StoredZip.Part> parts;
        try {
            Consistency.check(checkpoint);
            parts = parts(checkpoint);
            StoredZip.check(parts);
        } catch (DamageException | IOException e) {
            throw new CheckpointException("can't save checkpoint " + file + ": " + e.getMessage(), e);
        }
        MessageDigest sha = Hash.sha256();
        Path metadata = metadataFile(file);
        files.write(
                file,
                out -> StoredZip.write(parts, new DigestOutputStream(out, sha)),
                recordedHash(metadata) == null ? null : metadata);
        return Hash.hex(sha);
    }

    private static List<StoredZip.Part> parts(Checkpoint checkpoint) throws DamageException, IOException {
        List<StoredZip.Part> parts = new ArrayList<>();
        parts.add(tensors(WEIGHTS, checkpoint.learner().weights()));
        parts.add(tensors(OPTIMIZER, optimizer(checkpoint.learner())));
        parts.add(tensors(NORMALIZER, checkpoint.normalizer()));
        parts.add(json(RANDOM, random(checkpoint.random())));
        parts.add(tensors(ROLLOUT, checkpoint.rollout()));
        for (EnvironmentState environment : checkpoint.environments()) {
            String name = environmentName(parts.size() + 1);
            parts.add(StoredZip.Part.of(name, out -> EnvironmentFile.write(environment, out)));
        }
        parts.add(0, json(MANIFEST, Manifest.describe(checkpoint, parts)));
        return parts;
    }

    private static StoredZip.Part tensors(String name, List<Tensor> tensors) throws DamageException, IOException {
        try {
            SafeTensors.check(tensors);
        } catch (DamageException e) {
            throw new DamageException(name + ": " + e.getMessage());
        }
        return StoredZip.Part.of(name, out -> SafeTensors.write(tensors, out));
    }

    private static StoredZip.Part json(String name, Map<String, ?> object) throws DamageException, IOException {
        byte[] text = Json.pretty(object);
        DamageException.unless(
                text.length <= LARGEST_JSON, name, "must have at most " + LARGEST_JSON + " bytes", text.length);
        return StoredZip.Part.of(name, out -> out.write(text));
    }

    private static List<Tensor> optimizer(LearnerState learner) {
        List<Tensor> tensors = new ArrayList<>();
        for (Tensor moment : learner.firstMoments()) {
            tensors.add(new Tensor(FIRST_MOMENT + moment.name(), moment.shape(), moment.data()));
        }
        for (Tensor moment : learner.secondMoments()) {
            tensors.add(new Tensor(SECOND_MOMENT + moment.name(), moment.shape(), moment.data()));
        }
        tensors.add(new Tensor(STEP, new int[0], new long[] {learner.step()}));
        return tensors;
    }

    private static Map<String, List<String>> random(Map<String, long[]> streams) {
        Map<String, List<String>> json = new TreeMap<>();
        streams.forEach((name, state) -> {
            List<String> numbers = new ArrayList<>();
            for (long number : state) {
                numbers.add(HexFormat.of().toHexDigits(number));
            }
            json.put(name, numbers);
        });
        return json;
    }

    /** Returns the name of the entry at a place in the archive. */
    private static String environmentName(int index) {
        return "environments/" + (index - FIXED.size()) + ".bin";
    }

    @Override
    public Checkpoint load(Path file) {
        if (!Files.isRegularFile(file)) {
            String problem = Files.exists(file) ? "it is not a regular file" : "it does not exist";
            throw new CheckpointException("can't load checkpoint " + file + ": " + problem, null);
        }
        // The hash is read first: a trainer that replaces the archive meanwhile removes the JSON before.
        Path metadata = metadataFile(file);
        String recorded = recordedHash(metadata);
        try (RandomAccess archive = new RandomAccess(file)) {
            Checkpoint checkpoint = read(archive);
            if (recorded != null) {
                String actual = sha256(archive);
                if (!actual.equals(recorded) && recorded.equals(recordedHash(metadata))) {
                    throw new DamageException(
                            "its SHA-256 must be " + DamageException.quote(recorded) + ", the model_sha256 in "
                                    + metadata + ", but was " + actual
                                    + "; the archive itself is whole: to use it in spite of this, move that JSON file away");
                }
            }
            return checkpoint;
        } catch (DamageException e) {
            throw new CheckpointException("can't load checkpoint " + file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CheckpointException("can't read checkpoint " + file + ": " + DurableFiles.reason(e), e);
        }
    }

    private static Checkpoint read(RandomAccess archive) throws IOException, DamageException {
        List<StoredZip.Entry> entries = StoredZip.read(archive, MANIFEST);
        Manifest manifest = manifest(entries.get(0), archive);
        verify(entries, manifest.entries(), archive);
        List<EnvironmentState> environments = new ArrayList<>();
        for (StoredZip.Entry entry : entries.subList(FIXED.size(), entries.size())) {
            environments.add(decode(entry, archive, EnvironmentFile::read));
        }
        Checkpoint checkpoint = new Checkpoint(
                manifest.network(),
                manifest.hyperparameters(),
                manifest.settings(),
                manifest.progress(),
                learner(
                        decode(entries.get(FIXED.indexOf(WEIGHTS)), archive, SafeTensors::read),
                        decode(entries.get(FIXED.indexOf(OPTIMIZER)), archive, SafeTensors::read)),
                decode(entries.get(FIXED.indexOf(NORMALIZER)), archive, SafeTensors::read),
                decode(entries.get(FIXED.indexOf(RANDOM)), archive, ZipCheckpointStore::random),
                decode(entries.get(FIXED.indexOf(ROLLOUT)), archive, SafeTensors::read),
                environments,
                manifest.provenance());
        Consistency.check(checkpoint);
        return checkpoint;
    }

    private static Manifest manifest(StoredZip.Entry entry, RandomAccess archive) throws IOException, DamageException {
        entry.verify(archive);
        return decode(
                entry, archive, (in, length) -> Manifest.read(smallJson(in, length), archive.length() / Float.BYTES));
    }

    /** Checks the entries' names, sizes and hashes against the manifest. */
    private static void verify(List<StoredZip.Entry> entries, List<Manifest.Item> items, RandomAccess archive)
            throws IOException, DamageException {
        DamageException.unless(
                entries.size() >= FIXED.size() && items.size() == entries.size() - 1,
                "the number of entries",
                "must be at least " + FIXED.size() + " and one more than the manifest lists, " + items.size(),
                entries.size());
        for (int i = 1; i < entries.size(); i++) {
            StoredZip.Entry entry = entries.get(i);
            Manifest.Item item = items.get(i - 1);
            String name = i < FIXED.size() ? FIXED.get(i) : environmentName(i);
            DamageException.unless(
                    entry.name().equals(name), "entry " + i, "must be " + name, DamageException.quote(entry.name()));
            DamageException.unless(
                    item.name().equals(name),
                    "entry " + i + " in the manifest",
                    "must be " + name,
                    DamageException.quote(item.name()));
            DamageException.unless(
                    entry.size() == item.size(),
                    name + ": size",
                    "must be " + item.size() + ", as in the manifest",
                    entry.size());
            String sha256 = entry.verify(archive);
            DamageException.unless(
                    sha256.equals(item.sha256()),
                    name + ": SHA-256",
                    "must be " + DamageException.quote(item.sha256()) + ", as in the manifest",
                    sha256);
        }
    }

    private static LearnerState learner(List<Tensor> weights, List<Tensor> optimizer) throws DamageException {
        List<Tensor> firstMoments = new ArrayList<>();
        List<Tensor> secondMoments = new ArrayList<>();
        Long step = null;
        for (Tensor tensor : optimizer) {
            String name = tensor.name();
            if (name.startsWith(FIRST_MOMENT)) {
                firstMoments.add(new Tensor(name.substring(FIRST_MOMENT.length()), tensor.shape(), tensor.data()));
            } else if (name.startsWith(SECOND_MOMENT)) {
                secondMoments.add(new Tensor(name.substring(SECOND_MOMENT.length()), tensor.shape(), tensor.data()));
            } else if (name.equals(STEP) && tensor.data() instanceof long[] number && tensor.shape().length == 0) {
                step = number[0];
            } else {
                throw new DamageException(OPTIMIZER
                        + ": every tensor must be exp_avg.…, exp_avg_sq.… or the I64 scalar step, but one was "
                        + DamageException.quote(tensor.toString()));
            }
        }
        if (step == null) {
            throw new DamageException(OPTIMIZER + ": the tensor step is missing");
        }
        return new LearnerState(weights, firstMoments, secondMoments, step);
    }

    private static Map<String, long[]> random(InputStream in, long length) throws DamageException, IOException {
        Json json = Json.parse(smallJson(in, length));
        Map<String, long[]> streams = new TreeMap<>();
        for (String name : json.keys()) {
            List<String> texts = json.texts(name);
            long[] state = new long[texts.size()];
            for (int i = 0; i < state.length; i++) {
                DamageException.unless(
                        texts.get(i).matches("[0-9a-f]{16}"),
                        "state of random stream " + DamageException.quote(name),
                        "must be hexadecimal numbers of 16 digits",
                        DamageException.quote(texts.get(i)));
                state[i] = HexFormat.fromHexDigitsToLong(texts.get(i));
            }
            streams.put(name, state);
        }
        return streams;
    }

    private static byte[] smallJson(InputStream in, long length) throws DamageException, IOException {
        DamageException.unless(length <= LARGEST_JSON, "length", "must be at most " + LARGEST_JSON + " bytes", length);
        return in.readNBytes((int) length);
    }

    private interface Decoder<T> {
        T decode(InputStream in, long length) throws DamageException, IOException;
    }

    private static <T> T decode(StoredZip.Entry entry, RandomAccess archive, Decoder<T> decoder)
            throws DamageException, IOException {
        try (InputStream in = new BufferedInputStream(entry.open(archive), 1 << 16)) {
            return decoder.decode(in, entry.size());
        } catch (DamageException e) {
            throw new DamageException(entry.name() + ": " + e.getMessage());
        }
    }

    private static String sha256(RandomAccess archive) throws IOException {
        MessageDigest sha = Hash.sha256();
        try (InputStream in = new DigestInputStream(archive.stream(0, archive.length()), sha)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Hash.hex(sha);
    }

    /** Returns the {@code model_sha256} of the JSON beside an archive, or null if there is no such JSON. */
    private static @Nullable String recordedHash(Path metadata) {
        try {
            if (!Files.isRegularFile(metadata) || Files.size(metadata) > LARGEST_JSON) {
                return null;
            }
            Json json = Json.parse(Files.readAllBytes(metadata));
            return json.has("model_sha256") ? json.text("model_sha256") : null;
        } catch (DamageException | IOException e) {
            LOG.warn("ignored {} beside a checkpoint: {}", metadata, e.getMessage());
            return null;
        }
    }
}
