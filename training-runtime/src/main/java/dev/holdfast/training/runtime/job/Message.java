package dev.holdfast.training.runtime.job;

import java.io.Serializable;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * A text that is chosen now and put into a language later.
 *
 * @param key in the bundle {@code messages}
 * @param arguments texts and numbers, already written as they are to be shown
 */
record Message(String key, List<String> arguments) implements Serializable {
    private static final String BUNDLE = Message.class.getPackageName() + ".messages";

    Message {
        arguments = List.copyOf(arguments);
    }

    static Message of(String key, Object... arguments) {
        return new Message(
                key, List.of(arguments).stream().map(Object::toString).toList());
    }

    /** Chinese for every Chinese locale, else English. */
    String in(Locale locale) {
        Locale known =
                locale.getLanguage().equals(Locale.CHINESE.getLanguage()) ? Locale.SIMPLIFIED_CHINESE : Locale.ROOT;
        // Without the default locale as a fallback: the answer must not depend on where the program runs.
        ResourceBundle bundle = ResourceBundle.getBundle(
                BUNDLE, known, ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
        return new MessageFormat(bundle.getString(key), Locale.ROOT).format(arguments.toArray());
    }
}
