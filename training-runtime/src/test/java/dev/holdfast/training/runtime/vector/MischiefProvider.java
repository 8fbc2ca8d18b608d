package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An environment that counts its steps, and is up to {@link Mischief}. */
public final class MischiefProvider implements EnvironmentProvider {
    @Override
    public String name() {
        return "Mischief-v0";
    }

    @Override
    public String description() {
        return "fails in every way there is";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Mischief.parameter(),
                Parameter.integer("length", 500, 1, 1000, "After how many steps an episode is cut"));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        int length = options.integer("length");
        Mischief mischief = new Mischief(options);
        mischief.create();
        return new Environment() {
            private int steps;

            @Override
            public Space observationSpace() {
                return Box.of(0, 1000, 1);
            }

            @Override
            public Space actionSpace() {
                return new Discrete(2);
            }

            @Override
            public float[] reset(long seed) {
                mischief.reset(seed);
                steps = 0;
                return new float[1];
            }

            @Override
            public Step step(Action action) {
                mischief.step();
                steps++;
                return new Step(new float[] {steps}, action.index(), false, steps == length);
            }

            @Override
            public byte @Nullable [] saveState() {
                mischief.save();
                return new byte[] {(byte) (steps >> 8), (byte) steps};
            }

            @Override
            public void restoreState(byte[] state) {
                steps = (state[0] << 8) + (state[1] & 0xff);
            }

            @Override
            public void close() {
                mischief.close();
            }
        };
    }
}
