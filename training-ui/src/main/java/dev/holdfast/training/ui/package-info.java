/** The training page and its HTTP API. */
@NullMarked
package dev.holdfast.training.ui;

import org.jspecify.annotations.NullMarked;
