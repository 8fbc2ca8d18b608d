/** Stopping and pausing a run from outside. */
@NullMarked
package dev.holdfast.training.runtime.control;

import org.jspecify.annotations.NullMarked;
