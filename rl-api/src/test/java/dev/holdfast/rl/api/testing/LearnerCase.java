package dev.holdfast.rl.api.testing;

import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.ParameterLayout;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.List;

/**
 * A network with settings, weights and mini-batches made up at random.
 *
 * @param spec the network
 * @param settings the hyperparameters
 */
public record LearnerCase(NetworkSpec spec, UpdateSettings settings) {
    private static final Space OBSERVATIONS = Box.unbounded(5);

    /**
     * Returns cases of every action space, masks, both activations, layer lists empty, shared, and of odd widths, in turn.
     *
     * @return many cases
     */
    public static List<LearnerCase> all() {
        List<List<List<Integer>>> architectures = List.of(
                List.of(List.of(), List.of(), List.of()),
                List.of(List.of(), List.of(8, 8), List.of(8, 8)),
                List.of(List.of(7), List.of(), List.of()),
                List.of(List.of(33, 7), List.of(3), List.of(16, 1)),
                List.of(List.of(), List.of(1), List.of()),
                List.of(List.of(), List.of(), List.of(33)),
                List.of(List.of(1), List.of(7, 3, 33), List.of(3)));
        List<Space> observations =
                List.of(OBSERVATIONS, new Discrete(6), new MultiDiscrete(3, 1, 4), new MultiBinary(3));
        List<Space> actions = List.of(
                new Discrete(4),
                new Discrete(17),
                new MultiDiscrete(3, 1, 9),
                new ConditionalDiscrete(new MultiDiscrete(3, 4, 2, 2), -1, 0, 1, -1),
                new MultiBinary(3),
                Box.of(-1, 1, 2),
                Box.unbounded(1),
                new ConditionalDiscrete(new MultiDiscrete(5, 2, 3), -1, 0, 0));
        List<UpdateSettings> settings = List.of(
                settings(Double.POSITIVE_INFINITY, 0.01, true),
                settings(0.1, 0, false),
                settings(Double.POSITIVE_INFINITY, 0.3, true));
        List<LearnerCase> cases = new ArrayList<>();
        for (int i = 0; i < 56; i++) {
            // The lists have different lengths, so that their elements meet in ever new combinations.
            Space action = actions.get(i % 8);
            List<List<Integer>> layers = architectures.get(i % 7);
            NetworkSpec spec = new NetworkSpec(
                    observations.get(i / 3 % 4),
                    action,
                    !(action instanceof Box) && i / 8 % 2 == 0,
                    layers.get(0),
                    layers.get(1),
                    layers.get(2),
                    i / 2 % 2 == 0 ? Activation.TANH : Activation.RELU,
                    i % 5 != 0,
                    -0.3);
            cases.add(new LearnerCase(spec, settings.get(i / 2 % 3)));
        }
        return cases;
    }

    /**
     * Returns one case of each action space, with two hidden layers of 16.
     *
     * @return five cases
     */
    public static List<LearnerCase> ofEachActionSpace() {
        return List.of(
                of(new Discrete(4), true, Activation.TANH),
                of(new MultiDiscrete(3, 2), true, Activation.RELU),
                of(new ConditionalDiscrete(new MultiDiscrete(3, 2), -1, 0), true, Activation.TANH),
                of(new MultiBinary(3), false, Activation.TANH),
                of(Box.of(-1, 1, 2), false, Activation.RELU));
    }

    /**
     * Returns a case with two hidden layers of 16.
     *
     * @param actions the action space
     * @param masked whether actions are masked
     * @param activation the non-linearity
     * @return the case
     */
    public static LearnerCase of(Space actions, boolean masked, Activation activation) {
        return new LearnerCase(
                NetworkSpec.of(OBSERVATIONS, actions, masked, activation, 16, 16),
                settings(Double.POSITIVE_INFINITY, 0.01, true));
    }

    static UpdateSettings settings(double clipRangeVf, double entCoef, boolean normalize) {
        return new UpdateSettings(1e-3, 0.2, clipRangeVf, entCoef, 0.5, 0.5, normalize, Double.POSITIVE_INFINITY);
    }

    /** The settings with other limits. */
    UpdateSettings limited(double maxGradNorm, double maxKl) {
        return new UpdateSettings(
                settings.learningRate(),
                settings.clipRange(),
                settings.clipRangeVf(),
                settings.entCoef(),
                settings.vfCoef(),
                maxGradNorm,
                settings.normalizeAdvantage(),
                maxKl);
    }

    /**
     * Returns weights away from their special initial values: biases are not 0, and the action head isn't tiny.
     *
     * @param seed any number
     * @return in the order of {@link ParameterLayout}
     */
    public float[] weights(long seed) {
        float[] weights = Initializer.weights(spec, seed);
        RandomStream random = new RandomStream(seed, "noise");
        for (int i = 0; i < weights.length; i++) {
            weights[i] += (float) (0.2 * random.nextGaussian());
        }
        return weights;
    }

    /**
     * Returns a learner's state with moments of 0 and no steps taken.
     *
     * @param weights the weights
     * @return the state
     */
    public LearnerState state(float[] weights) {
        ParameterLayout layout = new ParameterLayout(spec);
        float[] zeros = new float[layout.size()];
        return new LearnerState(layout.split(weights), layout.split(zeros), layout.split(zeros), 0);
    }

    /**
     * Returns samples with valid actions, whose ratios lie on both sides of the clip range.
     *
     * @param size the number of samples
     * @param weights the weights around whose policy the actions' log-probabilities lie
     * @param seed any number
     * @return a full mini-batch
     */
    public MiniBatch batch(int size, float[] weights, long seed) {
        MiniBatch batch = new MiniBatch(spec, size);
        batch.size(size);
        RandomStream random = new RandomStream(seed, "batch");
        int inputs = spec.inputs();
        for (int row = 0; row < size; row++) {
            spec.observationSpace().encode(value(spec.observationSpace(), random), 0, batch.features(), row * inputs);
            float[] action = value(spec.actionSpace(), random);
            System.arraycopy(action, 0, batch.actions(), row * action.length, action.length);
            mask(batch, row, action, random);
            batch.values()[row] = (float) random.nextGaussian();
            batch.advantages()[row] = (float) (0.5 + 2 * random.nextGaussian());
            batch.returns()[row] = (float) random.nextGaussian();
        }
        double[] now = ReferencePpo.logProbabilities(spec, doubles(weights), batch);
        for (int row = 0; row < size; row++) {
            batch.logProbabilities()[row] = (float) (now[row] + 0.3 * random.nextGaussian());
        }
        return batch;
    }

    /**
     * Returns a value of a space, for a {@code Box} from the normal distribution.
     *
     * @param space the space
     * @param random where randomness comes from
     * @return a new array
     */
    public static float[] value(Space space, RandomStream random) {
        float[] value = new float[space.size()];
        for (int i = 0; i < value.length; i++) {
            if (space instanceof Discrete discrete) {
                value[i] = random.nextInt(discrete.n());
            } else if (space instanceof MultiDiscrete multi) {
                value[i] = random.nextInt(multi.branches()[i]);
            } else if (space instanceof ConditionalDiscrete conditional) {
                value[i] = random.nextInt(conditional.choices().branches()[i]);
            } else if (space instanceof MultiBinary) {
                value[i] = random.nextInt(2);
            } else {
                value[i] = (float) random.nextGaussian();
            }
        }
        return value;
    }

    /** Half of the actions are valid, and the chosen ones, and no branch is empty. */
    private void mask(MiniBatch batch, int row, float[] action, RandomStream random) {
        boolean[] masks = batch.masks();
        if (masks == null) {
            return;
        }
        int size = spec.distribution().maskSize();
        int start = row * size;
        do {
            for (int i = start; i < start + size; i++) {
                masks[i] = random.nextInt(2) == 0;
            }
            for (int branch = 0; branch < action.length; branch++) {
                masks[start + chosen(spec.actionSpace(), branch, action)] = true;
            }
        } while (spec.distribution().emptyBranch(masks, start) != null);
    }

    /** Where the choice in a branch stands in a mask. */
    private static int chosen(Space space, int branch, float[] action) {
        if (space instanceof ConditionalDiscrete conditional) {
            int parent = conditional.parents()[branch];
            int row = parent < 0 ? 0 : (int) action[parent];
            return conditional.start(branch) + row * conditional.choices().branches()[branch] + (int) action[branch];
        }
        int start = 0;
        for (int earlier = 0; earlier < branch; earlier++) {
            start += space instanceof MultiDiscrete multi ? multi.branches()[earlier] : 2;
        }
        return start + (int) action[branch];
    }

    /**
     * Widens numbers.
     *
     * @param floats the numbers
     * @return a new array
     */
    public static double[] doubles(float[] floats) {
        double[] doubles = new double[floats.length];
        for (int i = 0; i < floats.length; i++) {
            doubles[i] = floats[i];
        }
        return doubles;
    }

    @Override
    public String toString() {
        return spec.actionSpace() + (spec.masked() ? " masked, " : ", ") + spec.activation() + ", "
                + spec.sharedLayers() + spec.policyLayers() + spec.valueLayers() + " from " + spec.observationSpace();
    }
}
