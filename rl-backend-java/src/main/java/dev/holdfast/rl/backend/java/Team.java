package dev.holdfast.rl.backend.java;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that do the parts of a task together: the caller does part 0, helper i part i.
 *
 * <p>Made for tasks of some ten microseconds that follow one another closely. Whoever waits, a helper for work or the caller for
 * the helpers, spins for {@link #SPIN_NANOS} before it parks: waking a parked thread takes longer than many a part.
 *
 * <p>Work is handed over through a volatile field of each helper: set by the caller, cleared by the helper when it is done. Who is
 * about to park says so in another volatile field and then looks again, so that no wake-up is lost.
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
            Throwable other = helpers[i].await();
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
        private @Nullable Thread thread;
        private volatile @Nullable Task task;
        private volatile boolean parked;
        private @Nullable Throwable failure;

        Helper(int part) {
            this.part = part;
        }

        void begin(Task next) {
            task = next;
            if (thread == null) {
                thread = new Thread(this, "holdfast-java-backend-" + part);
                thread.setDaemon(true);
                thread.start();
            } else if (parked) {
                LockSupport.unpark(thread);
            }
        }

        @Nullable Throwable await() {
            long deadline = System.nanoTime() + SPIN_NANOS;
            while (task != null && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            if (task != null) {
                waiting = Thread.currentThread();
                while (task != null) {
                    LockSupport.park(this);
                }
                waiting = null;
            }
            return failure;
        }

        @Override
        public void run() {
            while (true) {
                long deadline = System.nanoTime() + SPIN_NANOS;
                while (task == null && System.nanoTime() < deadline) {
                    Thread.onSpinWait();
                }
                if (task == null) {
                    parked = true;
                    while (task == null && !closed) {
                        LockSupport.park(this);
                        // An interrupt means nothing here, but would make park return at once for ever.
                        Thread.interrupted();
                    }
                    parked = false;
                }
                Task next = task;
                if (next == null) {
                    return;
                }
                failure = attempt(next, part);
                task = null;
                LockSupport.unpark(waiting);
            }
        }
    }
}
