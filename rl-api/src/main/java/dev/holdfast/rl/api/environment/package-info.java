/** What a user writes (environments and their providers) and what a trainer steps (vector environments). */
@NullMarked
package dev.holdfast.rl.api.environment;

import org.jspecify.annotations.NullMarked;
