/** The files of a run: checkpoint archives, the JSON beside them, hints and failure records, all written so that a kill loses nothing. */
@NullMarked
package dev.holdfast.training.runtime.checkpoint;

import org.jspecify.annotations.NullMarked;
