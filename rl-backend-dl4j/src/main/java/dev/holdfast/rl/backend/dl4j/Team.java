package dev.holdfast.rl.backend.dl4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * A few threads that do the parts of a task together: the caller the first one, helpers the others.
 *
 * <p><em>Threads.</em> One caller at a time. Helpers are daemons, created when they are first needed.
 */
final class Team implements AutoCloseable {
    private final ExecutorService helpers;

    Team(int size) {
        AtomicInteger number = new AtomicInteger();
        helpers = Executors.newFixedThreadPool(Math.max(1, size - 1), task -> {
            Thread thread = new Thread(task, "holdfast-dl4j-backend-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Does the parts 0 to {@code parts - 1} of a task, and returns when all are done.
     *
     * @throws RuntimeException what one of the parts that failed threw, after all have ended; likewise an {@link Error}
     */
    void run(int parts, IntConsumer task) {
        if (parts == 1) {
            task.accept(0);
            return;
        }
        CompletableFuture<?>[] done = new CompletableFuture<?>[parts];
        for (int i = parts - 1; i >= 0; i--) {
            int part = i;
            done[i] = CompletableFuture.runAsync(() -> task.accept(part), part == 0 ? Runnable::run : helpers);
        }
        try {
            CompletableFuture.allOf(done).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException exception) {
                throw exception;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Ends the helpers. */
    @Override
    public void close() {
        helpers.shutdown();
    }
}
