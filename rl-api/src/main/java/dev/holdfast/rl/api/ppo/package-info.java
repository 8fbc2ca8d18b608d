/** The vocabulary of PPO: hyperparameters, schedules, mini-batches, the loss. */
@NullMarked
package dev.holdfast.rl.api.ppo;

import org.jspecify.annotations.NullMarked;
