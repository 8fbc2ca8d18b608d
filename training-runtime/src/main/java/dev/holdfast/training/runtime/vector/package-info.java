/** Vector environments: in the training thread, and in threads of their own. */
@NullMarked
package dev.holdfast.training.runtime.vector;

import org.jspecify.annotations.NullMarked;
