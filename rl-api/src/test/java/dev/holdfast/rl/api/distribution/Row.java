package dev.holdfast.rl.api.distribution;

import dev.holdfast.rl.api.random.RandomStream;
import org.jspecify.annotations.Nullable;

/** One row of a distribution's parameters, in arrays that start with elements of other rows. */
final class Row {
    private static final int BEFORE = 3;
    private final ActionDistribution distribution;
    private final float[] parameters;
    private final float[] logStd;
    private final boolean @Nullable [] mask;
    private final float[] work;
    private final float[] result = new float[2];

    Row(ActionDistribution distribution, float[] parameters, float[] logStd, boolean @Nullable [] mask) {
        this.distribution = distribution;
        this.parameters = new float[BEFORE + parameters.length];
        System.arraycopy(parameters, 0, this.parameters, BEFORE, parameters.length);
        this.logStd = logStd;
        if (mask == null) {
            this.mask = null;
        } else {
            this.mask = new boolean[BEFORE + mask.length];
            System.arraycopy(mask, 0, this.mask, BEFORE, mask.length);
        }
        work = new float[distribution.workSize()];
    }

    static Row categorical(float[] logits, boolean @Nullable [] mask) {
        return new Row(new CategoricalDistribution(logits.length), logits, new float[0], mask);
    }

    float logProbability(float... action) {
        evaluate(action);
        return result[0];
    }

    float entropy() {
        evaluate(mode());
        return result[1];
    }

    float[] mode() {
        float[] action = new float[distribution.actionSize()];
        distribution.mode(parameters, BEFORE, mask, BEFORE, action, 0);
        return action;
    }

    float[] sample(RandomStream random) {
        float[] action = new float[distribution.actionSize()];
        distribution.sample(parameters, BEFORE, logStd, mask, BEFORE, random, action, 0);
        return action;
    }

    /** The gradient with respect to the parameters; with respect to the log standard deviations it is added to the array. */
    float[] gradient(float a, float b, double[] logStdGradient, float... action) {
        evaluate(action);
        float[] gradient = new float[parameters.length];
        distribution.gradient(
                parameters, BEFORE, logStd, mask, BEFORE, action, 0, work, a, b, gradient, logStdGradient);
        float[] own = new float[distribution.parameterCount()];
        System.arraycopy(gradient, BEFORE, own, 0, own.length);
        return own;
    }

    private void evaluate(float[] action) {
        distribution.evaluate(parameters, BEFORE, logStd, mask, BEFORE, action, 0, work, result);
    }
}
