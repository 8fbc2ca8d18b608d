/** Problems of assignment, in which several choices are made at once or one depends on another. */
@NullMarked
package dev.holdfast.examples.environments.assignment;

import org.jspecify.annotations.NullMarked;
