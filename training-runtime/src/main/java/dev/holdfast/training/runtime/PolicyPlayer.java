package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Plays saved policies in the environments that they were trained in. */
public final class PolicyPlayer {
    private PolicyPlayer() {}

    /**
     * Plays a policy.
     *
     * @param model the archive of a model or checkpoint
     * @param arguments parameters of the environment that are to differ from those of the training
     * @param episodes the number of episodes, at least 1
     * @param seed fixes the episodes
     * @param stochastic whether to sample actions instead of taking the most probable ones
     * @return what the policy reached
     * @throws dev.holdfast.rl.api.checkpoint.CheckpointException if the model can't be read
     * @throws InvalidConfigurationException if its environment isn't on the class path, or has other spaces with these arguments
     */
    public static Evaluation play(
            Path model, Map<String, String> arguments, int episodes, long seed, boolean stochastic) {
        Require.atLeast(episodes, 1, "episodes");
        Checkpoint checkpoint = new ZipCheckpointStore().load(model);
        TrainingConfig.Builder builder = TrainingConfig.builder();
        checkpoint.settings().forEach((key, value) -> {
            if (!value.equals("custom")) {
                builder.text(key, value);
            }
        });
        Map<String, String> merged = new HashMap<>(builder.build().get(Fields.ENV_ARGS));
        merged.putAll(arguments);
        TrainingConfig config = builder.set(Fields.ENV_ARGS, merged).build();
        MlpPolicy policy = new MlpPolicy(checkpoint.network(), 1);
        policy.setWeights(new ParameterLayout(checkpoint.network())
                .join(checkpoint.learner().weights()));
        try (Evaluator evaluator = Evaluator.of(RunPlan.source(config, null), seed)) {
            evaluator.requireSpaces(checkpoint.network());
            return Objects.requireNonNull(evaluator.evaluate(
                    policy,
                    checkpoint.observationNormalizer(),
                    episodes,
                    stochastic ? new RandomStream(seed, "actions") : null,
                    () -> false));
        }
    }
}
