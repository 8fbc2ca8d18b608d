package dev.holdfast.examples.benchmark;

import java.util.Locale;

/** How environments are stepped together, as {@code --vec-env} names it. */
enum VecEnv {
    SYNC,
    THREAD,
    PROCESS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
