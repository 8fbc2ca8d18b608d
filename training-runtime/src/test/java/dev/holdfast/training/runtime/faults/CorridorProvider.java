package dev.holdfast.training.runtime.faults;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import dev.holdfast.training.runtime.vector.Mischief;
import java.util.List;

/**
 * {@code Corridor-v0}: begins at one end of a corridor, whose exit is in the middle, four steps away. Each step costs 1: nobody can get
 * more than -4. Cut after 50 steps. So short that every seed has learnt it after 20 iterations of 4 · 32 steps: what is asserted of
 * the policy must hold wherever faults cut the episodes.
 */
public final class CorridorProvider implements EnvironmentProvider {
    static final double BEST_RETURN = -4;
    private static final int HALF = 4;

    @Override
    public String name() {
        return "Corridor-v0";
    }

    @Override
    public String description() {
        return "Find the exit in the middle.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Mischief.parameter());
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        Mischief mischief = new Mischief(options);
        mischief.create();
        return new Environment() {
            private int position;
            private int steps;

            @Override
            public Space observationSpace() {
                return Box.of(-1, 1, 1);
            }

            @Override
            public Space actionSpace() {
                return new Discrete(2);
            }

            @Override
            public float[] reset(long seed) {
                mischief.reset(seed);
                position = seed % 2 == 0 ? HALF : -HALF;
                steps = 0;
                return observation();
            }

            @Override
            public Step step(Action action) {
                mischief.step();
                position = Math.min(Math.max(position + 2 * action.index() - 1, -HALF), HALF);
                steps++;
                return new Step(observation(), -1, position == 0, steps == 50);
            }

            private float[] observation() {
                return new float[] {(float) position / HALF};
            }

            @Override
            public byte[] saveState() {
                mischief.save();
                return new byte[] {(byte) position, (byte) steps};
            }

            @Override
            public void restoreState(byte[] state) {
                position = state[0];
                steps = state[1];
            }

            @Override
            public void close() {
                mischief.close();
            }
        };
    }
}
