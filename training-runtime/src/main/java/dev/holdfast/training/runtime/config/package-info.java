/** The configuration of a run, declared once. */
@NullMarked
package dev.holdfast.training.runtime.config;

import org.jspecify.annotations.NullMarked;
