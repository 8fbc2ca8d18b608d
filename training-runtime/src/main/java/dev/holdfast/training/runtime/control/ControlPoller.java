package dev.holdfast.training.runtime.control;

import dev.holdfast.training.runtime.control.ControlFile.Instruction;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the training thread asks at every step: whether it is to stop. Stands still here while the run is paused. Reads the control
 * file at most every {@value #FILE_INTERVAL_MS} ms, so that asking costs nothing beside a step.
 */
public final class ControlPoller implements BooleanSupplier {
    static final long FILE_INTERVAL_MS = 20;

    private final RunControl control;
    private final @Nullable ControlFile file;
    private final LongSupplier nanoTime;
    private final long start;
    private final long maxWallNanos;
    private final Listener listener;
    private long nextRead;
    private Instruction last = Instruction.NONE;
    private boolean announced;

    /** Hears of what is found out while polling, in the training thread. */
    public interface Listener {
        /** The run stands still. */
        void paused();

        /** The run goes on. */
        void resumed();

        /**
         * The run is about to save and return.
         *
         * @param source who asked for it
         */
        void stopRequested(String source);
    }

    /**
     * Creates a poller; the wall-clock limit counts from here.
     *
     * @param control the requests
     * @param file the control file, or null
     * @param maxWallSeconds stops the run after this time; 0 never does
     * @param nanoTime a clock in nanoseconds
     * @param listener hears of changes
     */
    public ControlPoller(
            RunControl control,
            @Nullable ControlFile file,
            double maxWallSeconds,
            LongSupplier nanoTime,
            Listener listener) {
        this.control = control;
        this.file = file;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.nextRead = start;
        this.maxWallNanos = maxWallSeconds == 0 ? Long.MAX_VALUE : (long) (maxWallSeconds * 1e9);
        this.listener = listener;
    }

    @Override
    public boolean getAsBoolean() {
        look();
        if (control.isPaused()) {
            listener.paused();
            while (control.isPaused()) {
                rest();
                look();
            }
            if (!control.isStopRequested()) {
                listener.resumed();
            }
        }
        String source = control.stopSource();
        if (source != null && !announced) {
            announced = true;
            listener.stopRequested(source);
        }
        return source != null;
    }

    private void rest() {
        try {
            Thread.sleep(FILE_INTERVAL_MS);
        } catch (InterruptedException e) {
            // An interrupted thread is being asked to end.
            Thread.currentThread().interrupt();
            control.requestStop("interrupt");
        }
    }

    private void look() {
        long now = nanoTime.getAsLong();
        if (now - start >= maxWallNanos) {
            control.requestStop("max_wall_s");
        }
        if (file == null || now - nextRead < 0) {
            return;
        }
        nextRead = now + TimeUnit.MILLISECONDS.toNanos(FILE_INTERVAL_MS);
        Instruction instruction = file.read();
        if (instruction == last) {
            // Only a change is an instruction: an application may have paused the run by other means.
            return;
        }
        switch (instruction) {
            case STOP -> control.requestStop("control_file");
            case PAUSE -> control.pause();
            case RUN -> control.resume();
            case NONE -> {
                return;
            }
        }
        last = instruction;
    }
}
