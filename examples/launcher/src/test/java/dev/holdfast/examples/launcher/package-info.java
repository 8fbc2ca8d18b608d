/** Tests that see every module: the architecture, and the documentation against the code. */
@NullMarked
package dev.holdfast.examples.launcher;

import org.jspecify.annotations.NullMarked;
