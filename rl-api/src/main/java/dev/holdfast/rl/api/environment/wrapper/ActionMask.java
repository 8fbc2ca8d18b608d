package dev.holdfast.rl.api.environment.wrapper;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.space.Box;
import java.util.function.Supplier;

/** Masks actions by a function. */
final class ActionMask extends EnvironmentWrapper {
    private final Supplier<boolean[]> mask;

    ActionMask(Environment environment, Supplier<boolean[]> mask) {
        super(environment);
        if (environment.actionSpace() instanceof Box box) {
            throw new InvalidConfigurationException("maskActions can't mask numbers, but the action space was " + box);
        }
        this.mask = mask;
    }

    @Override
    public boolean[] actionMask() {
        boolean[] valid = mask.get();
        boolean[] inner = super.actionMask();
        if (inner == null) {
            return valid;
        }
        boolean[] both = valid.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] &= inner[i];
        }
        return both;
    }
}
