/** Holdfast inside an application: an environment of its own, training, and use of the trained policy. */
@NullMarked
package dev.holdfast.examples.embedding;

import org.jspecify.annotations.NullMarked;
