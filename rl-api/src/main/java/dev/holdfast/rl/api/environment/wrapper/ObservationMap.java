package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Space;
import java.util.function.UnaryOperator;

/** Replaces observations by a function of them. */
final class ObservationMap extends EnvironmentWrapper {
    private final Space space;
    private final UnaryOperator<float[]> function;

    ObservationMap(Environment environment, Space space, UnaryOperator<float[]> function) {
        super(environment);
        this.space = space;
        this.function = function;
    }

    @Override
    public Space observationSpace() {
        return space;
    }

    @Override
    public float[] reset(long seed) {
        return function.apply(super.reset(seed));
    }

    @Override
    public Step step(Action action) {
        Step step = super.step(action);
        return new Step(function.apply(step.observation()), step.reward(), step.terminated(), step.truncated());
    }
}
