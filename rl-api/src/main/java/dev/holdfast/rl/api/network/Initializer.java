package dev.holdfast.rl.api.network;

import dev.holdfast.rl.api.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * Initial weights. The same for the same network and seed, whatever the backend.
 *
 * <p>Orthogonal (Saxe et al., <em>Exact solutions to the nonlinear dynamics of learning in deep linear neural networks</em>,
 * 2014): a matrix of normal draws is made orthonormal in double precision and multiplied by a gain, so that {@code W Wᵀ = g² I}
 * where there are no more outputs than inputs, and {@code Wᵀ W = g² I} otherwise.
 */
public final class Initializer {
    private Initializer() {}

    /**
     * Draws the initial weights of a network.
     *
     * @param spec the network
     * @param seed any number
     * @return the weights in the order of {@link ParameterLayout}
     */
    public static float[] weights(NetworkSpec spec, long seed) {
        ParameterLayout layout = new ParameterLayout(spec);
        float[] flat = new float[layout.size()];
        RandomStream random = new RandomStream(seed, "weights");
        if (layout.logStdOffset() >= 0) {
            int actions = layout.actionHead().out();
            Arrays.fill(flat, layout.logStdOffset(), layout.logStdOffset() + actions, (float) spec.initialLogStd());
        }
        for (List<ParameterLayout.Layer> stack : List.of(layout.shared(), layout.policy(), layout.value())) {
            stack.forEach(layer -> fill(layer, spec, Math.sqrt(2), random, flat));
        }
        fill(layout.actionHead(), spec, 0.01, random, flat);
        fill(layout.valueHead(), spec, 1, random, flat);
        return flat;
    }

    private static void fill(
            ParameterLayout.Layer layer, NetworkSpec spec, double gain, RandomStream random, float[] flat) {
        int weights = layer.in() * layer.out();
        if (spec.orthogonal()) {
            double[] rows =
                    orthonormalRows(Math.min(layer.in(), layer.out()), Math.max(layer.in(), layer.out()), random);
            boolean transposed = layer.out() > layer.in();
            for (int o = 0; o < layer.out(); o++) {
                for (int i = 0; i < layer.in(); i++) {
                    int at = transposed ? i * layer.out() + o : o * layer.in() + i;
                    flat[layer.weightOffset() + o * layer.in() + i] = (float) (gain * rows[at]);
                }
            }
        } else {
            double bound = 1 / Math.sqrt(layer.in());
            for (int i = 0; i < weights; i++) {
                flat[layer.weightOffset() + i] = (float) (bound * (2 * random.nextDouble() - 1));
            }
            for (int o = 0; o < layer.out(); o++) {
                flat[layer.biasOffset() + o] = (float) (bound * (2 * random.nextDouble() - 1));
            }
        }
    }

    /**
     * Gram-Schmidt, done twice for each row: once is not enough to be orthogonal to the last bits (Giraud et al., 2005). The
     * result is distributed uniformly, since normal draws have no preferred direction.
     */
    private static double[] orthonormalRows(int rows, int columns, RandomStream random) {
        double[] q = new double[rows * columns];
        for (int r = 0; r < rows; r++) {
            double norm;
            do {
                for (int c = 0; c < columns; c++) {
                    q[r * columns + c] = random.nextGaussian();
                }
                for (int pass = 0; pass < 2; pass++) {
                    for (int earlier = 0; earlier < r; earlier++) {
                        double projection = dot(q, r, earlier, columns);
                        for (int c = 0; c < columns; c++) {
                            q[r * columns + c] -= projection * q[earlier * columns + c];
                        }
                    }
                }
                norm = Math.sqrt(dot(q, r, r, columns));
                // A row that nearly vanished would be made of rounding errors: draw it again.
            } while (norm < 1e-6);
            for (int c = 0; c < columns; c++) {
                q[r * columns + c] /= norm;
            }
        }
        return q;
    }

    private static double dot(double[] q, int a, int b, int columns) {
        double sum = 0;
        for (int c = 0; c < columns; c++) {
            sum += q[a * columns + c] * q[b * columns + c];
        }
        return sum;
    }
}
