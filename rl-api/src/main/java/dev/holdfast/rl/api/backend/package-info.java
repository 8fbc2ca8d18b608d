/** The service provider interface that a numerical backend implements. */
@NullMarked
package dev.holdfast.rl.api.backend;

import org.jspecify.annotations.NullMarked;
