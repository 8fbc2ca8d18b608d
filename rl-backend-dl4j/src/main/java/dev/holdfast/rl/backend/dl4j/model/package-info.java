/** Trained policies as networks of Deeplearning4j. */
@NullMarked
package dev.holdfast.rl.backend.dl4j.model;

import org.jspecify.annotations.NullMarked;
