package dev.holdfast.examples.environments;

/** What the saved states of this package have in common. */
public final class SavedState {
    private SavedState() {}

    public static void requireLength(byte[] state, int bytes, String environment) {
        if (state.length != bytes) {
            throw new IllegalArgumentException(
                    "a saved state of this " + environment + " must have " + bytes + " bytes, but had " + state.length);
        }
    }
}
