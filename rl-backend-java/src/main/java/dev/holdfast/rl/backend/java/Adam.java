package dev.holdfast.rl.backend.java;

import dev.holdfast.rl.api.ppo.UpdateSettings;

/**
 * Adam (Kingma and Ba, <em>Adam: a method for stochastic optimization</em>, 2015) in PyTorch's form: epsilon is added after the bias
 * correction of the second moment.
 *
 * <pre>
 *   m = m + (1 - β₁) (g - m)
 *   v = β₂ v + (1 - β₂) g²
 *   θ = θ - lr / (1 - β₁ᵗ) · m / (√v / √(1 - β₂ᵗ) + ε)
 * </pre>
 */
final class Adam {
    private static final float REST1 = (float) (1 - UpdateSettings.BETA1);
    private static final float BETA2 = (float) UpdateSettings.BETA2;
    private static final float REST2 = (float) (1 - UpdateSettings.BETA2);
    private static final float EPSILON = (float) UpdateSettings.EPSILON;
    private final float[] first;
    private final float[] second;
    private long steps;
    private float stepSize;
    private float rootScale;

    Adam(int size) {
        first = new float[size];
        second = new float[size];
    }

    /** Returns the running means of the gradient. */
    float[] firstMoments() {
        return first;
    }

    /** Returns the running means of the gradient's squares. */
    float[] secondMoments() {
        return second;
    }

    /** Returns the number of steps taken. */
    long steps() {
        return steps;
    }

    /** Replaces the number of steps taken. */
    void steps(long taken) {
        steps = taken;
    }

    /** Begins a step. */
    void begin(double learningRate) {
        steps++;
        stepSize = (float) (learningRate / (1 - Math.pow(UpdateSettings.BETA1, (double) steps)));
        rootScale = (float) (1 / Math.sqrt(1 - Math.pow(UpdateSettings.BETA2, (double) steps)));
    }

    /** Does the step that has begun for a range of the parameters, with {@code scale} times the gradient. */
    void apply(float[] parameters, float[] gradient, float scale, int from, int to) {
        float[] m = first;
        float[] v = second;
        float size = stepSize;
        float root = rootScale;
        for (int i = from; i < to; i++) {
            float g = gradient[i] * scale;
            float mean = m[i] + (g - m[i]) * REST1;
            float square = v[i] * BETA2 + g * g * REST2;
            m[i] = mean;
            v[i] = square;
            parameters[i] -= size * mean / ((float) Math.sqrt(square) * root + EPSILON);
        }
    }
}
