package dev.holdfast.examples.environments.assignment;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;

/**
 * An environment to learn, whose optimum can be computed.
 *
 * @param environment its name
 * @param problem the problem's number
 * @param arguments parameters that differ from their defaults
 */
record AssignmentTask(String environment, int problem, Map<String, String> arguments) {
    static final int EPISODES = 200;

    /**
     * What a policy reaches with its most probable actions in the episodes of the seeds 1 to {@value #EPISODES}.
     *
     * @param meanReturn of the policy
     * @param optimum the best return in the same episodes
     * @param truncated how many episodes were truncated
     */
    record Result(double meanReturn, double optimum, int truncated) {}

    private EnvironmentProvider provider() {
        return Environments.named(environment);
    }

    private EnvironmentOptions options() {
        return EnvironmentOptions.of(provider(), arguments, problem, 1, "");
    }

    /** Trains with the default profile but for some settings. */
    Result train(Path model, long seed, Map<String, String> settings) {
        TrainingConfig.Builder config = TrainingConfig.builder()
                .set(Fields.ENV, environment)
                .set(Fields.PROBLEM, problem)
                .set(Fields.ENV_ARGS, arguments)
                .set(Fields.SEED, seed)
                .set(Fields.MODEL, Optional.of(model));
        settings.forEach(config::text);
        Policy policy = Trainer.of(config.build()).build().train().policy();
        try (Environment played = provider().create(options())) {
            return play(policy, played);
        }
    }

    private Result play(Policy policy, Environment played) {
        LongToDoubleFunction optimum = optimum(played);
        double sum = 0;
        double best = 0;
        int truncated = 0;
        for (long episode = 1; episode <= EPISODES; episode++) {
            float[] observation = played.reset(episode);
            best += optimum.applyAsDouble(episode);
            Step step;
            do {
                step = played.step(policy.act(observation, played.actionMask(), null));
                observation = step.observation();
                sum += step.reward();
            } while (!step.done());
            truncated += step.truncated() ? 1 : 0;
        }
        return new Result(sum / EPISODES, best / EPISODES, truncated);
    }

    /** The best return of an episode that has just begun. */
    private LongToDoubleFunction optimum(Environment played) {
        if (played instanceof Fleet fleet) {
            FleetOptimum optimum = new FleetOptimum(FleetProvider.town(options()));
            return episode -> optimum.value(fleet);
        }
        LongFunction<Port> ports = BerthAllocationProvider.ports(options());
        return episode -> BerthOptimum.shipHours(ports.apply(episode)) / -24.0;
    }
}
