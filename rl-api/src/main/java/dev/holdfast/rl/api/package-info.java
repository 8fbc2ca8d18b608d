/** Exceptions shared by every module, and the packages of the contracts. */
@NullMarked
package dev.holdfast.rl.api;

import org.jspecify.annotations.NullMarked;
