package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import java.util.function.DoubleUnaryOperator;

/** Replaces rewards by a function of them. */
final class RewardMap extends EnvironmentWrapper {
    private final DoubleUnaryOperator function;

    RewardMap(Environment environment, DoubleUnaryOperator function) {
        super(environment);
        this.function = function;
    }

    @Override
    public Step step(Action action) {
        Step step = super.step(action);
        return new Step(step.observation(), function.applyAsDouble(step.reward()), step.terminated(), step.truncated());
    }
}
