package dev.holdfast.examples.backends;

import ai.djl.Model;
import ai.djl.inference.Predictor;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.backend.djl.model.DjlModels;
import dev.holdfast.rl.backend.dl4j.model.Dl4jModels;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.factory.Nd4j;

/** Trains in CartPole with the Java backend, and plays what was learned as models of Deeplearning4j and of DJL. */
public final class HandOverExample {
    private static final String ENVIRONMENT = "CartPole-v1";

    /** Who plays. */
    interface Player {
        /** Returns the action for an observation. */
        Action act(float[] observation) throws Exception;
    }

    private HandOverExample() {}

    /**
     * Runs the example.
     *
     * @param args where files go; {@code runs/hand-over} if left out
     * @throws Exception if DJL or Deeplearning4j can't load or compute a model
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args.length > 0 ? args[0] : "runs/hand-over");
        Policy policy = train(folder);
        System.out.println("Holdfast: " + play(policy::act));
        System.out.println("Deeplearning4j: "
                + playDl4j(policy, folder.resolve("cartpole-dl4j.zip").toFile()));
        System.out.println("DJL: " + playDjl(policy, folder.resolve("djl")));
    }

    static Policy train(Path folder) {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, ENVIRONMENT)
                .set(Fields.MODEL, Optional.of(folder.resolve("cartpole.zip")))
                .set(Fields.RESUME, Files.exists(folder.resolve("resume.json")))
                .set(Fields.TIMESTEPS, 20_000L)
                .set(Fields.BACKEND, "java")
                .set(Fields.NORMALIZE_OBSERVATION, true)
                .build();
        return Trainer.of(config).build().train().policy();
    }

    static double playDl4j(Policy policy, File file) throws Exception {
        ModelSerializer.writeModel(Dl4jModels.policy(policy), file, false);
        MultiLayerNetwork network = ModelSerializer.restoreMultiLayerNetwork(file);
        return play(observation -> Action.of(network.output(Nd4j.createFromArray(new float[][] {observation}))
                .argMax(1)
                .getInt(0)));
    }

    static double playDjl(Policy policy, Path folder) throws Exception {
        try (Model model = DjlModels.policy(policy)) {
            model.save(folder, "cartpole");
        }
        try (Model model = DjlModels.policy(policy)) {
            model.load(folder, "cartpole");
            try (Predictor<float[], Action> predictor = model.newPredictor(DjlModels.actions(policy))) {
                return play(predictor::predict);
            }
        }
    }

    /** Plays an episode, always the same one, and returns what it earned. */
    static double play(Player player) throws Exception {
        EnvironmentProvider provider = Environments.named(ENVIRONMENT);
        try (Environment cartPole = provider.create(EnvironmentOptions.of(provider, Map.of(), 1, 1, ""))) {
            double sum = 0;
            float[] observation = cartPole.reset(1);
            Step step;
            do {
                step = cartPole.step(player.act(observation));
                observation = step.observation();
                sum += step.reward();
            } while (!step.terminated() && !step.truncated());
            return sum;
        }
    }
}
