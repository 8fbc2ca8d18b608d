package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.Parameter;

/** The parameter that says after how many steps an episode is truncated. */
final class MaxSteps {
    static final String NAME = "max_steps";

    private MaxSteps() {}

    static Parameter parameter(int defaultValue) {
        return Parameter.integer(NAME, defaultValue, 1, 1_000_000, "Steps after which an episode is truncated");
    }

    static int of(EnvironmentOptions options) {
        return options.integer(NAME);
    }
}
