package dev.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.util.Pair;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.testing.PolicyCase;
import dev.holdfast.rl.backend.djl.model.DjlModels;
import dev.holdfast.rl.backend.dl4j.model.Dl4jModels;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** {@link HandOverExample}, and the code of {@code docs/how-to/use-a-policy-in-djl-or-dl4j.md}, which quotes it. */
class PolicyExportTest {
    @TempDir
    static Path folder;

    private static Path model;
    private static List<float[]> observations;

    @BeforeAll
    static void aTrainedPolicy() throws Exception {
        Policy policy = HandOverExample.train(folder);
        model = folder.resolve("cartpole.zip");
        observations = new ArrayList<>();
        HandOverExample.play(observation -> {
            observations.add(observation);
            return policy.act(observation);
        });
    }

    @Test
    void everyLibraryPlaysTheSameEpisode() throws Exception {
        Policy policy = new ZipCheckpointStore().load(model).policy();
        double earned = HandOverExample.play(policy::act);
        assertThat(earned).isGreaterThan(100);
        assertThat(HandOverExample.playDl4j(policy, folder.resolve("dl4j.zip").toFile()))
                .isEqualTo(earned);
        assertThat(HandOverExample.playDjl(policy, folder.resolve("djl"))).isEqualTo(earned);
    }

    @Test
    void trainedOutputsAndValuesAreThoseOfThePolicy() throws Exception {
        Policy policy = new ZipCheckpointStore().load(model).policy();
        PolicyCase expected = new PolicyCase(policy);
        float[][] logits = expected.outputs(observations);
        float[][] values = expected.values(observations);
        INDArray input = Nd4j.createFromArray(observations.toArray(new float[0][]));
        assertClose(Dl4jModels.policy(policy).output(input).toFloatMatrix(), logits);
        assertClose(Dl4jModels.value(policy).output(input).toFloatMatrix(), values);
        try (Model network = DjlModels.policy(policy);
                Model value = DjlModels.value(policy);
                Predictor<float[], float[]> logitsOf = network.newPredictor(DjlModels.outputs(policy));
                Predictor<float[], float[]> valueOf = value.newPredictor(DjlModels.outputs(policy))) {
            assertClose(logitsOf.batchPredict(observations).toArray(new float[0][]), logits);
            assertClose(valueOf.batchPredict(observations).toArray(new float[0][]), values);
        }
    }

    private static void assertClose(float[][] actual, float[][] expected) {
        assertThat(actual).hasNumberOfRows(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).containsExactly(expected[i], within(PolicyCase.tolerance(expected)));
        }
    }

    @Test
    void deeplearning4j() throws Exception {
        float[] observation = observations.get(0);
        File file = folder.resolve("network.zip").toFile();

        Policy policy = new ZipCheckpointStore().load(model).policy();
        ModelSerializer.writeModel(Dl4jModels.policy(policy), file, false);

        MultiLayerNetwork network = ModelSerializer.restoreMultiLayerNetwork(file);
        INDArray logits = network.output(Nd4j.createFromArray(new float[][] {observation}));
        int push = logits.argMax(1).getInt(0);
        assertThat(push).isEqualTo(policy.act(observation).index());

        Action action = policy.mostProbable(logits.getRow(0).toFloatVector(), null);
        assertThat(action.index()).isEqualTo(push);
    }

    @Test
    void djl() throws Exception {
        float[] observation = observations.get(0);

        Policy policy = new ZipCheckpointStore().load(model).policy();
        try (Model network = DjlModels.policy(policy);
                Predictor<float[], Action> predictor = network.newPredictor(DjlModels.actions(policy))) {
            Action push = predictor.predict(observation);
            List<Action> many = predictor.batchPredict(observations);
            network.save(folder.resolve("djl-model"), "cartpole");
            assertThat(push.index()).isEqualTo(policy.act(observation).index());
            assertThat(many)
                    .extracting(Action::index)
                    .containsExactlyElementsOf(observations.stream()
                            .map(each -> policy.act(each).index())
                            .toList());
        }

        try (Model network = Model.newInstance("cartpole", Device.cpu(), "PyTorch")) {
            network.setBlock(new SequentialBlock()
                    .add(Linear.builder().setUnits(64).build())
                    .add(Activation.tanhBlock())
                    .add(Linear.builder().setUnits(64).build())
                    .add(Activation.tanhBlock())
                    .add(Linear.builder().setUnits(2).build()));
            network.load(folder.resolve("djl-model"));
            try (Predictor<float[], Action> predictor = network.newPredictor(DjlModels.actions(policy))) {
                assertThat(predictor.predict(observation).index())
                        .isEqualTo(policy.act(observation).index());
            }
        }
    }

    @Test
    void masks() throws Exception {
        Path masked = folder.resolve("masked/masked.zip");
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "InvalidAction-v0")
                .set(Fields.MODEL, Optional.of(masked))
                .set(Fields.TIMESTEPS, 512L)
                .build();
        Trainer.of(config).build().train();
        Policy policy = new ZipCheckpointStore().load(masked).policy();
        PolicyCase random = new PolicyCase(policy);
        RandomStream stream = new RandomStream(1);
        float[] observation = random.observations(1, stream).get(0);
        boolean[] mask = random.mask(stream);

        float[] oneHot = new float[policy.network().inputs()];
        policy.network().observationSpace().encode(observation, 0, oneHot, 0);
        INDArray logits = Dl4jModels.policy(policy).output(Nd4j.createFromArray(new float[][] {oneHot}));
        Action action = policy.mostProbable(logits.getRow(0).toFloatVector(), mask);
        assertThat(action.index()).isEqualTo(policy.act(observation, mask, null).index());

        try (Model network = DjlModels.policy(policy);
                var predictor = network.newPredictor(DjlModels.maskedActions(policy))) {
            Action valid = predictor.predict(new Pair<>(observation, mask));
            assertThat(valid.index()).isEqualTo(action.index());
        }
    }
}
