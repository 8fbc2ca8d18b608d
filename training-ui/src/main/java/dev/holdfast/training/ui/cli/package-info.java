/** The command {@code holdfast ui}. */
@NullMarked
package dev.holdfast.training.ui.cli;

import org.jspecify.annotations.NullMarked;
