package dev.holdfast.examples.benchmark;

import java.util.List;
import java.util.Locale;

/** Numbers and lists in words. */
final class Text {
    private Text() {}

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** Returns a number with about three digits. */
    static String number(double value) {
        return format(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }

    /** Returns for example {@code 1, 8 and 64}. */
    static String and(List<?> items) {
        int last = items.size() - 1;
        String end = items.get(last).toString();
        return last == 0
                ? end
                : String.join(
                                ", ",
                                items.subList(0, last).stream()
                                        .map(Object::toString)
                                        .toList()) + " and " + end;
    }
}
