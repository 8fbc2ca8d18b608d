package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
    /** The right column is what Python prints for {@code f"{value:.3g}"}; Python alone gives -0.0 a sign. */
    @ParameterizedTest
    @CsvSource({
        "0.0, 0",
        "-0.0, 0",
        "1.0, 1",
        "0.1, 0.1",
        "26.4, 26.4",
        "22.931818181818183, 22.9",
        "999.4, 999",
        "999.5, 1e+03",
        "1000.0, 1e+03",
        "1234.5, 1.23e+03",
        "-1350.0, -1.35e+03",
        "99950.0, 1e+05",
        "250000.0, 2.5e+05",
        "12345678, 1.23e+07",
        "0.0001, 0.0001",
        "9.995e-05, 0.0001",
        "9.9949e-05, 9.99e-05",
        "1e-10, 1e-10",
        "-1e-05, -1e-05",
        "0.125, 0.125",
        "2.675, 2.67",
        "1.005, 1",
        "1e+100, 1e+100",
        "5e-324, 4.94e-324",
        "1.7976931348623157e+308, 1.8e+308"
    })
    void roundsToThreeSignificantDigitsAsPythonDoes(double value, String expected) {
        assertThat(NumberText.threeDigits(value)).isEqualTo(expected);
    }

    /** The right column is what Python gives for {@code round(value, 6)}; it prints 1e-06, and -0.0. */
    @ParameterizedTest
    @CsvSource({
        "13, 13.0",
        "-911, -911.0",
        "0.0202594, 0.020259",
        "0.0000005, 0.0",
        "0.00000051, 0.000001",
        "12345678, 12345678.0",
        "2.0000005, 2.000001",
        "2.0000015, 2.000002",
        "123456789.1234567, 123456789.123457",
        "-0.0000001, 0.0"
    })
    void roundsToSixDecimalsAsPythonDoes(double value, String expected) {
        assertThat(NumberText.sixDecimals(value)).isEqualTo(expected);
    }

    @Test
    void isTheShortestTextThatReadsBack() {
        // Double.toString prints 1.9000000000000002E22 before Java 19.
        assertThat(NumberText.shortest(Double.parseDouble("1.9e22"))).isEqualTo("1.9E22");
        assertThat(NumberText.shortest(0.1)).isEqualTo("0.1");
        assertThat(NumberText.shortest(100)).isEqualTo("100.0");
        assertThat(NumberText.shortest(Double.MIN_VALUE)).isEqualTo("4.9E-324");
        long seed = 20260101;
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(NumberText.shortest(value)))
                        .as("seed %d", seed)
                        .isEqualTo(value);
            }
        }
    }
}
