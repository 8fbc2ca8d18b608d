package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.metrics.RunEvent;
import dev.holdfast.training.runtime.vector.Mischief;
import dev.holdfast.training.runtime.vector.WorkerProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Does harm to the workers of a run at random instants, one fault after the other: the next one comes when the last one has hit and the
 * run has gone on. Hears of the run's progress as one of its sinks.
 */
final class WorkerFaultInjector implements MetricSink, Runnable {
    private static final long LONGEST_REST_NANOS = 30_000_000;

    /** What can happen to a worker. */
    enum Fault {
        KILLED("KILL", null, null, "exit code 137 (SIGKILL)"),
        STOPPED("STOP", null, null, "was silent for more than"),
        SLOW_START("KILL", "create", "sleeps", "exit code 137 (SIGKILL)"),
        THROWS(null, "step", "throws", "step threw java.lang.IllegalStateException: oops"),
        EXITS(null, "step", "exits", "exit code 3"),
        HALTS(null, "step", "halts", "exit code 4"),
        OVERFLOWS(null, "step", "overflows", "java.lang.StackOverflowError"),
        EXHAUSTS(null, "step", "exhausts", "java.lang.OutOfMemoryError"),
        HANGS(null, "step", "hangs", "was silent for more than"),
        RESET_THROWS(null, "reset", "throws", "reset threw java.lang.IllegalStateException: oops"),
        RESET_EXITS(null, "reset", "exits", "exit code 3"),
        SAVE_THROWS(null, "save", "throws", "saveState threw java.lang.IllegalStateException: oops"),
        SAVE_HALTS(null, "save", "halts", "exit code 4"),
        PRINTS(null, "step", "prints", null);

        private final @Nullable String signal;
        private final @Nullable String call;
        private final @Nullable String what;
        /** What the run says of a worker that is lost by it; null if none is. */
        private final @Nullable String reason;

        Fault(@Nullable String signal, @Nullable String call, @Nullable String what, @Nullable String reason) {
            this.signal = signal;
            this.call = call;
            this.what = what;
            this.reason = reason;
        }
    }

    /** A worker that was lost, and what the run is to say about it. */
    record Loss(Fault fault, long process, String reason) {}

    private final Mischief mischief;
    private final Path folder;
    private final Random random;
    private final List<Fault> faults;
    private final IntPredicate all;
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final AtomicInteger iterations = new AtomicInteger();
    private final ConcurrentMap<String, Integer> events = new ConcurrentHashMap<>();
    private final Set<String> mapped = new HashSet<>();
    private int injected;
    private volatile @Nullable Throwable failure;

    /**
     * Creates an injector.
     *
     * @param all which faults happen to as many workers as there are, at once
     */
    WorkerFaultInjector(Path folder, Random random, List<Fault> faults, IntPredicate all) throws IOException {
        this.folder = Files.createDirectory(folder.resolve("mischief"));
        mischief = new Mischief(this.folder);
        this.random = random;
        this.faults = faults;
        this.all = all;
    }

    Path folder() {
        return folder;
    }

    int faults() {
        return faults.size();
    }

    List<Loss> losses() {
        return losses;
    }

    int events(String event) {
        return events.getOrDefault(event, 0);
    }

    @Override
    public void record(MetricRecord record) {
        iterations.incrementAndGet();
    }

    @Override
    public void event(RunEvent event) {
        events.merge(event.event(), 1, Integer::sum);
    }

    @Override
    public void run() {
        try {
            for (; injected < faults.size(); injected++) {
                awaitIterations(2);
                LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_REST_NANOS));
                inject(faults.get(injected), all.test(injected));
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void awaitIterations(int count) {
        int reached = iterations.get();
        WorkerProcesses.await("the run goes on", () -> iterations.get() >= reached + count);
    }

    private void inject(Fault fault, boolean everybody) throws IOException {
        mapped.addAll(WorkerProcesses.mapped());
        List<ProcessHandle> workers = new ArrayList<>(WorkerProcesses.live());
        if (!everybody) {
            workers = List.of(workers.get(random.nextInt(workers.size())));
        }
        int count = workers.size();
        mischief.forget();
        for (int i = 0; i < count && fault.call != null; i++) {
            mischief.plan(fault.call, fault.what + i);
        }
        if (fault.signal != null) {
            for (ProcessHandle worker : workers) {
                WorkerProcesses.signal(worker, fault.signal);
                expectLoss(fault, worker.pid());
            }
            for (ProcessHandle worker : workers) {
                WorkerProcesses.await(fault + " ends a worker", () -> !worker.isAlive());
            }
        }
        if (fault.call != null) {
            WorkerProcesses.await(fault + " is taken", () -> mischief.taken().size() == count);
        }
        if (fault.signal == null && fault.reason != null) {
            for (Mischief.Taken taken : mischief.taken()) {
                expectLoss(fault, taken.process());
                WorkerProcesses.await(fault + " ends a worker", () -> WorkerProcesses.ended(taken.process()));
            }
        }
    }

    private void expectLoss(Fault fault, long process) {
        losses.add(new Loss(fault, process, String.valueOf(fault.reason)));
    }

    /** Asserts that what a run says of its losses is what happened, no more and no less. */
    void assertReasons(List<String> reasons) {
        assertThat(reasons).hasSameSizeAs(losses);
        // Numbers of processes may come again, in the same order in both lists.
        Map<Long, List<Loss>> byProcess = losses.stream().collect(Collectors.groupingBy(Loss::process));
        byProcess.forEach((process, happened) -> {
            List<String> said = reasons.stream()
                    .filter(reason -> reason.contains("(process " + process + ","))
                    .toList();
            assertThat(said).as("%s", happened).hasSameSizeAs(happened);
            for (int i = 0; i < said.size(); i++) {
                assertThat(said.get(i)).contains(happened.get(i).reason());
            }
        });
    }

    /** To be called at the end of the run. */
    void end(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(failure).as("what the injector failed with").isNull();
        assertThat(injected).as("faults before the run's end").isEqualTo(faults.size());
    }

    /** To be called when the run is closed. */
    void assertNothingIsLeft() {
        assertThat(WorkerProcesses.live()).isEmpty();
        if (Files.exists(Path.of("/proc/self/maps"))) {
            WorkerProcesses.await(
                    "no zombie is left", () -> WorkerProcesses.zombies().isEmpty());
            assertThat(mapped)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Path.of(file).getParent()).doesNotExist());
            WorkerProcesses.await("no shared file is mapped", () -> {
                System.gc();
                try {
                    return WorkerProcesses.mapped().isEmpty();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
