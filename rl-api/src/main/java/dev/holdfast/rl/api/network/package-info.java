/** The actor-critic network: its specification, the layout and names of its parameters, its initial weights. */
@NullMarked
package dev.holdfast.rl.api.network;

import org.jspecify.annotations.NullMarked;
