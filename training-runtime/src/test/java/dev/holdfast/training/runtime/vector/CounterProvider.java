package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** {@link Counter}s, also for other processes. The second of each three may do something else in its third step. */
public final class CounterProvider implements EnvironmentProvider {
    private static final AtomicInteger MADE = new AtomicInteger();

    @Override
    public String name() {
        return "Counter-v0";
    }

    @Override
    public String description() {
        return "counts";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.choice(
                "third",
                List.of("fine", "exception", "null", "nan_reward", "nan_observation", "outside", "long"),
                "What the second environment does in its third step"));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        String third = options.text("third");
        if (third.equals("fine")) {
            return new Counter();
        }
        boolean second = MADE.getAndIncrement() % 3 == 1;
        return new Counter() {
            @Override
            public float[] reset(long seed) {
                return super.reset(0);
            }

            @Override
            public Step step(Action action) {
                if (!second || steps != 2) {
                    return super.step(action);
                }
                return switch (third) {
                    case "exception" -> throw new IllegalStateException("oops");
                    case "null" -> null;
                    case "nan_reward" -> new Step(new float[1], Double.NaN, false, false);
                    case "nan_observation" -> new Step(new float[] {Float.NaN}, 0, false, false);
                    case "outside" -> new Step(new float[] {21}, 0, false, false);
                    default -> new Step(new float[2], 0, false, false);
                };
            }
        };
    }
}
