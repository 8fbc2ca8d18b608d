package dev.holdfast.rl.backend.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TeamTest {
    private final Team team = new Team(3);
    private final Thread[] threads = new Thread[3];

    @AfterEach
    void close() {
        team.close();
    }

    /** Makes the parts wait for one another, so that the caller can't do a helper's. */
    private static Team.Task together(int parts, Team.Task task) {
        CyclicBarrier barrier = new CyclicBarrier(parts);
        return part -> {
            try {
                barrier.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new AssertionError(e);
            }
            task.run(part);
        };
    }

    @Test
    void doesThePartsInThreadsOfTheirOwn() {
        team.run(3, together(3, part -> threads[part] = Thread.currentThread()));
        assertThat(threads[0]).isSameAs(Thread.currentThread());
        assertThat(names()).containsExactly(threads[0].getName(), "holdfast-java-backend-1", "holdfast-java-backend-2");
        assertThat(threads[1].isDaemon()).isTrue();
        Thread first = threads[1];
        team.run(3, together(3, part -> threads[part] = Thread.currentThread()));
        assertThat(threads[1]).isSameAs(first);
    }

    @Test
    void doesAPartInTheCallerIfItsHelperSleeps() {
        Thread caller = Thread.currentThread();
        AtomicInteger byCaller = new AtomicInteger();
        long deadline = System.nanoTime() + 60_000_000_000L;
        // Nothing to do is done before a sleeping thread is awake, nearly always.
        while (byCaller.get() == 0 && System.nanoTime() < deadline) {
            spin(200_000);
            team.run(3, part -> byCaller.addAndGet(part > 0 && Thread.currentThread() == caller ? 1 : 0));
        }
        assertThat(byCaller.get()).isPositive();
    }

    private List<String> names() {
        return Arrays.stream(threads)
                .filter(Objects::nonNull)
                .map(Thread::getName)
                .toList();
    }

    @Test
    void startsNoMoreThreadsThanThereAreParts() {
        team.run(2, together(2, part -> threads[part] = Thread.currentThread()));
        assertThat(names()).containsExactly(Thread.currentThread().getName(), "holdfast-java-backend-1");
    }

    @Test
    void losesNoTaskWhetherHelpersSpinOrSleep() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        int rounds = 2000;
        for (int i = 0; i < rounds; i++) {
            team.run(3, part -> {
                if (part == 2) {
                    // Now and then the caller must sleep.
                    spin(count.get() % 100 == 0 ? 200_000 : 0);
                }
                count.incrementAndGet();
            });
            assertThat(count.get()).isEqualTo(3 * (i + 1));
            // Around the time that helpers spin, so that they are met awake, asleep, and falling asleep.
            spin(i % 50 * 1_000L);
            if (i % 500 == 0) {
                Thread.sleep(2);
            }
        }
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void passesAHelpersFailureOnOnceAllHaveEnded() {
        AtomicInteger ended = new AtomicInteger();
        assertThatThrownBy(() -> team.run(3, together(3, part -> {
                    if (part == 1) {
                        throw new IllegalArgumentException("part 1");
                    }
                    spin(300_000);
                    ended.incrementAndGet();
                })))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("part 1");
        assertThat(ended.get()).isEqualTo(2);
    }

    @Test
    void keepsFurtherFailures() {
        assertThatThrownBy(() -> team.run(3, together(3, part -> {
                    throw new AssertionError("part " + part);
                })))
                .isInstanceOf(AssertionError.class)
                .hasMessage("part 0")
                .satisfies(error -> assertThat(error.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("part 1", "part 2"));
        AtomicInteger count = new AtomicInteger();
        team.run(3, part -> count.incrementAndGet());
        assertThat(count.get()).isEqualTo(3);
    }

    @Test
    void worksForAnInterruptedCallerAndKeepsItInterrupted() {
        AtomicInteger count = new AtomicInteger();
        Thread.currentThread().interrupt();
        try {
            team.run(3, part -> {
                if (part == 0) {
                    // Long enough for the helpers to begin, and for the caller to wait for them then.
                    spin(1_000_000);
                } else {
                    spin(3_000_000);
                }
                count.incrementAndGet();
            });
            assertThat(count.get()).isEqualTo(3);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void endsItsThreads() throws InterruptedException {
        team.run(3, together(3, part -> threads[part] = Thread.currentThread()));
        team.close();
        for (int i = 1; i < 3; i++) {
            threads[i].join(20_000);
            assertThat(threads[i].isAlive()).isFalse();
        }
    }
}
