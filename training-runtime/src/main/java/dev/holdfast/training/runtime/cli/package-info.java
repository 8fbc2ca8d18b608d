/** The holdfast command. */
@NullMarked
package dev.holdfast.training.runtime.cli;

import org.jspecify.annotations.NullMarked;
