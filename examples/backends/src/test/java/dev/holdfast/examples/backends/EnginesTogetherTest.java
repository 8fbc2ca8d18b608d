package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.network.Tensor;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** PyTorch and ND4J bring OpenMP runtimes of their own. In one JVM, each computes what it computes alone. */
class EnginesTogetherTest {
    private static final List<String> BACKENDS = List.of("djl", "dl4j", "java");

    @Test
    void computeTheSameBitsInAnyCompany() throws Exception {
        Map<String, Long> alone = new HashMap<>();
        for (String backend : BACKENDS) {
            alone.putAll(checksums(backend));
        }
        assertThat(checksums("djl", "dl4j", "java")).as("djl loaded first").isEqualTo(alone);
        assertThat(checksums("dl4j", "djl", "java")).as("dl4j loaded first").isEqualTo(alone);

        // Here, step by step in turn.
        Map<String, Updates> inTurn = new HashMap<>();
        BACKENDS.forEach(backend -> inTurn.put(backend, new Updates(backend)));
        for (int i = 0; i < 10; i++) {
            inTurn.values().forEach(Updates::step);
        }
        inTurn.forEach((backend, updates) ->
                assertThat(updates.checksum()).as("%s, in turn", backend).isEqualTo(alone.get(backend)));
        inTurn.values().forEach(Updates::close);

        // And here, all at once.
        ExecutorService executor = Executors.newFixedThreadPool(BACKENDS.size());
        try {
            List<Callable<Long>> tasks = BACKENDS.stream()
                    .map(backend -> (Callable<Long>) () -> {
                        try (Updates updates = new Updates(backend)) {
                            for (int i = 0; i < 10; i++) {
                                updates.step();
                            }
                            return updates.checksum();
                        }
                    })
                    .toList();
            List<Future<Long>> results = executor.invokeAll(tasks);
            for (int i = 0; i < BACKENDS.size(); i++) {
                assertThat(results.get(i).get())
                        .as("%s, at once", BACKENDS.get(i))
                        .isEqualTo(alone.get(BACKENDS.get(i)));
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void agreeWithEachOther() {
        try (Updates java = new Updates("java");
                Updates djl = new Updates("djl");
                Updates dl4j = new Updates("dl4j")) {
            for (Updates updates : List.of(java, djl, dl4j)) {
                for (int i = 0; i < 3; i++) {
                    updates.step();
                }
            }
            for (Updates updates : List.of(djl, dl4j)) {
                for (int t = 0; t < java.state().weights().size(); t++) {
                    Tensor expected = java.state().weights().get(t);
                    Tensor actual = updates.state().weights().get(t);
                    assertThat(actual.name()).isEqualTo(expected.name());
                    // The learning rate is 1e-3: a hundredth of a step.
                    assertThat(actual.floats()).as(actual.name()).containsExactly(expected.floats(), within(1e-5f));
                }
            }
        }
    }

    private static Map<String, Long> checksums(String... backends) throws IOException, InterruptedException {
        ChildJvm.Ended ended = ChildJvm.run(Updates.class, List.of(backends));
        assertThat(ended.code()).as(String.join("\n", ended.output())).isZero();
        Map<String, Long> checksums = new HashMap<>();
        for (String line : ended.output()) {
            String[] words = line.split(" ", -1);
            if (words.length == 2 && BACKENDS.contains(words[0])) {
                checksums.put(words[0], Long.valueOf(words[1]));
            }
        }
        assertThat(checksums).containsOnlyKeys(backends);
        return checksums;
    }
}
