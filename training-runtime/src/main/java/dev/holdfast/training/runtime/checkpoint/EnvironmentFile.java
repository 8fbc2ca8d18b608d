package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The state of one environment.
 *
 * <pre>
 *   offset  bytes  all little-endian
 *   0       4      0x56454648, the letters HFEV
 *   4       4      n, the length of the environment's own state, or -1 if it can't save one
 *   8       8      steps taken since the run began
 *   16      32     state of the stream of episode seeds: four numbers of 8 bytes
 *   48      n      the environment's own state, in its own format
 * </pre>
 */
final class EnvironmentFile {
    private static final int MAGIC = 0x56454648;
    private static final int FIXED = 48;

    private EnvironmentFile() {}

    static void write(EnvironmentState environment, OutputStream out) throws IOException {
        byte[] state = environment.state();
        ByteBuffer fixed = ByteBuffer.allocate(FIXED).order(ByteOrder.LITTLE_ENDIAN);
        fixed.putInt(MAGIC).putInt(state == null ? -1 : state.length).putLong(environment.steps());
        fixed.asLongBuffer().put(environment.seeds());
        out.write(fixed.array());
        if (state != null) {
            out.write(state);
        }
    }

    /** Reads a state. What it allocates is bounded by {@code length}, the number of bytes that are there. */
    static EnvironmentState read(InputStream in, long length) throws DamageException, IOException {
        DamageException.unless(length >= FIXED, "length", "must be at least " + FIXED + " bytes", length);
        ByteBuffer fixed = ByteBuffer.wrap(in.readNBytes(FIXED)).order(ByteOrder.LITTLE_ENDIAN);
        int magic = fixed.getInt();
        DamageException.unless(
                magic == MAGIC,
                "the first number",
                "must be " + Integer.toHexString(MAGIC),
                Integer.toHexString(magic));
        int stateLength = fixed.getInt();
        DamageException.unless(
                stateLength >= -1 && length == FIXED + Math.max(stateLength, 0),
                "the length of the environment's state",
                "must be " + (length - FIXED) + ", as much as there is",
                stateLength);
        long steps = fixed.getLong();
        long[] seeds = new long[4];
        fixed.asLongBuffer().get(seeds);
        byte @Nullable [] state = stateLength < 0 ? null : in.readNBytes(stateLength);
        return new EnvironmentState(seeds, state, steps);
    }
}
