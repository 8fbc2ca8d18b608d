/** Measures what Holdfast reaches: what policies learn, and how fast. */
@NullMarked
package dev.holdfast.examples.benchmark;

import org.jspecify.annotations.NullMarked;
