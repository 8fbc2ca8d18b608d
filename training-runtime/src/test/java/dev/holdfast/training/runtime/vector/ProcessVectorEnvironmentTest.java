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
import java.io.UncheckedIOException;
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
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What processes add to the contract of {@link VectorEnvironmentTest}: whatever an environment does harms nobody else. */
class ProcessVectorEnvironmentTest {
    private static final int COUNT = 2;
    private static final WorkerOptions PATIENT = new WorkerOptions(
            1, Duration.ofSeconds(60), 3, List.of("-Xmx64m", "-XX:MaxDirectMemorySize=64m"), System::nanoTime);
    /** All in one process, which starts sooner than two. */
    private static final WorkerOptions TOGETHER =
            new WorkerOptions(COUNT, Duration.ofSeconds(60), 3, PATIENT.jvmOptions(), System::nanoTime);

    private static final Duration HASTY_TIMEOUT = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private Mischief mischief;

    private final List<String> losses = new ArrayList<>();
    /** Time stands still unless a test lets it pass. */
    private final AtomicLong clock = new AtomicLong();

    private final WorkerOptions hasty = new WorkerOptions(1, HASTY_TIMEOUT, 3, List.of(), clock::get);

    @BeforeEach
    void folder() {
        mischief = new Mischief(folder);
    }

    private VectorEnvironment create(WorkerOptions options) {
        MischiefProvider provider = new MischiefProvider();
        EnvironmentOptions environment = EnvironmentOptions.of(provider, Map.of("folder", folder.toString()), 1, 1, "");
        return VectorEnvironments.create(
                "process", COUNT, EnvironmentSource.of(provider, environment), options, losses::add);
    }

    private static void steps(VectorEnvironment environments, int count) {
        for (int i = 0; i < count; i++) {
            environments.step(new float[] {0, 1});
            assertThat(environments.missed()).containsOnly(false);
            assertThat(environments.rewards()).containsExactly(0, 1);
        }
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
            throws          | had an exception: environment
            exits           | ended, exit code 3; its last lines of standard error: about to exit
            halts           | ended, exit code 4
            overflows       | had an exception: java.lang.StackOverflowError
            exhausts        | java.lang.OutOfMemoryError
            exhausts_native | java.lang.OutOfMemoryError
            """)
    void survivesWhatAnEnvironmentDoes(String what, String reason) {
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            mischief.plan("step", what);
            expectLossOfOne(environments, reason);
        }
    }

    @Test
    void replacesAWorkerThatHangs() {
        try (VectorEnvironment environments = create(hasty)) {
            environments.reset(1);
            steps(environments, 5);
            mischief.plan("step", "hangs");
            passTimeWhenOthersHaveAnswered(environments, () -> !mischief.taken().isEmpty());
            expectLossOfOne(environments, "was silent for more than 3.0 s");
        }
    }

    @Test
    void replacesAWorkerThatIsStopped() {
        WorkerProcesses.assumeSignals();
        try (VectorEnvironment environments = create(hasty)) {
            environments.reset(1);
            steps(environments, 5);
            WorkerProcesses.signal(WorkerProcesses.live().get(0), "STOP");
            passTimeWhenOthersHaveAnswered(environments, () -> true);
            expectLossOfOne(environments, "was silent for more than 3.0 s");
        }
    }

    /** Lets more time pass than a worker may take, once all but one have taken the step that is about to begin. */
    private void passTimeWhenOthersHaveAnswered(VectorEnvironment environments, BooleanSupplier begun) {
        Path shared = ((ProcessVectorEnvironment) environments).folder();
        WorkerMemory[] memories = IntStream.range(0, COUNT)
                .mapToObj(i -> {
                    try {
                        return WorkerMemory.map(
                                shared.resolve(Worker.memoryFile(i)),
                                1,
                                environments.observationSpace(),
                                environments.actionSpace());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toArray(WorkerMemory[]::new);
        int step = memories[0].acquire(WorkerMemory.DONE_NUMBER) + 1;
        inTheBackground(() -> {
            WorkerProcesses.await(
                    "the others have taken the step",
                    () -> begun.getAsBoolean()
                            && Arrays.stream(memories)
                                            .filter(memory -> memory.acquire(WorkerMemory.DONE_NUMBER) == step)
                                            .count()
                                    == COUNT - 1);
            clock.addAndGet(HASTY_TIMEOUT.toNanos() + 1);
        });
    }

    private static void inTheBackground(Runnable action) {
        Thread thread = new Thread(action);
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void replacesAWorkerThatIsKilled() throws Exception {
        WorkerProcesses.assumeSignals();
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            ProcessHandle worker = WorkerProcesses.live().get(0);
            WorkerProcesses.signal(worker, "KILL");
            worker.onExit().get(1, TimeUnit.MINUTES);
            expectLossOfOne(environments, "exit code 137 (SIGKILL)");
            WorkerProcesses.await(
                    "no zombie is left", () -> WorkerProcesses.zombies().isEmpty());
        }
    }

    @Test
    void replacesAWorkerWhoseNativeCodeCrashes() {
        WorkerProcesses.assumeSignals();
        WorkerOptions options = new WorkerOptions(
                1,
                Duration.ofSeconds(60),
                3,
                List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + folder.resolve("crash.log")),
                System::nanoTime);
        try (VectorEnvironment environments = create(options)) {
            environments.reset(1);
            steps(environments, 5);
            ProcessHandle worker = WorkerProcesses.live().get(0);
            WorkerProcesses.signal(worker, "SEGV");
            WorkerProcesses.await("it has crashed", () -> !worker.isAlive());
            expectLossOfOne(environments, "ended, exit code ");
            assertThat(losses.get(0)).contains("crash.log");
        }
    }

    @Test
    void replacesAllAtOnce() throws Exception {
        WorkerProcesses.assumeSignals();
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            for (ProcessHandle worker : WorkerProcesses.live()) {
                WorkerProcesses.signal(worker, "KILL");
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
    @CsvSource({
        "create, throws, 1",
        "create, exits, 1",
        "create, exhausts, 1",
        "create, sleeps, 0",
        "create, prints, 0",
        "reset, throws, 1",
        "reset, halts, 1",
        "reset, prints, 0"
    })
    void survivesABadStart(String call, String what, int lost) {
        mischief.plan(call, what);
        try (VectorEnvironment environments = create(TOGETHER)) {
            environments.reset(1);
            steps(environments, 5);
            assertThat(losses).hasSize(lost);
        }
    }

    @Test
    void aWorkerThatDoesNotStartIsNamed() {
        mischief.plan("create", "hangs");
        inTheBackground(() -> {
            WorkerProcesses.await("it hangs", () -> !mischief.taken().isEmpty());
            clock.addAndGet(hasty.startTimeout().toNanos() + 1);
        });
        WorkerOptions options = new WorkerOptions(COUNT, HASTY_TIMEOUT, 0, List.of(), clock::get);
        assertThatThrownBy(() -> create(options))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("worker 0 (process ")
                .hasMessageContaining(", environments 0 to 1) was silent for more than 60.0 s; worker_restarts is 0");
        assertThat(WorkerProcesses.live()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prints", "closes_streams"})
    void standardStreamsAreAnEnvironmentsOwn(String what) {
        try (VectorEnvironment environments = create(TOGETHER)) {
            environments.reset(1);
            for (int i = 0; i < 5; i++) {
                mischief.plan("step", what + i);
                steps(environments, 10);
            }
            assertThat(mischief.taken()).hasSize(5);
            assertThat(losses).isEmpty();
        }
    }

    @Test
    void whatAWorkerPrintsDoesNotFillTheTrainersMemory() {
        try (VectorEnvironment environments = create(TOGETHER)) {
            environments.reset(1);
            mischief.plan("step", "prints1");
            mischief.plan("step", "prints2");
            mischief.plan("step", "prints3");
            steps(environments, 5);
            mischief.plan("step", "halts");
            environments.step(new float[COUNT]);
            assertThat(losses).hasSize(1);
            assertThat(losses.get(0)).contains("xxx").hasSizeLessThan(4_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"close", "step.exits", "step.throws", "step.hangs"})
    void whatAnEnvironmentHasStartedEndsWithIt(String end) throws Exception {
        WorkerProcesses.assumeSignals();
        WorkerOptions options = new WorkerOptions(COUNT, HASTY_TIMEOUT, 3, List.of(), clock::get);
        long child;
        try (VectorEnvironment environments = create(options)) {
            environments.reset(1);
            mischief.plan("step", "starts_child");
            environments.step(new float[COUNT]);
            child = Long.parseLong(Files.readString(folder.resolve("child")));
            assertThat(WorkerProcesses.ended(child)).isFalse();
            if (!end.equals("close")) {
                mischief.plan("step", end.substring("step.".length()));
                inTheBackground(() -> {
                    WorkerProcesses.await("it is late", () -> mischief.taken().size() == 2);
                    clock.addAndGet(HASTY_TIMEOUT.toNanos() + 1);
                });
                environments.step(new float[COUNT]);
                assertThat(losses).hasSize(1);
            }
        }
        WorkerProcesses.await("its child ends", () -> WorkerProcesses.ended(child));
    }

    @Test
    void aChildThatOutlivesItsKilledWorkerHoldsNobodyUp() throws Exception {
        WorkerProcesses.assumeSignals();
        long child = 0;
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            mischief.plan("step", "starts_child");
            steps(environments, 5);
            child = Long.parseLong(Files.readString(folder.resolve("child")));
            ProcessHandle worker =
                    ProcessHandle.of(child).orElseThrow().parent().orElseThrow();
            WorkerProcesses.signal(worker, "KILL");
            worker.onExit().get(1, TimeUnit.MINUTES);
            expectLossOfOne(environments, "exit code 137 (SIGKILL)");
            assertThat(WorkerProcesses.ended(child)).isFalse();
        } finally {
            ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "exits", "halts", "hangs", "exhausts"})
    void closesWhateverAnEnvironmentDoesMeanwhile(String what) {
        Path shared;
        try (VectorEnvironment environments = create(TOGETHER)) {
            environments.reset(1);
            shared = ((ProcessVectorEnvironment) environments).folder();
            mischief.plan("close", what);
        }
        assertThat(mischief.taken()).hasSize(1);
        assertThat(WorkerProcesses.live()).isEmpty();
        assertThat(shared).doesNotExist();
        assertThat(losses).isEmpty();
    }

    @Test
    void aWorkerLostBetweenTwoStepsMissesTheNext() {
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            steps(environments, 5);
            mischief.plan("save", "halts");
            List<EnvironmentState> states = environments.save();
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
            assertThat(losses).hasSize(1);
            environments.step(new float[COUNT]);
            assertThat(environments.observations()[lost]).isEqualTo(1);
        }
    }

    @Test
    void endsWhenAWorkerIsLostTooOften() {
        WorkerOptions options = new WorkerOptions(COUNT, Duration.ofSeconds(60), 2, List.of(), clock::get);
        try (VectorEnvironment environments = create(options)) {
            environments.reset(1);
            for (int loss = 1; loss <= 2; loss++) {
                mischief.plan("step", "throws");
                environments.step(new float[COUNT]);
                assertThat(environments.missed()).as("of the same process").containsOnly(true);
                environments.step(new float[COUNT]);
            }
            // Losses of long ago don't count.
            clock.set(WorkerOptions.WINDOW.toNanos() + 1);
            mischief.plan("step", "throws");
            environments.step(new float[COUNT]);
            environments.step(new float[COUNT]);
            mischief.plan("step", "throws");
            environments.step(new float[COUNT]);
            environments.step(new float[COUNT]);
            mischief.plan("step", "throws");
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
        WorkerProcesses.assumeLinux();
        List<ProcessHandle> workers;
        Path shared;
        try (VectorEnvironment environments = create(PATIENT)) {
            environments.reset(1);
            workers = WorkerProcesses.live();
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
            System.out.println(((ProcessVectorEnvironment) environments).folder());
            environments.step(new float[COUNT]);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private Process startOrphaned() throws IOException {
        ProcessBuilder trainer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Orphaned.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        trainer.environment().put("SECRET_TOKEN", "hunter2");
        return trainer.start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"idle", "busy", "stopped", "a parent itself"})
    void workersDieWithTheirTrainerHoweverItDies(String state) throws Exception {
        WorkerProcesses.assumeSignals();
        if (state.equals("stopped")) {
            assumeSetpriv();
        }
        mischief.plan("create", "tells_variables");
        if (state.equals("busy")) {
            mischief.plan("step", "hangs");
        } else if (state.equals("a parent itself")) {
            mischief.plan("step", "starts_child");
        }
        Process trainer = startOrphaned();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(trainer.getInputStream(), StandardCharsets.UTF_8))) {
            Path shared = Path.of(reader.readLine());
            List<ProcessHandle> workers = trainer.toHandle().children().toList();
            assertThat(workers).hasSize(COUNT);
            assertThat(shared).isNotEmptyDirectory();
            assertThat(Files.readAllLines(folder.resolve("variables")))
                    .as("what the trainer knew of")
                    .contains("PATH")
                    .doesNotContain("SECRET_TOKEN");
            if (state.equals("stopped")) {
                WorkerProcesses.signal(workers.get(0), "STOP");
            }
            Path child = folder.resolve("child");
            WorkerProcesses.await("it is " + state, () -> switch (state) {
                case "busy" -> mischief.taken().size() == 2;
                case "a parent itself" -> child.toFile().length() > 0;
                default -> true;
            });
            trainer.destroyForcibly();
            for (ProcessHandle worker : workers) {
                worker.onExit().get(1, TimeUnit.MINUTES);
            }
            assertThat(shared).doesNotExist();
            if (Files.exists(child)) {
                long process = Long.parseLong(Files.readString(child));
                WorkerProcesses.await("the child ends", () -> WorkerProcesses.ended(process));
            }
        } finally {
            trainer.destroyForcibly();
        }
    }

    private static void assumeSetpriv() {
        boolean there = Files.isExecutable(Path.of("/usr/bin/setpriv"));
        if (!there) {
            System.out.println("skipped: a stopped worker goes on by setpriv, which isn't there");
        }
        assumeTrue(there);
    }
}
