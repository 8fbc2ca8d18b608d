/** Named, seeded, restorable random streams. */
@NullMarked
package dev.holdfast.rl.api.random;

import org.jspecify.annotations.NullMarked;
