package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.control.RunControl;
import dev.holdfast.training.runtime.metrics.MetricRecord;
import dev.holdfast.training.runtime.metrics.MetricSink;
import dev.holdfast.training.runtime.vector.WorkerProcesses;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run whose workers are killed again and again, and which is itself stopped and resumed again and again in one JVM, leaves nothing
 * behind: no memory, file, thread or process.
 */
class SoakTest {
    private static final int ENVIRONMENTS = 3;
    private static final long ITERATION = 32 * ENVIRONMENTS;

    @TempDir
    private Path folder;

    /** Folders that workers share with this process, of all times. */
    private final Set<Path> shared = new HashSet<>();

    @BeforeEach
    void linux() {
        WorkerProcesses.assumeLinux();
    }

    /** What this JVM holds of the operating system. */
    private record Held(List<String> files, List<String> threads, List<String> mapped, int children, int folders) {}

    private Held held() {
        collectGarbage();
        try {
            List<String> mapped = WorkerProcesses.mapped();
            mapped.forEach(file -> shared.add(Path.of(file).getParent()));
            List<String> files = new ArrayList<>();
            try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
                for (Path descriptor : descriptors) {
                    try {
                        // Without the numbers of pipes.
                        files.add(Files.readSymbolicLink(descriptor).toString().replaceAll("\\d{3,}", "N"));
                    } catch (NoSuchFileException e) {
                        // Closed meanwhile.
                    }
                }
            }
            return new Held(
                    files.stream().sorted().toList(),
                    Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            // Of the JDK; they stay for a minute.
                            .filter(name -> !name.equals("process reaper"))
                            .sorted()
                            .toList(),
                    mapped,
                    (int) ProcessHandle.current().children().count(),
                    (int) shared.stream().filter(Files::exists).count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when objects that nobody needs were found; what they mapped is given back soon after, in another thread. */
    private static void collectGarbage() {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        PhantomReference<Object> reference = new PhantomReference<>(new Object(), collected);
        System.gc();
        try {
            assertThat(collected.remove(TimeUnit.MINUTES.toMillis(1))).isSameAs(reference);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("after restarts of workers, and of the run, nothing is held that was not held before")
    void comesBackToWhatItWas() {
        // The first one loads classes, which keep files open.
        session(false, new KillAtRecords(1, 1));
        session(true, new KillAtRecords(2, 1));
        WorkerProcesses.await("nothing is mapped", () -> held().mapped().isEmpty());
        Held before = held();
        assertThat(before.children()).isZero();
        for (int i = 0; i < 2; i++) {
            session(true, new KillAtRecords(3 + i, 3));
        }
        assertThat(shared).isNotEmpty();
        WorkerProcesses.await("all is given back; before " + before, () -> held().equals(before));
        assertThat(before.folders()).isZero();
        assertThat(WorkerProcesses.zombies()).isEmpty();
    }

    /** Kills a random worker after each iteration, and requests a stop after some. */
    private final class KillAtRecords implements MetricSink {
        final RunControl control = new RunControl();
        private final Random random;
        private final int kills;
        private int records;

        KillAtRecords(long seed, int kills) {
            random = new Random(seed);
            this.kills = kills;
        }

        @Override
        public void record(MetricRecord record) {
            held();
            if (records++ == kills) {
                control.requestStop("test");
                return;
            }
            killOne(random);
        }
    }

    private static void killOne(Random random) {
        List<ProcessHandle> workers = WorkerProcesses.live();
        if (!workers.isEmpty()) {
            ProcessHandle worker = workers.get(random.nextInt(workers.size()));
            worker.destroyForcibly();
        }
    }

    private TrainingResult session(boolean resume, KillAtRecords sink) {
        TrainingResult result = session(resume, sink, sink.control);
        assertThat(result.isFinished()).isFalse();
        assertThat(result.workerLosses()).isNotEmpty();
        return result;
    }

    private TrainingResult session(boolean resume, MetricSink sink, RunControl control) {
        TrainingConfig.Builder config = TrainingConfig.builder()
                .set(Fields.MODEL, Optional.of(folder.resolve("m.zip")))
                .set(Fields.RESUME, resume);
        if (!resume) {
            config.set(Fields.ENV, "Corridor-v0")
                    .set(Fields.ENV_ARGS, Map.of())
                    .set(Fields.SEED, 1L)
                    .set(Fields.ENVS, ENVIRONMENTS)
                    .set(Fields.VEC_ENV, "process")
                    .set(Fields.WORKER_ENVS, 2)
                    .set(Fields.WORKER_RESTARTS, 1_000_000)
                    .set(Fields.WORKER_JVM_OPTIONS, "-Xmx32m -XX:TieredStopAtLevel=1")
                    .set(Fields.TIMESTEPS, 1_000_000_000L)
                    .set(Fields.ROLLOUT_STEPS, (int) ITERATION / ENVIRONMENTS)
                    .set(Fields.BATCH_SIZE, 32)
                    .set(Fields.N_EPOCHS, 2)
                    .set(Fields.NET_ARCH, List.of(16))
                    .set(Fields.EVAL_EVERY, 10 * ITERATION)
                    .set(Fields.EVAL_EPISODES, 2)
                    .set(Fields.RECOVERY_EVERY, 5 * ITERATION)
                    .set(Fields.CHECKPOINT_EVERY, 20 * ITERATION)
                    .set(Fields.CHECKPOINT_KEEP, 2);
        }
        return Trainer.of(config.build()).sink(sink).control(control).build().train();
    }

    @Test
    @Tag("faults")
    @DisplayName("memory, files, threads and processes stay flat for -Dsoak.minutes=10")
    void staysFlat() throws Exception {
        long minutes = Long.getLong("soak.minutes", 10);
        long seed = Long.getLong("faults.seed", 1);
        System.out.println("soak.minutes = " + minutes + ", faults.seed = " + seed);
        Soak soak = new Soak(new Random(seed), TimeUnit.MINUTES.toNanos(minutes));
        soak.run();
        soak.print(System.out);
        Path table = Path.of("target", "soak.csv");
        try (PrintStream out = new PrintStream(Files.newOutputStream(table), true, StandardCharsets.UTF_8)) {
            soak.print(out);
        }
        assertThat(soak.losses).isGreaterThan((int) minutes);
        assertThat(soak.sessions).isGreaterThan((int) minutes);
        for (Quantity quantity : Quantity.values()) {
            double second = soak.median(quantity, 1);
            double last = soak.median(quantity, 2);
            assertThat(last)
                    .as("median of %s in the last third, which was %s in the second", quantity, second)
                    .isLessThanOrEqualTo(second + quantity.allowance);
        }
        assertThat(WorkerProcesses.live()).isEmpty();
        assertThat(shared).noneMatch(Files::exists);
    }

    /** What is measured, and by how much its median may rise from one third of the time to the next. */
    private enum Quantity {
        HEAP_KB(1_024),
        RESIDENT_KB(16_384),
        FILES(1),
        THREADS(1),
        CHILDREN(0),
        ZOMBIES(0),
        MAPPED(1),
        SHARED_FOLDERS(0),
        RUN_FILES(0);

        private final double allowance;

        Quantity(double allowance) {
            this.allowance = allowance;
        }
    }

    /** The run, and what is measured of it, every some seconds, in the middle of training. */
    private final class Soak implements MetricSink {
        private static final long SAMPLE_NANOS = 2_000_000_000L;
        private static final long KILL_NANOS = 1_500_000_000L;
        private static final long SESSION_NANOS = 10_000_000_000L;

        private final Random random;
        private final long start = System.nanoTime();
        private final long end;
        private final Map<Long, Map<Quantity, Double>> samples = new TreeMap<>();
        private RunControl control = new RunControl();
        private long nextSample = start;
        private long nextKill = start;
        private long sessionEnd;
        int kills;
        int sessions;
        int losses;
        long timesteps;

        Soak(Random random, long duration) {
            this.random = random;
            end = start + duration;
        }

        void run() {
            while (System.nanoTime() - end < 0) {
                control = new RunControl();
                sessionEnd = System.nanoTime() + (long) (random.nextDouble() * 2 * SESSION_NANOS);
                TrainingResult result = session(sessions > 0, this, control);
                sessions++;
                losses += result.workerLosses().size();
                timesteps = result.timesteps();
            }
        }

        @Override
        public void record(MetricRecord record) {
            long now = System.nanoTime();
            if (now - nextSample >= 0) {
                samples.put(now - start, sample());
                nextSample = now + SAMPLE_NANOS;
            }
            if (now - nextKill >= 0) {
                killOne(random);
                kills++;
                nextKill = now + (long) (random.nextDouble() * 2 * KILL_NANOS);
            }
            if (now - sessionEnd >= 0) {
                control.requestStop("test");
            }
        }

        private Map<Quantity, Double> sample() {
            Held held = held();
            Runtime runtime = Runtime.getRuntime();
            Map<Quantity, Double> sample = new EnumMap<>(Quantity.class);
            sample.put(Quantity.HEAP_KB, (runtime.totalMemory() - runtime.freeMemory()) / 1024.0);
            sample.put(Quantity.RESIDENT_KB, resident());
            sample.put(Quantity.FILES, (double) held.files().size());
            sample.put(Quantity.THREADS, (double) held.threads().size());
            sample.put(Quantity.CHILDREN, (double) held.children());
            sample.put(Quantity.ZOMBIES, (double) WorkerProcesses.zombies().size());
            sample.put(Quantity.MAPPED, (double) held.mapped().size());
            sample.put(Quantity.SHARED_FOLDERS, (double) held.folders());
            sample.put(Quantity.RUN_FILES, runFiles());
            return sample;
        }

        private double resident() {
            try {
                return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** But for the files for TensorBoard, of which each start adds one. */
        private double runFiles() {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.filter(file -> !file.toString().contains("tfevents"))
                        .count();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Of a third of the time: 0, 1 or 2. */
        double median(Quantity quantity, int third) {
            long length = end - start;
            return median(third * length / 3, (third + 1) * length / 3, quantity);
        }

        private double median(long from, long to, Quantity quantity) {
            double[] values = samples.entrySet().stream()
                    .filter(sample -> sample.getKey() >= from && sample.getKey() < to)
                    .mapToDouble(sample -> sample.getValue().get(quantity))
                    .sorted()
                    .toArray();
            return values.length == 0 ? Double.NaN : values[values.length / 2];
        }

        /** Prints the medians of every minute. */
        void print(PrintStream out) {
            StringBuilder head = new StringBuilder("minute");
            for (Quantity quantity : Quantity.values()) {
                head.append(',').append(quantity.name().toLowerCase(Locale.ROOT));
            }
            out.println(head);
            long minute = TimeUnit.MINUTES.toNanos(1);
            for (long from = 0; from < end - start; from += minute) {
                StringBuilder row = new StringBuilder().append(from / minute + 1);
                for (Quantity quantity : Quantity.values()) {
                    row.append(',').append((long) median(from, from + minute, quantity));
                }
                out.println(row);
            }
            out.println("# " + sessions + " sessions, " + kills + " kills, " + losses + " workers replaced, "
                    + timesteps + " timesteps, " + samples.size() + " samples");
        }
    }
}
