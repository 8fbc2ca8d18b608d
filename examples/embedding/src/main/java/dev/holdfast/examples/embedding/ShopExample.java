package dev.holdfast.examples.embedding;

import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Trains in {@link Shop} and asks the policy what to order. Started again, it goes on from where it was stopped or killed. */
public final class ShopExample {
    private ShopExample() {}

    /**
     * Runs the example.
     *
     * @param args where the run's files go; {@code runs/shop} if left out
     */
    public static void main(String[] args) {
        TrainingResult result = train(Path.of(args.length > 0 ? args[0] : "runs/shop"));
        System.out.println(result.evaluation());
        int order = result.policy().act(new float[] {3, 5}).index();
        System.out.println("With 3 items left before a Saturday: order " + order);
    }

    static TrainingResult train(Path folder) {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.MODEL, Optional.of(folder.resolve("shop.zip")))
                .set(Fields.RESUME, Files.exists(folder.resolve("resume.json")))
                .set(Fields.TIMESTEPS, 20_000L)
                .set(Fields.ENVS, 8)
                .set(Fields.ROLLOUT_STEPS, 64)
                .set(Fields.GAMMA, 0.9)
                .set(Fields.LEARNING_RATE, Schedule.linear(0.003))
                .build();
        return Trainer.of(config).environment(Shop::new).build().train();
    }
}
