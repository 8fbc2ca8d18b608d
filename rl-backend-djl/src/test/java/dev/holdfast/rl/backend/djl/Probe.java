package dev.holdfast.rl.backend.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What tests do in a JVM of their own: one loads PyTorch or fails to only once. */
final class Probe {
    private Probe() {}

    /** {@code start}, or {@code memory} with the numbers of updates to warm up with and to measure. */
    public static void main(String[] args) throws IOException {
        if (args[0].equals("start")) {
            start();
        } else {
            memory(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        }
    }

    private static void start() {
        PpoBackend backend = Backends.named("djl");
        System.out.println(backend.name() + ", offline " + System.getProperty("ai.djl.offline"));
        System.out.println(backend.devices());
        try (PpoLearner learner = backend.createLearner(request(4))) {
            System.out.println("created, offline " + System.getProperty("ai.djl.offline") + ", " + learner.kernel());
        } catch (InvalidConfigurationException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static LearnerRequest request(int maxBatchSize) {
        NetworkSpec spec = NetworkSpec.defaults(Box.unbounded(4), new Discrete(2), false);
        return new LearnerRequest(spec, "cpu", 1, maxBatchSize, 0);
    }

    private static void memory(int warmUp, int updates) throws IOException {
        try (PpoLearner learner = new DjlBackend().createLearner(request(64))) {
            update(learner, warmUp);
            long before = residentKilobytes();
            update(learner, updates);
            System.out.println("grown by " + (residentKilobytes() - before) + " kB");
        }
    }

    private static void update(PpoLearner learner, int updates) {
        LearnerRequest request = request(64);
        MiniBatch batch = new MiniBatch(request.network(), 64);
        Arrays.fill(batch.features(), 0.5f);
        Arrays.fill(batch.logProbabilities(), (float) Math.log(0.5));
        Arrays.fill(batch.returns(), 1);
        UpdateSettings settings =
                new UpdateSettings(1e-4, 0.2, Double.POSITIVE_INFINITY, 0, 0.5, 0.5, true, Double.POSITIVE_INFINITY);
        UpdateStatistics statistics = new UpdateStatistics();
        float[] outputs = new float[64 * 2];
        float[] values = new float[64];
        for (int i = 0; i < updates; i++) {
            // A batch of another size now and then, and what happens between two rollouts.
            batch.size(i % 32 == 31 ? 17 : 64);
            learner.update(batch, settings, statistics);
            if (i % 100 == 0) {
                learner.evaluate(8, batch.features(), outputs, values);
                learner.importState(learner.exportState());
            }
        }
    }

    private static long residentKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Runs this class in another JVM.
     *
     * @param options for the JVM
     * @param classPath its class path
     * @param arguments for {@link #main}
     * @return what it wrote to standard output and standard error
     */
    static String run(List<String> options, String classPath, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        // Java 24 warns of native libraries without it.
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, Probe.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
