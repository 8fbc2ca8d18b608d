package dev.holdfast.examples.backends;

import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Path;
import java.util.Optional;

/** Starts a run with one backend and goes on with another. */
public final class MoveExample {
    private MoveExample() {}

    /**
     * Runs the example.
     *
     * @param args the file that the model goes to; {@code runs/moved/m.zip} if not given
     */
    public static void main(String[] args) {
        TrainingResult result = train(Path.of(args.length > 0 ? args[0] : "runs/moved/m.zip"));
        System.out.println(result.evaluation());
    }

    static TrainingResult train(Path model) {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "CartPole-v1")
                .set(Fields.BACKEND, "dl4j")
                .set(Fields.TIMESTEPS, 20_000L)
                .set(Fields.MODEL, Optional.of(model))
                .build();
        Trainer.of(config).build().train();

        TrainingConfig moved = TrainingConfig.builder()
                .set(Fields.RESUME, true)
                .set(Fields.BACKEND, "djl")
                .set(Fields.TIMESTEPS, 40_000L)
                .set(Fields.MODEL, Optional.of(model))
                .build();
        return Trainer.of(moved).build().train();
    }
}
