package dev.holdfast.training.runtime.metrics;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as text, the same in every locale and on every Java version. */
final class NumberText {
    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

    private NumberText() {}

    /** Returns the shortest decimal that reads back as the same number. Before Java 19, {@link Double#toString} is not always that. */
    static String shortest(double value) {
        return NumberOutput.toString(value, true);
    }

    /** Returns a value of a metric for a file. */
    static String exact(Metric metric, double value) {
        return metric.integer() ? Long.toString((long) value) : shortest(value);
    }

    /** Returns a number rounded to six decimals as Python's {@code round(value, 6)} does, with at least one of them. */
    static String sixDecimals(double value) {
        BigDecimal rounded =
                new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return (rounded.scale() < 1 ? rounded.setScale(1) : rounded).toPlainString();
    }

    /**
     * Returns what C and Python call {@code %.3g}: three significant digits without trailing zeros, with an exponent below 1e-4
     * and from 1e3 on.
     */
    static String threeDigits(double value) {
        BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
        if (rounded.signum() == 0) {
            return "0";
        }
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < THREE_DIGITS.getPrecision()) {
            return rounded.stripTrailingZeros().toPlainString();
        }
        String digits = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        int magnitude = Math.abs(exponent);
        return digits + (exponent < 0 ? "e-" : "e+") + (magnitude < 10 ? "0" : "") + magnitude;
    }
}
