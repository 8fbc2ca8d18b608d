package dev.holdfast.training.runtime.checkpoint;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was read from a file, or is about to be written to one, breaks a rule. Whoever knows the file turns it into a {@code
 * CheckpointException}. A name or a text from a file can do no harm in the message: it is short, and has no control characters.
 */
final class DamageException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_QUOTE = 80;
    private static final int LONGEST_MESSAGE = 1_000;

    DamageException(@Nullable String message) {
        super(message == null ? null : printable(message, LONGEST_MESSAGE));
    }

    static void unless(boolean holds, String name, String rule, Object value) throws DamageException {
        if (!holds) {
            throw new DamageException(name + " " + rule + ", but was " + value);
        }
    }

    /** Returns a text from a file as a message shows it. */
    static String quote(String text) {
        return "'" + printable(text, LONGEST_QUOTE) + "'";
    }

    private static String printable(String text, int longest) {
        String shown = text.length() <= longest ? text : text.substring(0, longest) + "…";
        StringBuilder printable = new StringBuilder();
        shown.chars()
                .forEach(c -> printable.append(
                        Character.isISOControl(c)
                                        || Character.isSurrogate((char) c)
                                        || Character.getType(c) == Character.FORMAT
                                ? String.format(Locale.ROOT, "\\u%04x", c)
                                : String.valueOf((char) c)));
        return printable.toString();
    }
}
