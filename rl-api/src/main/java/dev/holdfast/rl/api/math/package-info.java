/** Elementary functions in single precision, the same on every machine. */
@NullMarked
package dev.holdfast.rl.api.math;

import org.jspecify.annotations.NullMarked;
