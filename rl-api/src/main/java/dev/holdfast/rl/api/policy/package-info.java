/** Acting: the policy in plain Java, action distributions, observation normalisation. */
@NullMarked
package dev.holdfast.rl.api.policy;

import org.jspecify.annotations.NullMarked;
