package dev.holdfast.training.runtime.vector;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * How the trainer and a worker wait for each other: each watches a word of the shared memory for a while, and then sleeps in a read of
 * a pipe until the other side sends it a byte.
 *
 * <pre>
 *   the one that waits                       the one that is waited for
 *   ──────────────────                       ──────────────────────────
 *   is the word there? … for a while
 *   sleeps = 1                               word = new
 *   is the word there? ── yes: go on         was sleeps 1, and is 0 now? ── yes: send a byte
 *   read a byte
 * </pre>
 *
 * Either the waiting side sees the word, or the other one sees that it sleeps: a byte is never missed. A byte that nobody sent in this
 * way, such as the output of a library that prints, only wakes the sleeper up to look again.
 */
final class Bell {
    private final WorkerMemory memory;
    private final int watched;
    private final int sleeps;
    private final InputStream rung;
    private final int announced;
    private final int otherSleeps;
    private final OutputStream ring;

    private Bell(
            WorkerMemory memory,
            int watched,
            int sleeps,
            InputStream rung,
            int announced,
            int otherSleeps,
            OutputStream ring) {
        this.memory = memory;
        this.watched = watched;
        this.sleeps = sleeps;
        this.rung = rung;
        this.announced = announced;
        this.otherSleeps = otherSleeps;
        this.ring = ring;
    }

    static Bell ofTrainer(WorkerMemory memory, InputStream rung, OutputStream ring) {
        return new Bell(
                memory,
                WorkerMemory.DONE_NUMBER,
                WorkerMemory.TRAINER_SLEEPS,
                rung,
                WorkerMemory.COMMAND_NUMBER,
                WorkerMemory.WORKER_SLEEPS,
                ring);
    }

    static Bell ofWorker(WorkerMemory memory, InputStream rung, OutputStream ring) {
        return new Bell(
                memory,
                WorkerMemory.COMMAND_NUMBER,
                WorkerMemory.WORKER_SLEEPS,
                rung,
                WorkerMemory.DONE_NUMBER,
                WorkerMemory.TRAINER_SLEEPS,
                ring);
    }

    /** Announces a number to the other side. */
    void announce(int number) throws IOException {
        memory.publish(announced, number);
        if (memory.exchange(otherSleeps, 1, 0)) {
            ring.write(1);
            ring.flush();
        }
    }

    /**
     * Waits until the other side has announced a number.
     *
     * @param looks how often to look, giving way to other threads in between, before going to sleep
     * @throws EOFException if the other side is gone
     */
    @SuppressWarnings("ThreadPriorityCheck") // a busy machine's other threads, the other side's among them, come first
    void await(int number, int looks) throws IOException {
        for (int look = 0; look < looks; look++) {
            if (memory.acquire(watched) == number) {
                return;
            }
            Thread.yield();
        }
        while (true) {
            memory.publish(sleeps, 1);
            if (memory.acquire(watched) == number) {
                if (!memory.exchange(sleeps, 1, 0)) {
                    // The other side has seen the sleeper and sends a byte, which must not be left to the next wait.
                    read();
                }
                return;
            }
            read();
            if (memory.acquire(watched) == number) {
                return;
            }
        }
    }

    private void read() throws IOException {
        if (rung.read() < 0) {
            throw new EOFException("the other side has closed its pipe");
        }
    }
}
