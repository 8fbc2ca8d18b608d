package dev.holdfast.training.ui;

import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.Fields;

/** A request that can't be granted; becomes a status and a JSON object. */
final class HttpError extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String field;

    HttpError(int status, String message) {
        this(status, message, "");
    }

    HttpError(int status, String message, String field) {
        super(message);
        this.status = status;
        this.field = field;
    }

    /** A configuration that isn't allowed: its message begins with the field to blame. */
    static HttpError ofConfiguration(String message) {
        int end = message.indexOf(' ');
        String first = message.substring(0, end < 0 ? message.length() : end);
        String field = message.startsWith("environment parameter ")
                ? Fields.ENV_ARGS.key()
                : Fields.named(first).map(ConfigField::key).orElse("");
        return new HttpError(409, message, field);
    }

    int status() {
        return status;
    }

    String field() {
        return field;
    }
}
