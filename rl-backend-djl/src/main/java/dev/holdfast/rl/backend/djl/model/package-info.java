/** Trained policies as models of DJL. */
@NullMarked
package dev.holdfast.rl.backend.djl.model;

import org.jspecify.annotations.NullMarked;
