package dev.holdfast.rl.api.ppo;

/**
 * Adam (Kingma and Ba, <em>Adam: a method for stochastic optimization</em>, 2015) in PyTorch's form: epsilon is added after the bias
 * correction of the second moment. For backends whose parameters lie in Java's memory.
 *
 * <pre>
 *   m = m + (1 - β₁) (g - m)
 *   v = β₂ v + (1 - β₂) g²
 *   θ = θ - lr / (1 - β₁ᵗ) · m / (√v / √(1 - β₂ᵗ) + ε)
 * </pre>
 *
 * <p><em>Threads.</em> After {@link #begin}, threads may share out the parameters among them.
 */
public final class Adam {
    private static final float REST1 = (float) (1 - UpdateSettings.BETA1);
    private static final float BETA2 = (float) UpdateSettings.BETA2;
    private static final float REST2 = (float) (1 - UpdateSettings.BETA2);
    private static final float EPSILON = (float) UpdateSettings.EPSILON;
    private final float[] first;
    private final float[] second;
    private float stepSize;
    private float rootScale;

    /**
     * Creates an optimiser with moments of 0.
     *
     * @param size the number of parameters
     */
    public Adam(int size) {
        first = new float[size];
        second = new float[size];
    }

    /**
     * Returns the running means of the gradient, m.
     *
     * @return one per parameter, not a copy
     */
    public float[] firstMoments() {
        return first;
    }

    /**
     * Returns the running means of the gradient's squares, v.
     *
     * @return one per parameter, not a copy
     */
    public float[] secondMoments() {
        return second;
    }

    /**
     * Returns the factor of {@code m / (√v · rootScale + ε)} in a step: the learning rate over the first moment's bias correction.
     *
     * @param learningRate the learning rate, lr
     * @param step the number of the step, t, 1 for the first
     * @return lr / (1 - β₁ᵗ)
     */
    public static double stepSize(double learningRate, long step) {
        return learningRate / (1 - Math.pow(UpdateSettings.BETA1, (double) step));
    }

    /**
     * Returns the factor of √v in a step: the second moment's bias correction.
     *
     * @param step the number of the step, t, 1 for the first
     * @return 1 / √(1 - β₂ᵗ)
     */
    public static double rootScale(long step) {
        return 1 / Math.sqrt(1 - Math.pow(UpdateSettings.BETA2, (double) step));
    }

    /**
     * Begins a step.
     *
     * @param learningRate the learning rate
     * @param step its number, 1 for the first
     */
    public void begin(double learningRate, long step) {
        stepSize = (float) stepSize(learningRate, step);
        rootScale = (float) rootScale(step);
    }

    /**
     * Does the step that has begun for a range of the parameters.
     *
     * @param parameters are changed
     * @param gradient the gradient
     * @param scale multiplies the gradient
     * @param from the first parameter
     * @param to the one after the last
     */
    public void apply(float[] parameters, float[] gradient, float scale, int from, int to) {
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
