/** PPO's gradient step in Java alone: no native code, starts at once. */
@NullMarked
package dev.holdfast.rl.backend.java;

import org.jspecify.annotations.NullMarked;
