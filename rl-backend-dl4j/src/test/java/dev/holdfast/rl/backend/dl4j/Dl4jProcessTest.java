package dev.holdfast.rl.backend.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.NetworkSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What shows only in a JVM of its own. */
class Dl4jProcessTest {
    @TempDir
    private Path folder;

    /** Looks a backend up, and uses it if asked to. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) {
            PpoBackend backend = Backends.named("dl4j");
            System.err.println(backend.description() + " " + backend.capabilities());
            if (args.length == 1) {
                NetworkSpec spec = Learners.spec(64, 64);
                try (PpoLearner learner = backend.createLearner(new LearnerRequest(spec, args[0], 1, 64, 0))) {
                    System.err.println(learner.kernel());
                }
            }
        }
    }

    @Test
    void loadsNoNativesUntilTheyAreNeeded() throws Exception {
        assertThat(run(List.of("-Xlog:class+load:stdout")))
                .contains("Dl4jBackend")
                .doesNotContain("org.bytedeco.", "org.nd4j.");
    }

    @Test
    void printsNothingToStandardOutput() throws Exception {
        assertThat(run(List.of(), "cpu")).isEmpty();
        assertThat(Files.readString(folder.resolve("err"))).contains("openblas-");
    }

    /** Returns the standard output of a JVM that has ended well. */
    private String run(List<String> options, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        String cache = "org.bytedeco.javacpp.cachedir";
        if (System.getProperty(cache) != null) {
            command.add("-D" + cache + "=" + System.getProperty(cache));
        }
        command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }
}
