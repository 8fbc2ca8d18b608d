package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrossoverTest {
    private final Map<String, List<Summary>> times = new LinkedHashMap<>();

    /** Adds a variant with times that are known to a tenth. */
    private void add(String name, double... medians) {
        times.put(
                name,
                Arrays.stream(medians)
                        .mapToObj(median -> new Summary(median, 0.9 * median, 1.1 * median))
                        .toList());
    }

    private String describe(Integer... sizes) {
        return Crossover.describe(List.of(sizes), times);
    }

    @Test
    void oneIsFastestEverywhere() {
        add("java", 1, 10, 100);
        add("djl", 2, 20, 200);

        assertThat(describe(64, 256, 2048)).isEqualTo("java is fastest at every size");
    }

    @Test
    void anotherOneWinsFromASizeOn() {
        add("java", 1, 10, 100, 1000);
        add("djl", 20, 20, 70, 700);
        add("dl4j", 5, 15, 110, 2000);

        assertThat(describe(1, 8, 64, 2048)).isEqualTo("java is fastest at 1 and 8; djl is fastest from 64 on");
    }

    @Test
    void overlappingRangesHaveNoWinner() {
        add("java", 1, 10, 100);
        add("djl", 5, 12, 50);
        add("dl4j", 7, 17, 58);

        assertThat(describe(64, 256, 2048))
                .isEqualTo("java is fastest at 64; no clear winner at 256 (java and djl); no clear winner from 2048 on"
                        + " (djl and dl4j)");
    }

    @Test
    void fasterFromWhereTheLinesCross() {
        List<Integer> sizes = List.of(0, 20, 200);

        assertThat(Crossover.fasterFrom(sizes, List.of(30.0, 40.0, 110.0), List.of(1.0, 30.0, 200.0)))
                .hasValue(20 + 180 * 10.0 / 100);
        // What it loses again in between is not from there on.
        assertThat(Crossover.fasterFrom(sizes, List.of(1.0, 35.0, 110.0), List.of(2.0, 30.0, 115.0)))
                .hasValue(110);
        assertThat(Crossover.fasterFrom(sizes, List.of(1.0, 20.0, 110.0), List.of(2.0, 30.0, 200.0)))
                .hasValue(0);
        assertThat(Crossover.fasterFrom(sizes, List.of(1.0, 20.0, 200.0), List.of(2.0, 30.0, 200.0)))
                .isEmpty();
    }

    @Test
    void nothingIsClearAnywhere() {
        add("java", 10, 11);
        add("djl", 11, 10);

        assertThat(describe(64, 256)).isEqualTo("no clear winner at every size (java and djl)");
    }
}
