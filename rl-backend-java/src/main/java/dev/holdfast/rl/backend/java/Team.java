package dev.holdfast.rl.backend.java;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that do the parts of a task together: the caller part 0, helper i part i.
 *
 * <p>Made for tasks of some ten microseconds that follow one another closely. Whoever waits, a helper for work or the caller for a
 * helper, spins for {@link #SPIN_NANOS} before it parks: waking a parked thread takes longer than many a part. And when the caller
 * comes to wait for a helper that has not begun, because it was asleep or the processor is busy with something else, the caller does
 * its part: so a task takes little longer than in one thread, at worst. What a part computes must not depend on who does it.
 *
 * <p>Each helper has a slot for a task. The caller sets it, and whoever empties it does the helper's part. Who is about to park says
 * so in a volatile field and then looks again, so that no wake-up is lost.
 *
 * <p><em>Threads.</em> One caller at a time. Helpers are daemons, created when they are first needed.
 */
final class Team implements AutoCloseable {
    /** A task that can be done in parts at once. */
    @FunctionalInterface
    interface Task {
        void run(int part);
    }

    private static final long SPIN_NANOS = 30_000;
    /** What an empty slot holds. */
    private static final Task NONE = part -> {};

    private final Helper[] helpers;
    private volatile boolean closed;
    /** The caller while it is parked, or about to be. */
    private volatile @Nullable Thread waiting;

    Team(int size) {
        helpers = new Helper[size - 1];
        for (int i = 0; i < helpers.length; i++) {
            helpers[i] = new Helper(i + 1);
        }
    }

    /**
     * Does the parts 0 to {@code parts - 1} of a task, and returns when all are done.
     *
     * @throws RuntimeException what the first part that failed threw, after all have ended; likewise an {@link Error}
     */
    void run(int parts, Task task) {
        for (int i = 0; i < parts - 1; i++) {
            helpers[i].begin(task);
        }
        Throwable failure = attempt(task, 0);
        for (int i = 0; i < parts - 1; i++) {
            Throwable other = helpers[i].finish();
            if (failure == null) {
                failure = other;
            } else if (other != null && other != failure) {
                failure.addSuppressed(other);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private static @Nullable Throwable attempt(Task task, int part) {
        try {
            task.run(part);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Ends the helpers. */
    @Override
    public void close() {
        closed = true;
        for (Helper helper : helpers) {
            LockSupport.unpark(helper.thread);
        }
    }

    private final class Helper implements Runnable {
        private final int part;
        private final AtomicReference<Task> slot = new AtomicReference<>(NONE);
        private @Nullable Thread thread;
        private volatile boolean parked;
        private @Nullable Throwable failure;
        private volatile boolean done;

        Helper(int part) {
            this.part = part;
        }

        /** Gives the helper a task. */
        void begin(Task task) {
            done = false;
            slot.set(task);
            if (thread == null) {
                thread = new Thread(this, "holdfast-java-backend-" + part);
                thread.setDaemon(true);
                thread.start();
            } else if (parked) {
                LockSupport.unpark(thread);
            }
        }

        /** Sees that the part gets done, and returns what it threw. */
        @Nullable Throwable finish() {
            Task task = slot.getAndSet(NONE);
            if (task != NONE) {
                return attempt(task, part);
            }
            long deadline = System.nanoTime() + SPIN_NANOS;
            while (!done && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            if (!done) {
                waiting = Thread.currentThread();
                while (!done) {
                    LockSupport.park(this);
                }
                waiting = null;
            }
            return failure;
        }

        @Override
        public void run() {
            while (!closed) {
                long deadline = System.nanoTime() + SPIN_NANOS;
                while (slot.get() == NONE && System.nanoTime() < deadline) {
                    Thread.onSpinWait();
                }
                Task task = slot.getAndSet(NONE);
                if (task != NONE) {
                    failure = attempt(task, part);
                    done = true;
                    LockSupport.unpark(waiting);
                } else {
                    parked = true;
                    if (slot.get() == NONE && !closed) {
                        LockSupport.park(this);
                        // An interrupt means nothing here, but would make park return at once from now on.
                        Thread.interrupted();
                    }
                    parked = false;
                }
            }
        }
    }
}
