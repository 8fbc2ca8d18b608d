package dev.holdfast.examples.benchmark;

import java.util.List;
import java.util.Locale;

/** What is called again and again: an evaluation of the network, or a gradient step. */
enum Work {
    FORWARD,
    UPDATE;

    /** Returns the batch sizes with which it is measured, in ascending order. */
    List<Integer> sizes() {
        return switch (this) {
            case FORWARD -> List.of(1, 8, 64, 2048);
            case UPDATE -> List.of(64, 256, 2048);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
