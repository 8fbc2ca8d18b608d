package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Space;
import dev.holdfast.training.runtime.vector.EnvironmentWorker.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Environments in processes of their own, so that whatever one does harms nobody else. All workers step at the same time.
 *
 * <p>A worker that is lost - it ended, was killed, didn't answer in time, or its environment threw an exception - is replaced by a new
 * process, as often as {@link WorkerOptions} allow. What its environments had not finished is dropped: see {@link #missed}.
 *
 * <p>The folder of the shared files lies in memory where there is such a file system.
 */
final class ProcessVectorEnvironment implements VectorEnvironment {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessVectorEnvironment.class);
    private static final Path MEMORY_FOLDER = Path.of("/dev/shm");
    static final String FOLDER_PREFIX = "holdfast-workers-";

    private final int count;
    private final EnvironmentSource.Named source;
    private final WorkerOptions options;
    private final Consumer<String> onLoss;
    private final Path folder;
    private final int looks;
    private final ScheduledExecutorService watchdog;
    private final Worker[] workers;
    /** By worker: when it was replaced. */
    private final List<Deque<Long>> replaced = new ArrayList<>();

    private final Buffers buffers;
    /** By environment: where its random stream of episode seeds, and its count of steps, were after the last good step. */
    private final EnvironmentState[] positions;

    private final boolean[] missed;
    /** Whether {@link #missed} tells of a step that is to be completed. */
    private boolean incomplete;
    /** By worker: how it was lost, until it is replaced; null if it is well. */
    private final @Nullable WorkerLostException[] lost;

    private boolean closed;

    /**
     * Starts the workers, all at once.
     *
     * @param onLoss is told why a worker was replaced
     */
    @SuppressWarnings("FutureReturnValueIgnored") // endLateWorkers throws nothing
    ProcessVectorEnvironment(
            int count, EnvironmentSource.Named source, WorkerOptions options, Consumer<String> onLoss) {
        this.count = count;
        this.source = source;
        this.options = options;
        this.onLoss = onLoss;
        int each = options.environments();
        workers = new Worker[(count + each - 1) / each];
        // To look is faster than to sleep, if every worker has a processor and there is one left.
        looks = workers.length < Runtime.getRuntime().availableProcessors() ? 50 : 1;
        positions = new EnvironmentState[count];
        missed = new boolean[count];
        lost = new WorkerLostException[workers.length];
        try {
            folder = Files.createTempDirectory(
                    Files.isWritable(MEMORY_FOLDER) ? MEMORY_FOLDER : Path.of(System.getProperty("java.io.tmpdir")),
                    FOLDER_PREFIX);
        } catch (IOException e) {
            throw new HoldfastException(
                    "can't create a folder for the memory that workers share: " + e.getMessage(), e);
        }
        watchdog = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "holdfast-worker-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        try {
            for (int w = 0; w < workers.length; w++) {
                replaced.add(new ArrayDeque<>());
                workers[w] = start(w);
            }
            long period = Math.max(1, Math.min(options.timeout().toMillis() / 4, 250));
            watchdog.scheduleWithFixedDelay(this::endLateWorkers, period, period, TimeUnit.MILLISECONDS);
            Worker.Spaces spaces = null;
            for (int w = 0; w < workers.length; w++) {
                Worker.Spaces own = greeted(w);
                if (spaces == null) {
                    spaces = own;
                }
                requireSame(spaces, own, workers[w].first());
            }
            Objects.requireNonNull(spaces, "there is at least one environment");
            buffers = new Buffers(count, spaces.observations(), spaces.actions());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    Path folder() {
        return folder;
    }

    private Worker start(int w) {
        int first = w * options.environments();
        return new Worker(folder, first, Math.min(options.environments(), count - first), source, options);
    }

    private Worker.Spaces greeted(int w) {
        while (true) {
            try {
                return workers[w].greet();
            } catch (WorkerLostException e) {
                countLoss(w, e);
                workers[w] = start(w);
            }
        }
    }

    private static void requireSame(Worker.Spaces spaces, Worker.Spaces own, int environment) {
        if (!own.equals(spaces)) {
            throw new EnvironmentException(
                    environment,
                    "environment " + environment + " must have the spaces of environment 0 (" + spaces.observations()
                            + ", " + spaces.actions() + "), but has " + own.observations() + ", " + own.actions(),
                    null);
        }
    }

    private void endLateWorkers() {
        for (Worker worker : workers.clone()) {
            worker.endIfLate();
        }
    }

    /** Counts a loss, if another worker may be started. */
    private void countLoss(int w, WorkerLostException loss) {
        Deque<Long> times = replaced.get(w);
        long now = options.nanoTime().getAsLong();
        while (!times.isEmpty() && now - times.getFirst() > WorkerOptions.WINDOW.toNanos()) {
            times.removeFirst();
        }
        if (times.size() >= options.restarts()) {
            throw new EnvironmentException(
                    workers[w].first(),
                    loss.getMessage()
                            + (options.restarts() == 0
                                    ? "; worker_restarts is 0"
                                    : "; it was replaced " + times.size() + " times within "
                                            + WorkerOptions.WINDOW.toMinutes()
                                            + " minutes, as often as worker_restarts allows"),
                    loss);
        }
        times.addLast(now);
        LOG.warn("{}; it is replaced", loss.getMessage());
        onLoss.accept(String.valueOf(loss.getMessage()));
    }

    /** What a worker is told. */
    private interface Instruction {
        void send(Worker worker) throws WorkerLostException;
    }

    /**
     * Tells workers something and waits for all of them, also where one fails: none is left in the middle of it.
     *
     * @param due by worker: whether it is told; one that is lost isn't
     */
    private void tell(boolean[] due, Instruction instruction) {
        for (int w = 0; w < workers.length; w++) {
            try {
                if (due[w] && lost[w] == null) {
                    instruction.send(workers[w]);
                }
            } catch (WorkerLostException e) {
                lost[w] = e;
            }
        }
        RuntimeException failure = null;
        for (int w = 0; w < workers.length; w++) {
            try {
                if (due[w] && lost[w] == null) {
                    workers[w].await(looks);
                    takeResults(workers[w]);
                }
            } catch (WorkerLostException e) {
                lost[w] = e;
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Starts workers in the place of lost ones, all at once, and tells them what is to be done again. */
    private void replaceLost(Instruction again) {
        while (Arrays.stream(lost).anyMatch(Objects::nonNull)) {
            for (int w = 0; w < workers.length; w++) {
                WorkerLostException loss = lost[w];
                if (loss != null) {
                    countLoss(w, loss);
                    workers[w] = start(w);
                }
            }
            for (int w = 0; w < workers.length; w++) {
                if (lost[w] != null) {
                    lost[w] = begin(workers[w], again);
                }
            }
        }
    }

    private @Nullable WorkerLostException begin(Worker worker, Instruction again) {
        try {
            Worker.Spaces spaces = new Worker.Spaces(buffers.observationSpace, buffers.actionSpace);
            requireSame(spaces, worker.greet(), worker.first());
            again.send(worker);
            worker.await(looks);
            takeResults(worker);
            return null;
        } catch (WorkerLostException e) {
            return e;
        }
    }

    /** Begins new episodes in the environments of a worker that takes the place of a lost one. */
    private void beginAnew(Worker worker) throws WorkerLostException {
        for (int i = worker.first(); i < worker.first() + worker.count(); i++) {
            // The next seed may be the one that the worker was lost with: it is left out.
            RandomStream seeds = new RandomStream(0);
            seeds.restore(positions[i].seeds());
            seeds.nextLong();
            positions[i] = new EnvironmentState(seeds.state(), null, positions[i].steps());
        }
        restore(worker, List.of(positions), buffers.observations);
    }

    private void restore(Worker worker, List<EnvironmentState> states, float[] observations)
            throws WorkerLostException {
        int size = buffers.observationSpace.size();
        int end = worker.first() + worker.count();
        worker.writeStates(
                states.subList(worker.first(), end),
                Arrays.copyOfRange(observations, worker.first() * size, end * size));
        worker.send(Command.RESTORE, 0);
    }

    private void takeResults(Worker worker) {
        WorkerMemory memory = worker.memory();
        if (!buffers.masksKnown) {
            buffers.allocateMasks(memory.masked());
        }
        if (memory.masked() != (buffers.masks != null)) {
            throw new EnvironmentException(
                    worker.first(),
                    "environment " + worker.first() + " must mask its actions if and only if environment 0 does",
                    null);
        }
        memory.getResults(buffers, worker.first());
        for (int i = 0; i < worker.count(); i++) {
            positions[worker.first() + i] = new EnvironmentState(memory.seeds(i), null, memory.steps(i));
        }
    }

    @Override
    public void reset(long seed) {
        beginAll(worker -> worker.send(Command.RESET, seed));
    }

    @Override
    public void restore(List<EnvironmentState> states, float[] observations) {
        if (states.size() != count) {
            throw new IllegalArgumentException(
                    "there must be " + count + " environment states, but there are " + states.size());
        }
        beginAll(worker -> restore(worker, states, observations));
    }

    private boolean[] all() {
        boolean[] all = new boolean[workers.length];
        Arrays.fill(all, true);
        return all;
    }

    private void beginAll(Instruction instruction) {
        tell(all(), instruction);
        replaceLost(instruction);
        Arrays.fill(missed, false);
        incomplete = false;
    }

    @Override
    public void step(float[] actions) {
        boolean[] due = all();
        for (int w = 0; w < workers.length && incomplete; w++) {
            due[w] = missed[workers[w].first()];
        }
        tell(due, worker -> {
            worker.memory().putActions(actions, worker.first() * buffers.actionSpace.size());
            worker.send(Command.STEP, 0);
        });
        incomplete = false;
        for (int w = 0; w < workers.length; w++) {
            boolean leftOut = lost[w] != null;
            int first = workers[w].first();
            Arrays.fill(missed, first, first + workers[w].count(), leftOut);
            incomplete |= leftOut;
        }
        replaceLost(this::beginAnew);
    }

    /** A worker that is lost while saving is replaced by the next step, if there is one: what can be saved is saved first. */
    @Override
    public List<EnvironmentState> save() {
        tell(all(), worker -> worker.send(Command.SAVE, 0));
        List<EnvironmentState> states = new ArrayList<>();
        for (int w = 0; w < workers.length; w++) {
            Worker worker = workers[w];
            WorkerLostException loss = lost[w];
            if (loss == null) {
                states.addAll(worker.readStates());
            } else {
                LOG.warn("{}; its environments' states can't be saved", loss.getMessage());
                states.addAll(List.of(positions).subList(worker.first(), worker.first() + worker.count()));
            }
        }
        return states;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public Space observationSpace() {
        return buffers.observationSpace;
    }

    @Override
    public Space actionSpace() {
        return buffers.actionSpace;
    }

    @Override
    public boolean masked() {
        return buffers.masks != null;
    }

    @Override
    public float[] observations() {
        return buffers.observations;
    }

    @Override
    public boolean @Nullable [] masks() {
        return buffers.masks;
    }

    @Override
    public float[] rewards() {
        return buffers.rewards;
    }

    @Override
    public boolean[] terminated() {
        return buffers.terminated;
    }

    @Override
    public boolean[] truncated() {
        return buffers.truncated;
    }

    @Override
    public boolean[] missed() {
        return missed;
    }

    @Override
    public float[] finalObservations() {
        return buffers.finalObservations;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        watchdog.shutdownNow();
        for (Worker worker : workers) {
            // After a failed start there may be fewer.
            if (worker != null) {
                worker.beginClose();
            }
        }
        for (Worker worker : workers) {
            if (worker != null) {
                worker.close();
            }
        }
        EnvironmentWorker.deleteFolder(folder);
    }
}
