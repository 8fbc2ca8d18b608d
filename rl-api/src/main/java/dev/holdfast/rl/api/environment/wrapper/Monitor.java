package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells a listener of each episode that ends. */
final class Monitor extends EnvironmentWrapper {
    private final Consumer<Episode> listener;
    private final LongSupplier nanoTime;
    private double episodeReturn;
    private long length;
    private long start;

    Monitor(Environment environment, Consumer<Episode> listener, LongSupplier nanoTime) {
        super(environment);
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    @Override
    public float[] reset(long seed) {
        episodeReturn = 0;
        length = 0;
        start = nanoTime.getAsLong();
        return super.reset(seed);
    }

    @Override
    public Step step(Action action) {
        Step step = super.step(action);
        episodeReturn += step.reward();
        length++;
        if (step.done()) {
            listener.accept(new Episode(episodeReturn, length, (nanoTime.getAsLong() - start) * 1e-9));
        }
        return step;
    }

    /** Without times, since equal runs must have equal states. */
    @Override
    protected byte[] saveOwnState() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putDouble(episodeReturn)
                .putLong(length)
                .array();
    }

    @Override
    protected void restoreOwnState(byte[] state) {
        ByteBuffer saved = requireLength(state, 2 * Long.BYTES);
        episodeReturn = saved.getDouble();
        length = saved.getLong();
        start = nanoTime.getAsLong();
    }
}
