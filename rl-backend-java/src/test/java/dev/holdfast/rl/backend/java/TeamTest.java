package dev.holdfast.rl.backend.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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

    @Test
    void doesEveryPartInAThreadOfItsOwn() {
        team.run(3, part -> threads[part] = Thread.currentThread());
        assertThat(threads[0]).isSameAs(Thread.currentThread());
        assertThat(names()).containsExactly(threads[0].getName(), "holdfast-java-backend-1", "holdfast-java-backend-2");
        assertThat(threads[1].isDaemon()).isTrue();
        Thread first = threads[1];
        team.run(3, part -> threads[part] = Thread.currentThread());
        assertThat(threads[1]).isSameAs(first);
    }

    private List<String> names() {
        return Arrays.stream(threads)
                .filter(Objects::nonNull)
                .map(Thread::getName)
                .toList();
    }

    @Test
    void startsNoMoreThreadsThanThereAreParts() {
        team.run(2, part -> threads[part] = Thread.currentThread());
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
        assertThatThrownBy(() -> team.run(3, part -> {
                    if (part == 1) {
                        throw new IllegalArgumentException("part 1");
                    }
                    spin(300_000);
                    ended.incrementAndGet();
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("part 1");
        assertThat(ended.get()).isEqualTo(2);
    }

    @Test
    void keepsFurtherFailures() {
        assertThatThrownBy(() -> team.run(3, part -> {
                    throw new AssertionError("part " + part);
                }))
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
                if (part > 0) {
                    spin(200_000);
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
        team.run(3, part -> threads[part] = Thread.currentThread());
        team.close();
        for (int i = 1; i < 3; i++) {
            threads[i].join(20_000);
            assertThat(threads[i].isAlive()).isFalse();
        }
    }
}
