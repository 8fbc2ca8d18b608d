/** Probability distributions over actions. */
@NullMarked
package dev.holdfast.rl.api.distribution;

import org.jspecify.annotations.NullMarked;
