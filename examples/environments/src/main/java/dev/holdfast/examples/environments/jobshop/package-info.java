/** Job-shop scheduling: instances, a simulator, dispatching rules, a validator of schedules, and an environment to learn. */
@NullMarked
package dev.holdfast.examples.environments.jobshop;

import org.jspecify.annotations.NullMarked;
