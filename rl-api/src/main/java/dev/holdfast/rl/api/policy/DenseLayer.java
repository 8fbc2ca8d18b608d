package dev.holdfast.rl.api.policy;

import dev.holdfast.rl.api.math.FloatMath;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.ParameterLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One linear layer with its activation, for one row at a time.
 *
 * <p>Weights are kept as one row an input, so that the inner loop adds multiples of rows: the JIT compiler vectorises that, and
 * not a dot product, whose order of additions it must keep. A layer of few outputs has too short rows for it and is computed by
 * dot products.
 */
final class DenseLayer {
    private static final int FEW_OUTPUTS = 8;
    private final ParameterLayout.Layer layer;
    private final @Nullable Activation activation;
    private final int in;
    private final int out;
    private final boolean few;
    /** {@code [in][out]}, or {@code [out][in]} for few outputs. */
    private final float[][] rows;

    private final float[] bias;
    private final float[] output;

    DenseLayer(ParameterLayout.Layer layer, @Nullable Activation activation) {
        this.layer = layer;
        this.activation = activation;
        in = layer.in();
        out = layer.out();
        few = out < FEW_OUTPUTS;
        rows = few ? new float[out][in] : new float[in][out];
        bias = new float[out];
        output = new float[out];
    }

    void load(float[] flat) {
        System.arraycopy(flat, layer.biasOffset(), bias, 0, out);
        for (int o = 0; o < out; o++) {
            for (int i = 0; i < in; i++) {
                float weight = flat[layer.weightOffset() + o * in + i];
                if (few) {
                    rows[o][i] = weight;
                } else {
                    rows[i][o] = weight;
                }
            }
        }
    }

    /** Returns the layer's outputs for an input, in an array that the next call overwrites. */
    float[] apply(float[] input, int offset) {
        if (few) {
            for (int o = 0; o < out; o++) {
                output[o] = dot(rows[o], input, offset) + bias[o];
            }
        } else {
            Arrays.fill(output, 0f);
            int i = 0;
            for (; i + 4 <= in; i += 4) {
                addRows(i, input[offset + i], input[offset + i + 1], input[offset + i + 2], input[offset + i + 3]);
            }
            for (; i < in; i++) {
                addRow(rows[i], input[offset + i]);
            }
            addRow(bias, 1f);
        }
        return activate();
    }

    /** Returns the layer's outputs for an input that is 1 at the given places and 0 elsewhere. */
    float[] applyOneHot(int[] ones) {
        System.arraycopy(bias, 0, output, 0, out);
        for (int one : ones) {
            if (few) {
                for (int o = 0; o < out; o++) {
                    output[o] += rows[o][one];
                }
            } else {
                addRow(rows[one], 1f);
            }
        }
        return activate();
    }

    private float[] activate() {
        if (activation == Activation.TANH) {
            FloatMath.tanh(output, 0, out);
        } else if (activation == Activation.RELU) {
            for (int o = 0; o < out; o++) {
                output[o] = Math.max(output[o], 0f);
            }
        }
        return output;
    }

    private void addRows(int i, float a0, float a1, float a2, float a3) {
        float[] y = output;
        float[] w0 = rows[i];
        float[] w1 = rows[i + 1];
        float[] w2 = rows[i + 2];
        float[] w3 = rows[i + 3];
        for (int o = 0; o < y.length; o++) {
            y[o] += a0 * w0[o] + a1 * w1[o] + a2 * w2[o] + a3 * w3[o];
        }
    }

    private void addRow(float[] row, float a) {
        float[] y = output;
        for (int o = 0; o < y.length; o++) {
            y[o] += a * row[o];
        }
    }

    /** Four sums at once, since each must wait for its last addition. */
    private static float dot(float[] a, float[] b, int offset) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        int i = 0;
        for (; i + 4 <= a.length; i += 4) {
            s0 += a[i] * b[offset + i];
            s1 += a[i + 1] * b[offset + i + 1];
            s2 += a[i + 2] * b[offset + i + 2];
            s3 += a[i + 3] * b[offset + i + 3];
        }
        for (; i < a.length; i++) {
            s0 += a[i] * b[offset + i];
        }
        return s0 + s1 + (s2 + s3);
    }
}
