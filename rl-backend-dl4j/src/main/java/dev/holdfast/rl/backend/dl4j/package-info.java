/** PPO mathematics on ND4J and Deeplearning4j. */
@NullMarked
package dev.holdfast.rl.backend.dl4j;

import org.jspecify.annotations.NullMarked;
