package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void takesTheMiddleOfAnOddCount() {
        assertThat(Summary.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Summary(4, 1, 9));
    }

    @Test
    void takesTheMeanOfTheMiddleTwoOfAnEvenCount() {
        assertThat(Summary.of(List.of(10.0, 1.0, 4.0, 2.0))).isEqualTo(new Summary(3, 1, 10));
    }

    @Test
    void takesOneNumberForEverything() {
        assertThat(Summary.of(List.of(7.0))).isEqualTo(new Summary(7, 7, 7));
    }

    @Test
    void takesTheMedianOfEachJvm() {
        assertThat(Summary.ofForks(List.of(List.of(1.0, 5.0, 90.0), List.of(4.0), List.of(7.0, 8.0, 9.0))))
                .isEqualTo(new Summary(5, 4, 8));
    }

    @Test
    void takesTheSamplesOfASingleJvm() {
        assertThat(Summary.ofForks(List.of(List.of(1.0, 5.0, 90.0)))).isEqualTo(new Summary(5, 1, 90));
    }
}
