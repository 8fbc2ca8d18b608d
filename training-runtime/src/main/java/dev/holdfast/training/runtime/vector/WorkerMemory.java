package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.space.Space;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory that a worker shares with the trainer: a mapped file, in the machine's byte order, for the worker's k environments.
 *
 * <pre>
 *   offset  written by  content
 *        0  trainer     number of the last command                      int
 *       64  worker      number of the last command that is done         int
 *      128  both        1 while the trainer sleeps until it is rung      int
 *      192  both        1 while the worker sleeps until it is rung       int
 *      256  trainer     the command                                      int
 *      260  worker      how it ended                                     int
 *      264  trainer     its argument                                     long
 *      272  worker      1 if actions are masked; known after a reset     int
 *      320  worker      by environment: random stream of episode seeds   long [k, 4]
 *           worker      by environment: steps taken                      long [k]
 *           trainer     actions                                          float [k, action size]
 *           worker      observations                                     float [k, observation size]
 *           worker      final observations                               float [k, observation size]
 *           worker      rewards                                          float [k]
 *           worker      terminated                                       byte [k]
 *           worker      truncated                                        byte [k]
 *           worker      masks                                            byte [k, mask size]
 * </pre>
 *
 * The words that both sides watch lie a cache line apart, so that neither disturbs the other. Everything else is written before the
 * number of a command or of an answer, and read after it: these are written with release and read with acquire.
 */
final class WorkerMemory {
    static final int COMMAND_NUMBER = 0;
    static final int DONE_NUMBER = 64;
    static final int TRAINER_SLEEPS = 128;
    static final int WORKER_SLEEPS = 192;
    private static final int COMMAND = 256;
    private static final int STATUS = 260;
    private static final int ARGUMENT = 264;
    private static final int MASKED = 272;
    private static final int SEEDS = 320;
    private static final int SEED_LONGS = 4;
    private static final int ZEROS = 1 << 16;

    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer bytes;
    private final int count;
    private final int steps;
    private final FloatBuffer actions;
    private final FloatBuffer observations;
    private final FloatBuffer finalObservations;
    private final FloatBuffer rewards;
    private final ByteBuffer terminated;
    private final ByteBuffer truncated;
    private final ByteBuffer masks;

    private WorkerMemory(ByteBuffer bytes, int count, Space observationSpace, Space actionSpace) {
        this.bytes = bytes;
        this.count = count;
        int observation = observationSpace.size();
        steps = SEEDS + count * SEED_LONGS * Long.BYTES;
        int at = steps + count * Long.BYTES;
        actions = floats(at, count * actionSpace.size());
        at += count * actionSpace.size() * Float.BYTES;
        observations = floats(at, count * observation);
        at += count * observation * Float.BYTES;
        finalObservations = floats(at, count * observation);
        at += count * observation * Float.BYTES;
        rewards = floats(at, count);
        at += count * Float.BYTES;
        terminated = bytes.slice(at, count);
        truncated = bytes.slice(at + count, count);
        masks = bytes.slice(at + 2 * count, count * maskSize(actionSpace));
    }

    private static int maskSize(Space actionSpace) {
        return ActionDistribution.of(actionSpace, true).maskSize();
    }

    private FloatBuffer floats(int at, int length) {
        return bytes.slice(at, length * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /**
     * Maps the file, which is created if it isn't there.
     *
     * @throws ArithmeticException if it would be larger than 2^31 bytes
     */
    static WorkerMemory map(Path file, int count, Space observationSpace, Space actionSpace) throws IOException {
        long perEnvironment = (SEED_LONGS + 1L) * Long.BYTES
                + (actionSpace.size() + 2L * observationSpace.size() + 1) * Float.BYTES
                + 2
                + maskSize(actionSpace);
        int size = Math.toIntExact(SEEDS + count * perEnvironment);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // Not a file with a hole: a full file system is noticed here, not in the middle of a step.
            for (long at = channel.size(); at < size; ) {
                at += channel.write(ByteBuffer.allocate((int) Math.min(size - at, ZEROS)), at);
            }
            ByteBuffer bytes =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, size).order(ByteOrder.nativeOrder());
            return new WorkerMemory(bytes, count, observationSpace, actionSpace);
        }
    }

    /** Forgets what a worker that was lost has left in the file. */
    void clear() {
        bytes.put(0, new byte[SEEDS]);
        publish(DONE_NUMBER, 0);
    }

    int acquire(int word) {
        return (int) INTS.getAcquire(bytes, word);
    }

    /** Also keeps later reads behind the write, which the bell needs. */
    void publish(int word, int value) {
        INTS.setVolatile(bytes, word, value);
        VarHandle.fullFence();
    }

    boolean exchange(int word, int expected, int value) {
        return INTS.compareAndSet(bytes, word, expected, value);
    }

    int command() {
        return bytes.getInt(COMMAND);
    }

    long argument() {
        return bytes.getLong(ARGUMENT);
    }

    void command(int command, long argument) {
        bytes.putInt(COMMAND, command);
        bytes.putLong(ARGUMENT, argument);
    }

    int status() {
        return bytes.getInt(STATUS);
    }

    void status(int status) {
        bytes.putInt(STATUS, status);
    }

    void putActions(float[] all, int from) {
        actions.put(0, all, from, actions.capacity());
    }

    void getActions(float[] own) {
        actions.get(0, own);
    }

    /** The worker's own rows, of its own buffers, which begin with its first environment. */
    void putResults(Buffers own) {
        observations.put(0, own.observations);
        finalObservations.put(0, own.finalObservations);
        rewards.put(0, own.rewards);
        boolean[] mask = own.masks;
        for (int i = 0; i < count; i++) {
            terminated.put(i, (byte) (own.terminated[i] ? 1 : 0));
            truncated.put(i, (byte) (own.truncated[i] ? 1 : 0));
        }
        if (mask != null) {
            for (int i = 0; i < mask.length; i++) {
                masks.put(i, (byte) (mask[i] ? 1 : 0));
            }
        }
        bytes.putInt(MASKED, mask == null ? 0 : 1);
    }

    boolean masked() {
        return bytes.getInt(MASKED) != 0;
    }

    /** Into the rows of all environments, from the worker's first one on. */
    void getResults(Buffers all, int first) {
        int observation = observations.capacity() / count;
        observations.get(0, all.observations, first * observation, observations.capacity());
        finalObservations.get(0, all.finalObservations, first * observation, observations.capacity());
        rewards.get(0, all.rewards, first, count);
        for (int i = 0; i < count; i++) {
            all.terminated[first + i] = terminated.get(i) != 0;
            all.truncated[first + i] = truncated.get(i) != 0;
        }
        boolean[] mask = all.masks;
        if (mask != null) {
            int size = masks.capacity() / count;
            for (int i = 0; i < masks.capacity(); i++) {
                mask[first * size + i] = masks.get(i) != 0;
            }
        }
    }

    void putPosition(int environment, long[] seeds, long taken) {
        for (int i = 0; i < SEED_LONGS; i++) {
            bytes.putLong(SEEDS + (environment * SEED_LONGS + i) * Long.BYTES, seeds[i]);
        }
        bytes.putLong(steps + environment * Long.BYTES, taken);
    }

    long[] seeds(int environment) {
        long[] seeds = new long[SEED_LONGS];
        for (int i = 0; i < SEED_LONGS; i++) {
            seeds[i] = bytes.getLong(SEEDS + (environment * SEED_LONGS + i) * Long.BYTES);
        }
        return seeds;
    }

    long steps(int environment) {
        return bytes.getLong(steps + environment * Long.BYTES);
    }
}
