package dev.holdfast.training.runtime.cli;

import java.util.concurrent.Callable;

/**
 * A subcommand that another module adds to the {@code holdfast} command: a class with picocli's {@code @Command}, found by {@link
 * java.util.ServiceLoader}. It returns the exit code.
 */
public interface Subcommand extends Callable<Integer> {}
