package dev.holdfast.rl.backend.djl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import ai.djl.translate.Batchifier;
import ai.djl.translate.TranslateException;
import ai.djl.util.Pair;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.testing.PolicyCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DjlModelsTest {
    private static final int OBSERVATIONS = 100;

    @TempDir
    Path folder;

    private static List<PolicyCase> cases() {
        return PolicyCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void outputsAndValuesAreThoseOfThePolicy(PolicyCase policyCase) throws TranslateException {
        Policy policy = policyCase.policy();
        try (Model model = DjlModels.policy(policy);
                Model value = DjlModels.value(policy);
                Predictor<float[], float[]> outputs = model.newPredictor(DjlModels.outputs(policy));
                Predictor<float[], float[]> values = value.newPredictor(DjlModels.outputs(policy))) {
            List<float[]> observations = policyCase.observations(OBSERVATIONS, new RandomStream(1));
            assertClose(outputs.batchPredict(observations), policyCase.outputs(observations));
            assertClose(values.batchPredict(observations), policyCase.values(observations));
            assertThat(outputs.predict(observations.get(0)))
                    .hasSize(policy.network().distribution().parameterCount());
        }
    }

    private static void assertClose(List<float[]> actual, float[][] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual.get(i)).containsExactly(expected[i], within(PolicyCase.tolerance(expected)));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void actionsAreThoseOfThePolicyOneByOneAndInABatch(PolicyCase policyCase) throws TranslateException {
        Policy policy = policyCase.policy();
        RandomStream random = new RandomStream(2);
        List<float[]> observations = policyCase.observations(OBSERVATIONS, random);
        List<Pair<float[], boolean[]>> masked = new ArrayList<>();
        List<float[]> expected = new ArrayList<>();
        for (float[] observation : observations) {
            boolean[] mask = policyCase.mask(random);
            masked.add(new Pair<>(observation, mask));
            expected.add(policy.act(observation, mask, null).toArray());
        }
        List<Action> one = new ArrayList<>();
        List<Action> batch;
        try (Model model = DjlModels.policy(policy)) {
            if (policy.network().masked()) {
                try (var predictor = model.newPredictor(DjlModels.maskedActions(policy))) {
                    for (Pair<float[], boolean[]> input : masked) {
                        one.add(predictor.predict(input));
                    }
                    batch = predictor.batchPredict(masked);
                }
            } else {
                try (var predictor = model.newPredictor(DjlModels.actions(policy))) {
                    for (float[] observation : observations) {
                        one.add(predictor.predict(observation));
                    }
                    batch = predictor.batchPredict(observations);
                }
            }
        }
        // Equal but for the rounding of a Box's means.
        assertClose(one.stream().map(Action::toArray).toList(), expected.toArray(new float[0][]));
        assertClose(batch.stream().map(Action::toArray).toList(), expected.toArray(new float[0][]));
    }

    private static Policy small() {
        NetworkSpec spec = NetworkSpec.of(
                Box.of(-10, 10, 2), new Discrete(3), false, dev.holdfast.rl.api.network.Activation.RELU, 4);
        float[] weights = new float[new ParameterLayout(spec).size()];
        RandomStream random = new RandomStream(3);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) random.nextGaussian();
        }
        return new Policy(spec, new ParameterLayout(spec).split(weights), null);
    }

    private static float[] predict(Model model, float... observation) throws TranslateException {
        try (Predictor<float[], float[]> predictor = model.newPredictor(DjlModels.outputs(small()))) {
            return predictor.predict(observation);
        }
    }

    @Test
    void savedParametersAreReadByABlockOfTheSameShape() throws Exception {
        float[] expected;
        try (Model model = DjlModels.policy(small())) {
            expected = predict(model, 1, 2);
            model.save(folder, "small");
        }
        try (Model ours = DjlModels.policy(zeros());
                Model plain = Model.newInstance("small", Device.cpu(), "PyTorch")) {
            assertThat(predict(ours, 1, 2)).containsExactly(0, 0, 0);
            ours.load(folder, "small");
            assertThat(predict(ours, 1, 2)).containsExactly(expected);

            plain.setBlock(new SequentialBlock()
                    .add(Linear.builder().setUnits(4).build())
                    .add(Activation.reluBlock())
                    .add(Linear.builder().setUnits(3).build()));
            plain.load(folder);
            assertThat(predict(plain, 1, 2)).containsExactly(expected);
        }
    }

    private static Policy zeros() {
        ParameterLayout layout = new ParameterLayout(small().network());
        return new Policy(small().network(), layout.split(new float[layout.size()]), null);
    }

    @Test
    void canBeTrainedByDjl() throws Exception {
        try (Model model = DjlModels.policy(small())) {
            float[] before = predict(model, 1, 2);
            try (Trainer trainer = model.newTrainer(new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss()))) {
                try (NDManager manager = model.getNDManager().newSubManager();
                        Batch batch = new Batch(
                                manager,
                                new NDList(manager.create(new float[][] {{1, 2}})),
                                new NDList(manager.create(new float[] {2})),
                                1,
                                Batchifier.STACK,
                                Batchifier.STACK,
                                0,
                                0)) {
                    EasyTrain.trainBatch(trainer, batch);
                    trainer.step();
                }
            }
            float[] after = predict(model, 1, 2);
            assertThat(after[2] - after[0]).isGreaterThan(before[2] - before[0]);
        }
    }

    @Test
    void refusesWhatThePolicyRefuses() {
        Policy policy = small();
        try (Model model = DjlModels.policy(policy);
                var actions = model.newPredictor(DjlModels.actions(policy));
                var masked = model.newPredictor(DjlModels.maskedActions(policy))) {
            assertThatThrownBy(() -> actions.predict(new float[] {1, 11}))
                    .isInstanceOf(TranslateException.class)
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("element 1 must be in [-10.0, 10.0], but was 11.0");
            assertThatThrownBy(() -> masked.predict(new Pair<>(new float[2], new boolean[3])))
                    .cause()
                    .hasMessage("the policy was trained without action masks: it takes none");
        }
    }
}
