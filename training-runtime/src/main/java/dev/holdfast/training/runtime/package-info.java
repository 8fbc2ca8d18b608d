/** The training loop: what an embedding application calls. */
@NullMarked
package dev.holdfast.training.runtime;

import org.jspecify.annotations.NullMarked;
