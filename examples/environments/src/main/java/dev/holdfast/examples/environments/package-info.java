/** Example environments, found by name through {@link dev.holdfast.rl.api.environment.Environments}. */
@NullMarked
package dev.holdfast.examples.environments;

import org.jspecify.annotations.NullMarked;
