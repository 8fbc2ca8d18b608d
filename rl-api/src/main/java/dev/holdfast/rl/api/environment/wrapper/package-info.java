/** Environments around other environments. */
@NullMarked
package dev.holdfast.rl.api.environment.wrapper;

import org.jspecify.annotations.NullMarked;
