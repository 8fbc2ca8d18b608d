package dev.holdfast.training.runtime.checkpoint;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What was read from a file, or is about to be written to one, breaks a rule. Whoever knows the file turns it into a {@code CheckpointException}. */
final class DamageException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_QUOTE = 80;

    DamageException(@Nullable String message) {
        super(message);
    }

    static void unless(boolean holds, String name, String rule, Object value) throws DamageException {
        if (!holds) {
            throw new DamageException(name + " " + rule + ", but was " + value);
        }
    }

    /** Returns a text from a file so that it can do no harm in a message: short, and without control characters. */
    static String quote(String text) {
        String shown = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
        StringBuilder quoted = new StringBuilder("'");
        shown.chars()
                .forEach(c -> quoted.append(
                        Character.isISOControl(c)
                                        || Character.isSurrogate((char) c)
                                        || Character.getType(c) == Character.FORMAT
                                ? String.format(Locale.ROOT, "\\u%04x", c)
                                : String.valueOf((char) c)));
        return quoted.append("'").toString();
    }
}
