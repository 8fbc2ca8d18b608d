package dev.holdfast.training.runtime.checkpoint;

import java.io.IOException;
import java.io.OutputStream;

/** Bytes that are written when they are needed, the same ones every time. */
@FunctionalInterface
public interface Content {
    /**
     * Writes the bytes.
     *
     * @param out where to; not to be closed
     * @throws IOException if they can't be written
     */
    void writeTo(OutputStream out) throws IOException;
}
