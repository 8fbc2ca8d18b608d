package dev.holdfast.training.ui;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters behind the question mark. */
final class Query {
    private final Map<String, String> parameters = new HashMap<>();

    /** @param raw as it came; null if there are none */
    Query(@Nullable String raw) throws HttpError {
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            try {
                parameters.put(
                        decode(equals < 0 ? pair : pair.substring(0, equals)),
                        equals < 0 ? "" : decode(pair.substring(equals + 1)));
            } catch (IllegalArgumentException e) {
                throw new HttpError(400, "the query must be percent-encoded, but was '" + pair + "'");
            }
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Nullable String text(String name) {
        return parameters.get(name);
    }

    String required(String name) throws HttpError {
        String value = parameters.get(name);
        if (value == null) {
            throw new HttpError(400, name + " must be given");
        }
        return value;
    }

    long number(String name, long otherwise) throws HttpError {
        String value = parameters.get(name);
        try {
            return value == null ? otherwise : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new HttpError(400, name + " must be a whole number, but was '" + value + "'");
        }
    }

    int integer(String name, int otherwise) throws HttpError {
        long value = number(name, otherwise);
        if (value != (int) value) {
            throw new HttpError(400, name + " must be a whole number of 32 bits, but was '" + value + "'");
        }
        return (int) value;
    }
}
