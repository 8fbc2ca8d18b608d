/** Acting: the policy in plain Java, and the normalisation of what it observes. */
@NullMarked
package dev.holdfast.rl.api.policy;

import org.jspecify.annotations.NullMarked;
