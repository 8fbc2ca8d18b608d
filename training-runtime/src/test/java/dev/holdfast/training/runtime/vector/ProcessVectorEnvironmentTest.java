package dev.holdfast.training.runtime.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What processes add to the contract of {@link VectorEnvironmentTest}: whatever an environment does harms nobody else. */
class ProcessVectorEnvironmentTest {
    private static final int COUNT = 3;
    private static final WorkerOptions PATIENT =
            new WorkerOptions(1, Duration.ofSeconds(60), 3, List.of("-Xmx64m"), System::nanoTime);

    @TempDir
    private Path folder;

    private final List<String> losses = new ArrayList<>();

    private VectorEnvironment create(WorkerOptions options) {
        MischiefProvider provider = new MischiefProvider();
        EnvironmentOptions environment = EnvironmentOptions.of(provider, Map.of("folder", folder.toString()), 1, 1, "");
        return VectorEnvironments.create(
                "process", COUNT, EnvironmentSource.of(provider, environment), options, losses::add);
    }

    private static void steps(VectorEnvironment environments, int count) {
        for (int i = 0; i < count; i++) {
            environments.step(new float[] {0, 1, 0});
            assertThat(environments.missed()).containsOnly(false);
            assertThat(environments.rewards()).containsExactly(0, 1, 0);
        }
    }

    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info()
                        .commandLine()
                        .map(line -> line.contains(EnvironmentWorker.class.getName()))
                        .orElse(true))
                .toList();
    }

    /** One environment is lost in its 6th step, and the others never notice. */
    private void expectLossOfOne(VectorEnvironment environments, String reason) {
        environments.step(new float[COUNT]);
        int lost = -1;
        for (int i = 0; i < COUNT; i++) {
            if (environments.missed()[i]) {
                assertThat(lost).as("only one is lost").isNegative();
                lost = i;
            }
            assertThat(environments.observations()[i]).isEqualTo(environments.missed()[i] ? 0 : 6);
        }
        assertThat(lost).isNotNegative();
        assertThat(losses).hasSize(1);
        assertThat(losses.get(0))
                .contains("worker " + lost + " (process ")
                .contains(", environment " + lost + ")")
                .contains(reason);
        // The next call completes the step: the lost one's first, nobody else's.
        environments.step(new float[COUNT]);
        assertThat(environments.missed()).containsOnly(false);
        for (int i = 0; i < COUNT; i++) {
            assertThat(environments.observations()[i]).isEqualTo(i == lost ? 1 : 6);
        }
        steps(environments, 4);
        assertThat(environments.observations()[lost]).isEqualTo(5);
        assertThat(environments.save())
                .allSatisfy(state -> assertThat(state.state()).isNotNull());
        assertThat(losses).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            throw    | had an exception: environment
            exit     | ended, exit code 3; its last lines of standard error: about to exit
            overflow | had an exception: java.lang.StackOverflowError
            exhaust  | java.lang.OutOfMemoryError
            """)
    void survivesWhatAnEnvironmentDoes(String what, String reason) {
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            MischiefProvider.plan(folder, what);
            expectLossOfOne(environments, reason);
        }
    }

    @Test
    void replacesAWorkerThatHangs() {
        WorkerOptions options = new WorkerOptions(1, Duration.ofSeconds(3), 3, List.of(), System::nanoTime);
        try (VectorEnvironment environments = create(options)) {
            environments.reset(1);
            steps(environments, 5);
            MischiefProvider.plan(folder, "hang");
            expectLossOfOne(environments, "was silent for more than 3.0 s");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void replacesAWorkerThatGetsASignal(String signal) throws Exception {
        assumeSignals();
        WorkerOptions options = new WorkerOptions(1, Duration.ofSeconds(3), 3, List.of(), System::nanoTime);
        try (VectorEnvironment environments = create(options)) {
            environments.reset(1);
            steps(environments, 5);
            signal(workers().get(0), signal);
            if (signal.equals("KILL")) {
                workers().get(0).onExit().get(10, TimeUnit.SECONDS);
            }
            expectLossOfOne(
                    environments, signal.equals("KILL") ? "exit code 137 (SIGKILL)" : "was silent for more than 3.0 s");
        }
    }

    @Test
    void replacesAllAtOnce() throws Exception {
        assumeSignals();
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            for (ProcessHandle worker : workers()) {
                signal(worker, "KILL");
            }
            environments.step(new float[COUNT]);
            assertThat(environments.missed()).containsOnly(true);
            assertThat(environments.observations()).containsOnly(0);
            assertThat(losses).hasSize(COUNT);
            environments.step(new float[COUNT]);
            assertThat(environments.missed()).containsOnly(false);
            steps(environments, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"create_throws", "create_sleeps", "reset_throws"})
    void survivesABadStart(String what) {
        MischiefProvider.plan(folder, what);
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            assertThat(losses).hasSize(what.endsWith("throws") ? 1 : 0);
        }
    }

    @Test
    void isNotConfusedByWhatIsPrinted() {
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            for (int i = 0; i < 5; i++) {
                MischiefProvider.plan(folder, "print");
                steps(environments, 10);
            }
            assertThat(losses).isEmpty();
        }
    }

    @Test
    void aWorkerLostBetweenTwoStepsMissesTheNext() {
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            MischiefProvider.plan(folder, "save_exits");
            List<EnvironmentState> states = environments.save();
            assertThat(losses).hasSize(1);
            int lost = 0;
            while (states.get(lost).state() != null) {
                lost++;
            }
            // Saved once more, its new episode is still not the one that the caller knows of.
            assertThat(environments.save().get(lost).state()).isNull();
            environments.step(new float[COUNT]);
            for (int i = 0; i < COUNT; i++) {
                assertThat(environments.missed()[i]).isEqualTo(i == lost);
                assertThat(environments.observations()[i]).isEqualTo(i == lost ? 0 : 6);
            }
            environments.step(new float[COUNT]);
            assertThat(environments.observations()[lost]).isEqualTo(1);
        }
    }

    @Test
    void endsWhenAWorkerIsLostTooOften() {
        AtomicLong clock = new AtomicLong();
        WorkerOptions options = new WorkerOptions(COUNT, Duration.ofSeconds(60), 2, List.of(), clock::get);
        try (VectorEnvironment environments = create(options)) {
            environments.reset(1);
            for (int loss = 1; loss <= 2; loss++) {
                MischiefProvider.plan(folder, "throw");
                environments.step(new float[COUNT]);
                assertThat(environments.missed()).as("of the same process").containsOnly(true);
                environments.step(new float[COUNT]);
            }
            // Losses of long ago don't count.
            clock.set(WorkerOptions.WINDOW.toNanos() + 1);
            MischiefProvider.plan(folder, "throw");
            environments.step(new float[COUNT]);
            environments.step(new float[COUNT]);
            MischiefProvider.plan(folder, "throw");
            environments.step(new float[COUNT]);
            environments.step(new float[COUNT]);
            MischiefProvider.plan(folder, "throw");
            assertThatThrownBy(() -> environments.step(new float[COUNT]))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("worker 0")
                    .hasMessageContaining("oops")
                    .hasMessageContaining(
                            "it was replaced 2 times within 10 minutes, as often as worker_restarts allows");
        }
    }

    @Test
    @DisplayName("A2 a worker ignores SIGTERM and SIGINT, inherits no secret, and leaves nothing behind")
    void workersAreSealedOff() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "reads /proc");
        List<ProcessHandle> workers;
        Path shared;
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            workers = workers();
            assertThat(workers).hasSize(COUNT);
            for (ProcessHandle worker : workers) {
                long ignored = ignoredSignals(worker.pid());
                assertThat(ignored >> (15 - 1) & 1).as("SIGTERM").isEqualTo(1);
                assertThat(ignored >> (2 - 1) & 1).as("SIGINT").isEqualTo(1);
                String variables =
                        Files.readString(Path.of("/proc/" + worker.pid() + "/environ"), StandardCharsets.ISO_8859_1);
                assertThat(Arrays.stream(variables.split("\0", -1))
                                .filter(text -> !text.isEmpty())
                                .map(text -> text.substring(0, text.indexOf('='))))
                        .isSubsetOf(Stream.concat(Worker.VARIABLES.stream(), Stream.of("PWD", "OLDPWD", "SHLVL", "_"))
                                .toList());
            }
            shared = ((ProcessVectorEnvironment) environments).folder();
            assertThat(shared).isNotEmptyDirectory();
            long own = ignoredSignals(ProcessHandle.current().pid());
            assertThat(own >> (15 - 1) & 1).as("SIGTERM of this process").isZero();
            workers.forEach(ProcessHandle::destroy);
            steps(environments, 5);
        }
        assertThat(workers).noneMatch(ProcessHandle::isAlive);
        assertThat(shared).doesNotExist();
    }

    private static long ignoredSignals(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                .findFirst()
                .orElseThrow();
    }

    /** Makes a vector environment and never ends. */
    static final class Orphaned {
        private Orphaned() {}

        public static void main(String[] arguments) throws InterruptedException {
            MischiefProvider provider = new MischiefProvider();
            VectorEnvironment environments = VectorEnvironments.create(
                    "process",
                    COUNT,
                    EnvironmentSource.of(
                            provider, EnvironmentOptions.of(provider, Map.of("folder", arguments[0]), 1, 1, "")),
                    WorkerOptions.defaults(),
                    reason -> {});
            environments.reset(1);
            System.out.println("ready");
            environments.step(new float[COUNT]);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void workersDieWithTheirTrainerHoweverItDies() throws Exception {
        // One of them is in the middle of a step that never ends.
        MischiefProvider.plan(folder, "hang");
        Process trainer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Orphaned.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(trainer.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(reader.readLine()).isEqualTo("ready");
            List<ProcessHandle> workers = trainer.toHandle().children().toList();
            assertThat(workers).hasSize(COUNT);
            while (Files.exists(folder.resolve("hang"))) {
                Thread.onSpinWait();
            }
            trainer.destroyForcibly();
            for (ProcessHandle worker : workers) {
                worker.onExit().get(30, TimeUnit.SECONDS);
            }
        } finally {
            trainer.destroyForcibly();
        }
    }

    private static void assumeSignals() {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "sends signals");
    }

    private static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }
}
