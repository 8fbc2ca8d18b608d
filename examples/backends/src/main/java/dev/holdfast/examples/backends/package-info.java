/** Several backends in one run, and with the tools of DJL and Deeplearning4j. */
@NullMarked
package dev.holdfast.examples.backends;

import org.jspecify.annotations.NullMarked;
