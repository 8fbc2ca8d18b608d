package dev.holdfast.training.runtime.checkpoint;

import java.io.IOException;
import java.io.OutputStream;

/** Bytes that are written when they are needed, the same ones every time. */
@FunctionalInterface
interface Content {
    void writeTo(OutputStream out) throws IOException;
}
