/** What is learned about job-shop scheduling: a table of results, and Gantt charts. */
@NullMarked
package dev.holdfast.examples.benchmark.jobshop;

import org.jspecify.annotations.NullMarked;
