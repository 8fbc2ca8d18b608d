/** What a checkpoint holds, and the contract of a store of checkpoints. */
@NullMarked
package dev.holdfast.rl.api.checkpoint;

import org.jspecify.annotations.NullMarked;
