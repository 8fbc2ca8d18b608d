/** PPO mathematics on PyTorch through DJL. */
@NullMarked
package dev.holdfast.rl.backend.djl;

import org.jspecify.annotations.NullMarked;
