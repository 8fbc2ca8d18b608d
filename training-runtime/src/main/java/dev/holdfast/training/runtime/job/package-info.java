/** Training jobs: child processes that train, watched and controlled from outside. */
@NullMarked
package dev.holdfast.training.runtime.job;

import org.jspecify.annotations.NullMarked;
