package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.HoldfastException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Environments that are stepped in threads, each thread taking a fixed share; the caller's thread takes the first. Handing a
 * share over costs some ten microseconds, so it pays for environments whose step takes longer than that.
 */
final class ThreadVectorEnvironment extends SlotVectorEnvironment {
    private final ExecutorService executor;
    private final int shares;
    private final List<Future<?>> others = new ArrayList<>();

    ThreadVectorEnvironment(int count, EnvironmentSource source, int threads) {
        super(count, source);
        shares = Math.max(1, Math.min(count, threads));
        AtomicInteger number = new AtomicInteger();
        executor = Executors.newFixedThreadPool(Math.max(1, shares - 1), task -> {
            Thread thread = new Thread(task, "holdfast-environment-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void step(float[] actions) {
        for (int share = 1; share < shares; share++) {
            int from = from(share);
            int to = from(share + 1);
            others.add(executor.submit(() -> step(actions, from, to)));
        }
        RuntimeException failure = null;
        try {
            step(actions, 0, from(1));
        } catch (RuntimeException e) {
            failure = e;
        }
        // Every share is waited for before an exception goes on: nobody may still be writing to the buffers then.
        for (Future<?> other : others) {
            RuntimeException thrown = failureOf(other);
            if (failure == null) {
                failure = thrown;
            }
        }
        others.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private int from(int share) {
        return (int) ((long) count() * share / shares);
    }

    private static @org.jspecify.annotations.Nullable RuntimeException failureOf(Future<?> share) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    share.get();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    return e.getCause() instanceof RuntimeException known
                            ? known
                            : new HoldfastException("an environment's thread failed: " + e.getCause(), e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        executor.shutdown();
        super.close();
    }
}
