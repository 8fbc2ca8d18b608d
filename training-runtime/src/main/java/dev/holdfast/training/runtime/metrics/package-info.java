/** What a training run reports: the metric catalogue, records of it, and where they go. */
@NullMarked
package dev.holdfast.training.runtime.metrics;

import org.jspecify.annotations.NullMarked;
