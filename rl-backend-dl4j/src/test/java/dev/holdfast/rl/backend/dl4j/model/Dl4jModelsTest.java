package dev.holdfast.rl.backend.dl4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Space;
import dev.holdfast.rl.api.testing.PolicyCase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

class Dl4jModelsTest {
    private static final int OBSERVATIONS = 100;

    @TempDir
    Path folder;

    private static List<PolicyCase> cases() {
        return PolicyCase.all();
    }

    /** Rows of observations, with indices one-hot. */
    private static INDArray input(Policy policy, List<float[]> observations) {
        Space space = policy.network().observationSpace();
        float[][] features = new float[observations.size()][space.featureSize()];
        for (int i = 0; i < features.length; i++) {
            space.encode(observations.get(i), 0, features[i], 0);
        }
        return Nd4j.createFromArray(features);
    }

    private MultiLayerNetwork savedAndRestored(MultiLayerNetwork network) throws IOException {
        File file = folder.resolve("network.zip").toFile();
        ModelSerializer.writeModel(network, file, false);
        return ModelSerializer.restoreMultiLayerNetwork(file);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void outputsValuesAndActionsAreThoseOfThePolicy(PolicyCase policyCase) throws IOException {
        Policy policy = policyCase.policy();
        RandomStream random = new RandomStream(1);
        List<float[]> observations = policyCase.observations(OBSERVATIONS, random);
        INDArray input = input(policy, observations);
        MultiLayerNetwork network = Dl4jModels.policy(policy);
        float[][] outputs = network.output(input).toFloatMatrix();
        assertClose(outputs, policyCase.outputs(observations));
        assertClose(Dl4jModels.value(policy).output(input).toFloatMatrix(), policyCase.values(observations));
        assertThat(savedAndRestored(network).output(input).toFloatMatrix()).isDeepEqualTo(outputs);
        float[][] actions = new float[OBSERVATIONS][];
        float[][] expected = new float[OBSERVATIONS][];
        for (int i = 0; i < OBSERVATIONS; i++) {
            boolean[] mask = policyCase.mask(random);
            actions[i] = policy.mostProbable(outputs[i], mask).toArray();
            expected[i] = policy.act(observations.get(i), mask, null).toArray();
        }
        // Equal but for the rounding of a Box's means.
        assertClose(actions, expected);
    }

    private static void assertClose(float[][] actual, float[][] expected) {
        assertThat(actual).hasNumberOfRows(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).containsExactly(expected[i], within(PolicyCase.tolerance(expected)));
        }
    }

    @Test
    void holdsTheWeightsOfTheCheckpointAndEqualsAnotherExport() {
        Policy policy = normalized();
        MultiLayerNetwork network = Dl4jModels.policy(policy);
        float[] first = policy.weights().stream()
                .filter(tensor -> tensor.name().equals("mlp_extractor.policy_net.0.weight"))
                .findFirst()
                .orElseThrow()
                .floats();
        INDArray weight = network.getParam("3_W");
        int inputs = policy.network().inputs();
        for (int i = 0; i < first.length; i++) {
            assertThat(weight.getFloat(i % inputs, i / inputs)).isEqualTo(first[i]);
        }
        assertThat(Dl4jModels.policy(policy)).isEqualTo(network);
    }

    private static Policy normalized() {
        return cases().stream()
                .map(PolicyCase::policy)
                .filter(policy -> policy.normalizer() != null)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void trainingLeavesTheNormalisationAlone() {
        Policy policy = normalized();
        MultiLayerNetwork network = Dl4jModels.policy(policy);
        INDArray input = Nd4j.ones(1, policy.network().inputs());
        INDArray target = network.output(input).dup().addi(1);
        double before = network.score(new DataSet(input, target));
        INDArray frozen = frozen(network).dup();
        INDArray hidden = network.getParam("3_W").dup();

        network.fit(input, target);

        assertThat(network.score(new DataSet(input, target))).isLessThan(before);
        assertThat(frozen(network).toFloatVector()).containsExactly(frozen.toFloatVector());
        assertThat(network.getParam("3_W")).isNotEqualTo(hidden);
    }

    private static INDArray frozen(MultiLayerNetwork network) {
        return Nd4j.concat(
                0,
                network.getLayer(0).params(),
                network.getLayer(1).params(),
                network.getLayer(2).params());
    }

    @Test
    void keepsSettingsOfTheApplication() {
        String property = "org.bytedeco.javacpp.maxbytes";
        String before = System.getProperty(property);
        try {
            System.clearProperty(property);
            Nd4jStart.prepare();
            assertThat(System.getProperty(property)).isEqualTo("0");
            System.setProperty(property, "1g");
            Nd4jStart.prepare();
            assertThat(System.getProperty(property)).isEqualTo("1g");
        } finally {
            System.clearProperty(property);
            if (before != null) {
                System.setProperty(property, before);
            }
        }
    }
}
