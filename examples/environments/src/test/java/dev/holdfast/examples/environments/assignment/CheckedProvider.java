package dev.holdfast.examples.environments.assignment;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Makes another provider's environment, which then throws if it gets an action that its mask doesn't allow, and counts actions. */
public final class CheckedProvider implements EnvironmentProvider {
    static final String NAME = "Checked-v0";
    static final LongAdder ACTIONS = new LongAdder();

    private static final String ENVIRONMENT = "environment";
    private static final String PROBLEM = "problem";
    private static final String ARGUMENT = "argument";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public CheckedProvider() {}

    /** What environment to make: an argument is a name and a value with = between them, or nothing. */
    static Map<String, String> arguments(String environment, int problem, String argument) {
        return Map.of(ENVIRONMENT, environment, PROBLEM, Integer.toString(problem), ARGUMENT, argument);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Checks that masks are kept";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.text(ENVIRONMENT, "", "Whose mask to check"),
                Parameter.integer(PROBLEM, 1, 1, 100, "Which of its problems"),
                Parameter.text(ARGUMENT, "", "A parameter of it that is to differ from its default"));
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        EnvironmentProvider inner = Environments.named(options.text(ENVIRONMENT));
        String argument = options.text(ARGUMENT);
        int equals = argument.indexOf('=');
        Map<String, String> arguments =
                equals < 0 ? Map.of() : Map.of(argument.substring(0, equals), argument.substring(equals + 1));
        Environment environment =
                inner.create(EnvironmentOptions.of(inner, arguments, options.integer(PROBLEM), 1, ""));
        return new Environment() {
            @Override
            public Space observationSpace() {
                return environment.observationSpace();
            }

            @Override
            public Space actionSpace() {
                return environment.actionSpace();
            }

            @Override
            public float[] reset(long seed) {
                return environment.reset(seed);
            }

            @Override
            public Step step(Action action) {
                boolean[] mask = environment.actionMask();
                if (mask != null && !ValidActions.allows(actionSpace(), mask, action)) {
                    throw new IllegalStateException(inner.name() + " got the masked action " + action);
                }
                ACTIONS.increment();
                return environment.step(action);
            }

            @Override
            public boolean @Nullable [] actionMask() {
                return environment.actionMask();
            }

            @Override
            public void close() {
                environment.close();
            }
        };
    }
}
