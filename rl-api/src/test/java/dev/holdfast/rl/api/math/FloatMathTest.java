package dev.holdfast.rl.api.math;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FloatMathTest {
    private static final float INF = Float.POSITIVE_INFINITY;

    @Test
    void tanhIsAccurate() {
        tanhIsAccurate(1009);
    }

    @Test
    @Tag("long")
    void tanhIsAccurateForEveryFloat() {
        tanhIsAccurate(1);
    }

    /** The stride is that through the floats (their bit patterns) where tanh is neither almost x nor almost 1. */
    private static void tanhIsAccurate(int stride) {
        double absolute = 0;
        double relative = 0;
        int low = Float.floatToIntBits(0x1p-13f);
        int high = Float.floatToIntBits(9.1f);
        for (long bits = 1;
                bits <= Float.floatToIntBits(Float.MAX_VALUE);
                bits += bits > low && bits < high ? stride : 1009) {
            float x = Float.intBitsToFloat((int) bits);
            float actual = FloatMath.tanh(x);
            if (FloatMath.tanh(-x) != -actual || actual > 1) {
                assertThat(actual).as("tanh(%s)", x).isLessThanOrEqualTo(1).isEqualTo(-FloatMath.tanh(-x));
            }
            double expected = StrictMath.tanh(x);
            double error = Math.abs(actual - expected);
            absolute = Math.max(absolute, error);
            relative = Math.max(relative, error / expected);
        }
        assertThat(absolute).isLessThan(2.3e-7);
        assertThat(relative).isLessThan(3.5e-7);
    }

    @Test
    void tanhKeepsSpecialValues() {
        assertThat(Float.floatToRawIntBits(FloatMath.tanh(0f))).isEqualTo(Float.floatToRawIntBits(0f));
        assertThat(Float.floatToRawIntBits(FloatMath.tanh(-0f))).isEqualTo(Float.floatToRawIntBits(-0f));
        assertThat(FloatMath.tanh(Float.MIN_VALUE)).isEqualTo(Float.MIN_VALUE);
        assertThat(FloatMath.tanh(-1e-40f)).isEqualTo(-1e-40f);
        assertThat(FloatMath.tanh(INF)).isEqualTo(1f);
        assertThat(FloatMath.tanh(-INF)).isEqualTo(-1f);
        assertThat(FloatMath.tanh(Float.NaN)).isNaN();
    }

    @Test
    void tanhOfAnArrayIsThatOfItsElements() {
        float[] values = new float[1000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i - 500) / 40f;
        }
        values[17] = Float.NaN;
        values[18] = -0f;
        float[] expected = values.clone();
        for (int i = 3; i < 998; i++) {
            expected[i] = FloatMath.tanh(values[i]);
        }
        // Often enough that the JIT compiler's vectorised loop is among the ones checked.
        for (int round = 0; round < 2000; round++) {
            float[] actual = values.clone();
            FloatMath.tanh(actual, 3, 998);
            assertThat(actual).isEqualTo(expected);
        }
    }

    @Test
    void expIsAccurate() {
        expIsAccurate(1009);
    }

    @Test
    @Tag("long")
    void expIsAccurateForEveryFloat() {
        expIsAccurate(1);
    }

    /** The stride is that through the floats (their bit patterns) where exp is not almost 1. */
    private static void expIsAccurate(int stride) {
        double relative = 0;
        int low = Float.floatToIntBits(0x1p-14f);
        for (int sign = 0; sign <= 1; sign++) {
            for (long bits = 1; bits <= Float.floatToIntBits(200f); bits += bits > low ? stride : 1009) {
                float x = Float.intBitsToFloat((int) bits | sign << 31);
                double expected = StrictMath.exp(x);
                float actual = FloatMath.exp(x);
                if (x < -87.3f) {
                    if (actual > expected * (1 + 2e-7)) {
                        assertThat((double) actual).as("exp(%s)", x).isLessThan(expected);
                    }
                } else if (x > 88.3f) {
                    if (actual < expected * (1 - 1e-7) && actual < Float.MAX_VALUE) {
                        assertThat((double) actual).as("exp(%s)", x).isGreaterThan(expected);
                    }
                } else {
                    relative = Math.max(relative, Math.abs(actual / expected - 1));
                }
            }
        }
        assertThat(relative).isLessThan(8.5e-8);
    }

    @Test
    void expKeepsSpecialValues() {
        assertThat(FloatMath.exp(0f)).isEqualTo(1f);
        assertThat(FloatMath.exp(-0f)).isEqualTo(1f);
        assertThat(FloatMath.exp(Float.MIN_VALUE)).isEqualTo(1f);
        assertThat(FloatMath.exp(INF)).isEqualTo(INF);
        assertThat(FloatMath.exp(Float.MAX_VALUE)).isEqualTo(INF);
        assertThat(FloatMath.exp(-INF)).isZero();
        assertThat(FloatMath.exp(-88f)).isZero();
        assertThat(FloatMath.exp(-87.3f)).isPositive();
        assertThat(FloatMath.exp(-Float.MAX_VALUE)).isZero();
        assertThat(FloatMath.exp(Float.NaN)).isNaN();
    }
}
