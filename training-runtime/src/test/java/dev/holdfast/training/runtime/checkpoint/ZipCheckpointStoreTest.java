package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Phase;
import dev.holdfast.rl.api.checkpoint.Checkpoint.Progress;
import dev.holdfast.rl.api.checkpoint.CheckpointException;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZipCheckpointStoreTest {
    private final ZipCheckpointStore store = new ZipCheckpointStore();
    private Path file;

    @BeforeEach
    void setUp(@TempDir Path directory) {
        file = directory.resolve("q3.zip");
    }

    @Test
    void loadsWhatItSaved() {
        Checkpoint saved = Fixtures.checkpoint();
        store.save(saved, file);
        assertThat(Fixtures.comparable(store.load(file))).isEqualTo(Fixtures.comparable(saved));
    }

    static Stream<NetworkSpec> networks() {
        Space box = Box.of(Float.NEGATIVE_INFINITY, 4.8f, 2, 3);
        return Stream.of(
                NetworkSpec.defaults(box, new Discrete(3), false),
                NetworkSpec.defaults(new Discrete(80), new Discrete(80), true),
                NetworkSpec.of(new MultiDiscrete(3, 1, 4), new MultiDiscrete(2, 5), true, Activation.TANH, 5),
                NetworkSpec.of(new MultiBinary(7), new MultiBinary(3), false, Activation.RELU, 4),
                NetworkSpec.of(box, new MultiBinary(3), true, Activation.RELU, 4),
                NetworkSpec.of(
                        new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0),
                        new ConditionalDiscrete(new MultiDiscrete(3, 2, 4), -1, 0, -1),
                        true,
                        Activation.TANH,
                        5),
                NetworkSpec.of(
                        box,
                        new Box(new int[] {2}, new float[] {-1, -0f}, new float[] {0, Float.MIN_VALUE}),
                        false,
                        Activation.TANH));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void keepsEveryKindOfSpaceAndNetwork(NetworkSpec network) {
        Checkpoint saved = Fixtures.checkpoint(64, network, PpoHyperparameters.DEFAULTS);
        store.save(saved, file);
        assertThat(Fixtures.comparable(store.load(file))).isEqualTo(Fixtures.comparable(saved));
    }

    @Test
    void aModelOfWeightsAloneIsACheckpointToo() {
        Checkpoint saved = Fixtures.withEnvironments(
                Fixtures.withState(Fixtures.checkpoint(), List.of(), List.of()), Map.of(), List.of());
        store.save(saved, file);
        assertThat(Fixtures.comparable(store.load(file))).isEqualTo(Fixtures.comparable(saved));
    }

    @Test
    void equalCheckpointsHaveEqualBytes(@TempDir Path other) {
        store.save(Fixtures.checkpoint(), file);
        store.save(Fixtures.checkpoint(), other.resolve("another.zip"));
        assertThat(other.resolve("another.zip")).hasSameBinaryContentAs(file);

        store.save(Fixtures.checkpoint(65), other.resolve("another.zip"));
        assertThat(Archives.read(other.resolve("another.zip"))).isNotEqualTo(Archives.read(file));
    }

    @Test
    void savingWhatWasLoadedGivesTheSameBytes(@TempDir Path other) {
        store.save(Fixtures.checkpoint(), file);
        store.save(store.load(file), other.resolve("again.zip"));
        assertThat(other.resolve("again.zip")).hasSameBinaryContentAs(file);
    }

    @Test
    void theEntriesStandInTheOrderOfTheFormat() {
        store.save(Fixtures.checkpoint(), file);
        assertThat(Archives.entries(file).keySet())
                .containsExactly(
                        "manifest.json",
                        "weights.safetensors",
                        "optimizer.safetensors",
                        "normalizer.safetensors",
                        "random.json",
                        "rollout.safetensors",
                        "environments/0.bin",
                        "environments/1.bin");
    }

    @Test
    void anInterruptedThreadSavesAndLoads() {
        Thread.currentThread().interrupt();
        store.save(Fixtures.checkpoint(), file);
        Checkpoint loaded = store.load(file);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Fixtures.comparable(loaded)).isEqualTo(Fixtures.comparable(Fixtures.checkpoint()));
    }

    @Test
    void aScheduleWrittenInJavaIsMissedOnlyWhereItIsNeeded(@TempDir Path other) {
        PpoHyperparameters d = PpoHyperparameters.DEFAULTS;
        Schedule falling = remaining -> 1e-3 * remaining * remaining;
        Checkpoint saved = Fixtures.checkpoint(
                64,
                Fixtures.network(),
                new PpoHyperparameters(
                        8, 4, 3, d.gamma(), d.gaeLambda(), falling, r -> 0.1, r -> 0.2, 0, 0.5, 0.5, true, null));
        store.save(saved, file);

        Checkpoint loaded = store.load(file);
        assertThat(loaded.hyperparameters().learningRate().text()).isEqualTo("custom");
        assertThatThrownBy(() -> UpdateSettings.at(loaded.hyperparameters(), 0.25))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "learning_rate was a schedule written in Java, which no file can hold: pass it again in Java");
        // A quarter of the run remains.
        assertThat(ModelMetadata.effectiveHyperparameters(loaded.hyperparameters(), 0.25))
                .containsEntry("learning_rate", 1e-3 * 0.25 * 0.25)
                .containsEntry("clip_range", 0.1);
        assertThat(loaded.learner()).isEqualTo(saved.learner());

        store.save(loaded, other.resolve("again.zip"));
        assertThat(other.resolve("again.zip")).hasSameBinaryContentAs(file);
    }

    // --- Damage

    @Test
    void saysWhatIsNotThere(@TempDir Path directory) {
        assertThatThrownBy(() -> store.load(directory.resolve("none.zip")))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't load checkpoint " + directory.resolve("none.zip") + ": it does not exist");
        assertThatThrownBy(() -> store.load(directory))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't load checkpoint " + directory + ": it is not a regular file");
    }

    @Test
    void namesTheEntryThatAFlippedByteIsIn() {
        store.save(Fixtures.checkpoint(), file);
        byte[] good = Archives.read(file);
        int at = new String(good, StandardCharsets.ISO_8859_1).indexOf("action_net.bias");
        good[at] ^= 1;
        Archives.write(file, good);
        assertThatThrownBy(() -> store.load(file))
                .isInstanceOf(CheckpointException.class)
                .hasMessageStartingWith(
                        "can't load checkpoint " + file + ": weights.safetensors: CRC-32 of the content must be ");
    }

    @Test
    void checksEveryEntryAgainstTheManifest() {
        store.save(Fixtures.checkpoint(), file);
        Map<String, byte[]> entries = Archives.entries(file);
        byte[] random = entries.get("random.json");

        entries.put(
                "random.json",
                new String(random, StandardCharsets.UTF_8).replace('0', '1').getBytes(StandardCharsets.UTF_8));
        assertDamage(Archives.zip(entries), "random.json: SHA-256 must be '");
        entries.put("random.json", "{}".getBytes(StandardCharsets.UTF_8));
        assertDamage(
                Archives.zip(entries),
                "random.json: size must be " + random.length + ", as in the manifest, but was 2");
    }

    @ParameterizedTest
    @CsvSource({
        "random.json, ../random.json, entry 4 must be random.json, but was '../random.json'",
        "random.json, /etc/passwd, entry 4 must be random.json, but was '/etc/passwd'",
        "environments/1.bin, environments/0.bin, entry 7 must be environments/1.bin, but was 'environments/0.bin'",
        "environments/1.bin, extra, entry 7 must be environments/1.bin, but was 'extra'",
        "environments/1.bin, environments/, entry 7 must be environments/1.bin, but was 'environments/'",
        "manifest.json, data, the first entry of a checkpoint must be manifest.json, but was 'data'",
    })
    void refusesEntriesOfOtherNames(String name, String other, String problem) {
        store.save(Fixtures.checkpoint(), file);
        byte[] zip = renamed(Archives.entries(file), name, other);
        assertDamage(zip, problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"manifest.json", "weights.safetensors"})
    void refusesAZipBombBeforeItUnpacksIt(String bomb) throws Exception {
        store.save(Fixtures.checkpoint(), file);
        Map<String, byte[]> entries = Archives.entries(file);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                if (entry.getKey().equals(bomb)) {
                    zip.putNextEntry(new ZipEntry(bomb));
                    byte[] zeros = new byte[1 << 20];
                    for (int i = 0; i < 256; i++) {
                        zip.write(zeros);
                    }
                } else {
                    ZipEntry stored = new ZipEntry(entry.getKey());
                    stored.setMethod(ZipEntry.STORED);
                    stored.setSize(entry.getValue().length);
                    CRC32 crc = new CRC32();
                    crc.update(entry.getValue());
                    stored.setCrc(crc.getValue());
                    zip.putNextEntry(stored);
                    zip.write(entry.getValue());
                }
                zip.closeEntry();
            }
        }
        long before = Allocation.bytes();
        assertDamage(
                bomb.equals("manifest.json")
                        ? "entry 'manifest.json' must be stored as it is, but was compressed by method 8"
                        : "central header 0 must have no flags, extras or attributes");
        assertThat(Allocation.bytes() - before).isLessThan(Allocation.limit(Files.size(file)));
    }

    @Test
    void refusesEntriesThatShareTheirBytes() {
        store.save(Fixtures.checkpoint(), file);
        byte[] zip = Archives.read(file);
        // The last central header stands before the end record of 22 bytes; the offset is in its last 4 bytes before
        // the name.
        int offset = zip.length - 22 - "environments/1.bin".length() - 4;
        ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, 0);
        assertDamage(zip, "entry 'environments/1.bin' must start at byte ");
    }

    @Test
    void refusesHugeHeaders() {
        store.save(Fixtures.checkpoint(), file);
        Map<String, byte[]> entries = Archives.entries(file);
        Map<String, byte[]> huge = new LinkedHashMap<>(entries);
        huge.put("manifest.json", Arrays.copyOf(entries.get("manifest.json"), (8 << 20) + 1));
        assertDamage(Archives.zip(huge), "manifest.json: length must be at most 8388608 bytes, but was 8388609");

        huge = new LinkedHashMap<>(entries);
        huge.put("rollout.safetensors", Archives.safetensors("{" + " ".repeat(1 << 20) + "}", new byte[0]));
        assertDamage(
                Archives.consistentZip(huge),
                "rollout.safetensors: header length must be in [2, 1048576], but was 1048578");

        huge = new LinkedHashMap<>(entries);
        huge.put("x".repeat(65), new byte[0]);
        assertDamage(Archives.zip(huge), "the length of the name in central header 8 must be in [1, 64], but was 65");
    }

    @Test
    void refusesTheSameEntryTwiceAndTooFewEntries() {
        store.save(Fixtures.checkpoint(), file);
        Map<String, byte[]> entries = Archives.entries(file);
        entries.remove("environments/1.bin");
        assertDamage(
                Archives.zip(entries),
                "the number of entries must be at least 6 and one more than the manifest lists, 7, but was 7");
        entries.keySet().retainAll(List.of("manifest.json", "weights.safetensors"));
        assertDamage(Archives.consistentZip(entries), "the number of entries must be at least 6");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "format" : 1                  | "format" : 2                  | it has format version 2, but this library reads versions up to 1: use a newer version of Holdfast
                    "format" : 1                  | "format" : 0                  | format must be at least 1, but was 0
                    "format" : 1                  | "format" : "1"                | format must be a whole number of 32 bits, but was '1'
                    holdfast-checkpoint           | something-else                | kind must be holdfast-checkpoint, but was 'something-else'
                    "masked" : true               | "masked" : 3                  | network.masked must be true or false, but was '3'
                    "n_steps" : 8                 | "n_steps" : 0                 | rollout_steps must be at least 1, but was 0
                    "gamma" : 0.98                | "gamma" : 1.2                 | gamma must be in [0, 1], but was 1.2
                    "gamma" : 0.98                | "gamma" : "Infinity"          | gamma must be in [0, 1], but was Infinity
                    "gamma" : 0.98                | "gamma" : 1e999               | gamma must be in [0, 1], but was Infinity
                    "gamma" : 0.98                | "gamma" : NaN                 | must be JSON, but is not
                    "linear(0.001)"               | "square(0.001)"               | learning_rate must be a number, linear(start) or linear(start,end), but was 'square(0.001)'
                    "type" : "Box"                | "type" : "Sphere"             | type of a space must be Box, Discrete, MultiDiscrete, ConditionalDiscrete or MultiBinary, but was 'Sphere'
                    "activation" : "relu"         | "activation" : "gelu"         | activation must be one of [tanh, relu], but was 'gelu'
                    "phase" : "collect"           | "phase" : "sleep"             | phase must be one of [collect, update, report], but was 'sleep'
                    "total_timesteps" : 64        | "total_timesteps" : 0         | total_timesteps must be at least 1, but was 0
                    "start_timesteps" : 16        | "start_timesteps" : 65        | timesteps must be at least start_timesteps, 65, but was 64
                    "step" : 5                    | "step" : 9                    | step must be in [0, 8], but was 9
                    "step" : 5                    | "step" : 99999999999          | progress.step must be a whole number of 32 bits, but was '99999999999'
                    "iterations" : 3              | "iterations" : -3             | iterations must not be negative, but was -3
                    "settings" : {                | "settings" : { "a" : 1,       | settings.a must be a text, but was '1'
                    "provenance" : {              | "provenance" : 7, "x" : {     | provenance must be an object, but was '7'
                    "kind"                        | "kind" : "a", "kind"          | must be JSON, but is not
                    "orthogonal" : true,          | ``                            | network.orthogonal is missing
                    """)
    void namesTheKeyOfTheManifestThatIsWrong(String before, String after, String problem) {
        store.save(Fixtures.checkpoint(), file);
        Archives.edit(file, "manifest.json", text -> text.replace(before, after));
        assertDamage(problem);
    }

    @Test
    void saysOfANewerFormatThatItIsNewerEvenIfItsEntriesAreOthers() {
        store.save(Fixtures.checkpoint(), file);
        Map<String, byte[]> entries = Archives.entries(file);
        entries.put("replay.bin", new byte[10]);
        entries.put(
                "manifest.json", "{\"format\":3,\"kind\":\"holdfast-checkpoint\"}".getBytes(StandardCharsets.UTF_8));
        assertDamage(Archives.zip(entries), "it has format version 3, but this library reads versions up to 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    { "type" : "Box", "shape" : [ 268435456 ], "low" : 0, "high" : 1 }   | a space must be no larger than the archive's weights
                    { "type" : "Box", "shape" : [ 65536, 65536, 65536, 65536, 65536 ], "low" : 0, "high" : 1 } | a space must be no larger than
                    { "type" : "Box", "shape" : [ 0 ], "low" : 0, "high" : 1 }           | Box shape must have positive dimensions, but was 0
                    { "type" : "Box", "shape" : [ ], "low" : 0, "high" : 1 }             | Box shape must have at least one dimension
                    { "type" : "Box", "shape" : [ 2 ], "low" : [ 0 ], "high" : 1 }       | Box low must have 2 elements, but was 1
                    { "type" : "Box", "shape" : [ 1 ], "low" : 2, "high" : 1 }           | Box bounds must be numbers with low <= high
                    { "type" : "Box", "shape" : [ 1 ], "low" : "NaN", "high" : 1 }       | low must be a number, "Infinity" or "-Infinity", but was 'NaN'
                    { "type" : "Discrete", "n" : 16777216 }                              | a space must be no larger than the archive's weights
                    { "type" : "MultiBinary", "n" : 0 }                                  | MultiBinary n must be in [1, 2^24], but was 0
                    { "type" : "MultiDiscrete", "branches" : [ ] }                       | MultiDiscrete branches must not be empty
                    { "type" : "MultiDiscrete", "branches" : [ 2147483647, 2147483647 ] }| MultiDiscrete branches must have at most 2^24 choices
                    { "type" : "ConditionalDiscrete", "branches" : [ 2, 3 ], "parents" : [ -1, 1 ] } | ConditionalDiscrete parents must be earlier branches, or -1 for none, but was [-1, 1]
                    { "type" : "ConditionalDiscrete", "branches" : [ 2, 3 ] }            | parents is missing
                    { "type" : "Discrete", "n" : 4 }                                     | weights must be 12 tensors with 74 numbers, as the network has, but was 12 with 70
                    """)
    void refusesSpacesThatCantBeBeforeItAllocatesThem(String space, String problem) {
        store.save(Fixtures.checkpoint(), file);
        Archives.edit(
                file,
                "manifest.json",
                text -> text.replaceFirst(
                        "\"observation_space\" : \\{[^}]*}", "\"observation_space\" : " + space.replace("\\", "\\\\")));
        assertDamage(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    [ 65536, 65536, 65536 ] | network must have at most 2^30 parameters
                    [ 0 ]                   | policy layers must have widths in [1, 65536], but was [0]
                    [ 30000, 30000 ]        | weights must be 14 tensors with 900330040 numbers
                    """)
    void refusesNetworksThatDontFitTheWeightsBeforeItAllocatesThem(String layers, String problem) {
        store.save(Fixtures.checkpoint(), file);
        Archives.edit(
                file,
                "manifest.json",
                text -> text.replaceFirst("\"policy_layers\" : \\[[^]]*]", "\"policy_layers\" : " + layers));
        assertDamage(problem);
    }

    @Test
    void refusesNetworksOfEndlessLayers() {
        store.save(Fixtures.checkpoint(), file);
        String layers = "[1" + ",1".repeat(100_000) + "]";
        Archives.edit(
                file,
                "manifest.json",
                text -> text.replaceFirst("\"policy_layers\" : \\[[^]]*]", "\"policy_layers\" : " + layers));
        assertDamage("the network must have at most 1000 layers, but was 100001");
    }

    @Test
    void refusesTensorsThatTheNetworkHasnt() {
        store.save(Fixtures.checkpoint(), file);
        Archives.edit(file, "weights.safetensors", text -> text.replace("action_net.bias", "action_net.gain"));
        assertDamage("weights: the network has no parameter action_net.gain");

        store.save(Fixtures.checkpoint(), file);
        Archives.edit(
                file,
                "optimizer.safetensors",
                text -> text.replace("exp_avg.value_net.bias", "exp_var.value_net.bias"));
        assertDamage(
                "optimizer.safetensors: every tensor must be exp_avg.…, exp_avg_sq.… or the I64 scalar step, but one was "
                        + "'exp_var.value_net.bias[1]:float[]'");

        store.save(Fixtures.checkpoint(), file);
        Archives.edit(file, "random.json", text -> text.replaceFirst("\"[0-9a-f]{16}\",", "\"0x00\","));
        assertDamage(
                "random.json: state of random stream 'actions' must be hexadecimal numbers of 16 digits, but was '0x00'");

        store.save(Fixtures.checkpoint(), file);
        Archives.edit(file, "random.json", text -> text.replaceFirst("\"[0-9a-f]{16}\",", ""));
        assertDamage("random stream actions must be four numbers that are not all 0, but was [");
    }

    @Test
    void refusesEnvironmentsThatAreNone() {
        store.save(Fixtures.checkpoint(), file);
        Map<String, byte[]> entries = Archives.entries(file);
        byte[] environment = entries.get("environments/0.bin");
        // magic 4, length 4, steps 8, seeds 32, state 4
        assertThat(environment).hasSize(52).startsWith("HFEV".getBytes(StandardCharsets.US_ASCII));

        assertEnvironment(entries, Arrays.copyOf(environment, 47), "length must be at least 48 bytes, but was 47");
        assertEnvironment(
                entries,
                Arrays.copyOf(environment, 53),
                "the length of the environment's state must be 5, as much as there is, but was 4");
        byte[] negative = environment.clone();
        Arrays.fill(negative, 4, 8, (byte) 0x80);
        assertEnvironment(
                entries, negative, "the length of the environment's state must be 4, as much as there is, but was -21");
        byte[] foreign = environment.clone();
        foreign[0] = 0;
        assertEnvironment(entries, foreign, "the first number must be 56454648, but was 56454600");
    }

    private void assertEnvironment(Map<String, byte[]> entries, byte[] environment, String problem) {
        Map<String, byte[]> changed = new LinkedHashMap<>(entries);
        changed.put("environments/0.bin", environment);
        assertDamage(Archives.consistentZip(changed), "environments/0.bin: " + problem);
    }

    // --- What doesn't load isn't saved

    @Test
    void savesNothingThatIsNotFinite() {
        store.save(Fixtures.checkpoint(), file);
        byte[] before = Archives.read(file);
        Checkpoint bad = Fixtures.checkpoint();
        bad.learner().weights().get(2).floats()[1] = Float.NaN;
        assertThatThrownBy(() -> store.save(bad, file))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't save checkpoint " + file
                        + ": weights of mlp_extractor.policy_net.0.weight must be finite, but element 1 was NaN");
        assertThat(Archives.read(file)).isEqualTo(before);

        Checkpoint negative = Fixtures.checkpoint();
        negative.learner().secondMoments().get(0).floats()[0] = -1e-9f;
        assertUnsaved(
                negative,
                "exp_avg_sq of mlp_extractor.shared_net.0.weight must be finite and not negative, but element 0 was -1.0E-9");
        Checkpoint infinite = Fixtures.checkpoint();
        infinite.normalizer().get(0).doubles()[2] = Double.POSITIVE_INFINITY;
        assertUnsaved(infinite, "statistic obs_rms.mean must be finite, but was Infinity at 2");
    }

    @Test
    void savesNothingThatIsInconsistent() {
        Checkpoint good = Fixtures.checkpoint();
        LearnerState learner = good.learner();
        List<Tensor> fewer = learner.weights().subList(1, learner.weights().size());
        assertUnsaved(Fixtures.withWeights(good, fewer), "weights must be 12 tensors with");

        List<Tensor> transposed = new ArrayList<>(learner.weights());
        transposed.set(
                0,
                new Tensor(
                        transposed.get(0).name(),
                        new int[] {3, 4},
                        transposed.get(0).data()));
        assertUnsaved(
                Fixtures.withWeights(good, transposed),
                "weights: parameter mlp_extractor.shared_net.0.weight must have shape [4, 3], but has [3, 4]");

        List<Tensor> doubles = new ArrayList<>(learner.weights());
        doubles.set(1, new Tensor("mlp_extractor.shared_net.0.bias", new int[] {4}, new double[4]));
        assertUnsaved(
                Fixtures.withWeights(good, doubles),
                "weights of mlp_extractor.shared_net.0.bias must be of type F32, but was mlp_extractor.shared_net.0.bias[4]:double[]");

        assertUnsaved(
                Fixtures.withLearner(
                        good, new LearnerState(learner.weights(), learner.firstMoments(), learner.secondMoments(), -1)),
                "step of the optimiser must not be negative, but was -1");
        assertUnsaved(
                Fixtures.withProgress(good, new Progress(64, 16, 64, 3, 9, Phase.UPDATE, 0, 4, 0)),
                "epoch must be in [0, 3], but was 4");
        assertUnsaved(
                Fixtures.withEnvironments(good, Map.of("actions", new long[4]), List.of()),
                "random stream actions must be four numbers that are not all 0, but was [0, 0, 0, 0]");
        assertUnsaved(
                Fixtures.withEnvironments(good, Map.of(), List.of(new EnvironmentState(new long[] {1}, null, 0))),
                "stream of episode seeds of environment 0 must be four numbers that are not all 0, but was [1]");
        assertUnsaved(
                Fixtures.withEnvironments(
                        good, Map.of(), List.of(new EnvironmentState(new long[] {1, 2, 3, 4}, null, -1))),
                "steps of environment 0 must not be negative, but was -1");

        Tensor mean = good.normalizer().get(0);
        assertUnsaved(
                Fixtures.withState(good, List.of(mean), List.of()),
                "statistics of observations must be all of [obs_rms.mean, obs_rms.var, obs_rms.epsilon_clip] or none, but was [obs_rms.mean]");
        assertUnsaved(
                Fixtures.withState(
                        good, List.of(new Tensor(ObservationNormalizer.MEAN, new int[] {2}, new double[2])), List.of()),
                "statistic obs_rms.mean must be 3 numbers of type F64, but was obs_rms.mean[2]:double[]");
        assertUnsaved(
                Fixtures.withState(good, List.of(), List.of(mean, mean)),
                "rollout.safetensors: tensor names must differ, but was obs_rms.mean");
    }

    // --- The JSON beside it

    @Test
    void theArchiveMustHaveTheHashInTheJsonBesideIt() {
        String sha256 = store.write(Fixtures.checkpoint(), file);
        Path json = file.resolveSibling("q3.json");
        Archives.write(json, ("{\"model_sha256\":\"" + sha256 + "\"}").getBytes(StandardCharsets.UTF_8));
        assertThat(store.load(file).progress().timesteps()).isEqualTo(64);

        String other = "0".repeat(64);
        Archives.write(json, ("{\"model_sha256\":\"" + other + "\"}").getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> store.load(file))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("can't load checkpoint " + file + ": its SHA-256 must be '" + other
                        + "', the model_sha256 in " + json
                        + ", but was " + sha256
                        + "; the archive itself is whole: to use it in spite of this, move that JSON file away");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"name":"something of the user's"}
                    {"model_sha256"
                    []
                    """)
    void otherFilesBesideItDontMatter(String text) throws Exception {
        Path json = file.resolveSibling("q3.json");
        Files.writeString(json, text);
        store.save(Fixtures.checkpoint(), file);
        assertThat(store.load(file).progress().timesteps()).isEqualTo(64);
        assertThat(json).hasContent(text);
    }

    @Test
    void savingOverAnArchiveRemovesTheJsonThatDescribesTheOldOne() throws Exception {
        String sha256 = store.write(Fixtures.checkpoint(), file);
        Path json = file.resolveSibling("q3.json");
        Files.writeString(json, "{\"model_sha256\":\"" + sha256 + "\"}");
        store.save(Fixtures.checkpoint(80), file);
        assertThat(json).doesNotExist();
        assertThat(store.load(file).progress().timesteps()).isEqualTo(80);
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    private static byte[] renamed(Map<String, byte[]> entries, String name, String other) {
        // By hand: a map can't hold the same name twice.
        try (java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream()) {
            List<StoredZip.Part> parts = new ArrayList<>();
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                String written = entry.getKey().equals(name) ? other : entry.getKey();
                parts.add(StoredZip.Part.of(written, o -> o.write(entry.getValue())));
            }
            StoredZip.write(parts, out);
            return out.toByteArray();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void assertDamage(byte[] archive, String problem) {
        Archives.write(file, archive);
        assertDamage(problem);
    }

    private void assertDamage(String problem) {
        assertThatThrownBy(() -> store.load(file))
                .isInstanceOf(CheckpointException.class)
                .hasMessageStartingWith("can't load checkpoint " + file + ": ")
                .hasMessageContaining(problem);
    }

    private void assertUnsaved(Checkpoint checkpoint, String problem) {
        assertThatThrownBy(() -> store.save(checkpoint, file))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining(problem);
    }
}
