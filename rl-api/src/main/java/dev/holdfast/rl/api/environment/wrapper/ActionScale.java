package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Space;

/** Takes actions from bounds that suit a policy. */
final class ActionScale extends EnvironmentWrapper {
    private final BoxScale scale;

    ActionScale(Environment environment, BoxScale scale) {
        super(environment);
        this.scale = scale;
    }

    @Override
    public Space actionSpace() {
        return scale.scaled();
    }

    @Override
    public Step step(Action action) {
        return super.step(Action.wrap(scale.unscale(action.toArray())));
    }
}
