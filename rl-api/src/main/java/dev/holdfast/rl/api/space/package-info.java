/** Spaces of observations and actions. */
@NullMarked
package dev.holdfast.rl.api.space;

import org.jspecify.annotations.NullMarked;
