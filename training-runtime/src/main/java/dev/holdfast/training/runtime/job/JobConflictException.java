package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.HoldfastException;
import java.util.Locale;

/** A job can't be started or instructed as things stand: another one is running, or two settings exclude each other. */
public final class JobConflictException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    private final Message reason;
    private final String field;

    JobConflictException(Message reason, String field) {
        super(reason.in(Locale.ENGLISH));
        this.reason = reason;
        this.field = field;
    }

    /**
     * Returns the message in a language.
     *
     * @param locale Chinese, or anything else for English
     * @return the message
     */
    public String message(Locale locale) {
        return reason.in(locale);
    }

    /**
     * Returns the key of the configuration field to blame.
     *
     * @return empty if there is none
     */
    public String field() {
        return field;
    }
}
