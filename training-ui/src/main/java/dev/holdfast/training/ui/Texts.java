package dev.holdfast.training.ui;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The page's texts, in the languages that there are. */
final class Texts {
    private static final String BUNDLE = Texts.class.getPackageName() + ".page";
    /** A longer list of languages is no browser's. */
    private static final int LONGEST = 200;

    private Texts() {}

    /**
     * Chooses a language.
     *
     * @param fixed what the user chose on the command line; null for what the browser asks for
     * @param accepted the header {@code Accept-Language}; null if there is none
     * @return Chinese or English
     */
    static Locale choose(@Nullable Locale fixed, @Nullable String accepted) {
        if (fixed != null) {
            return known(fixed);
        } else if (accepted == null || accepted.length() > LONGEST) {
            return Locale.ENGLISH;
        }
        try {
            List<Locale> known = List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE, Locale.CHINESE);
            Locale found = Locale.lookup(Locale.LanguageRange.parse(accepted), known);
            return found == null ? Locale.ENGLISH : known(found);
        } catch (IllegalArgumentException e) {
            return Locale.ENGLISH;
        }
    }

    private static Locale known(Locale locale) {
        return locale.getLanguage().equals(Locale.CHINESE.getLanguage()) ? Locale.SIMPLIFIED_CHINESE : Locale.ENGLISH;
    }

    /** The answer to {@code /texts.json}. */
    static Map<String, Object> describe(Locale locale) {
        Locale bundleLocale = locale.equals(Locale.ENGLISH) ? Locale.ROOT : locale;
        ResourceBundle bundle = ResourceBundle.getBundle(
                BUNDLE,
                bundleLocale,
                ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
        Map<String, String> texts = new TreeMap<>();
        bundle.keySet().forEach(key -> texts.put(key, bundle.getString(key)));
        return Map.of("lang", locale.toLanguageTag(), "texts", texts);
    }
}
