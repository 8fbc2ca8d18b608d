package dev.holdfast.rl.api.testing;

import java.util.Arrays;

/**
 * Reverse-mode automatic differentiation in double precision: a list of numbers, each with the two it was computed from and the
 * derivatives with respect to them. Slow and simple, to check fast code against.
 */
final class Tape {
    private double[] values = new double[1024];
    private double[] derivativesA = new double[1024];
    private double[] derivativesB = new double[1024];
    private int[] parentsA = new int[1024];
    private int[] parentsB = new int[1024];
    private int size;

    /** Adds a number that depends on nothing. */
    int number(double value) {
        return push(value, 0, 0, 0, 0);
    }

    double value(int node) {
        return values[node];
    }

    int add(int a, int b) {
        return push(values[a] + values[b], a, 1, b, 1);
    }

    int subtract(int a, int b) {
        return push(values[a] - values[b], a, 1, b, -1);
    }

    int multiply(int a, int b) {
        return push(values[a] * values[b], a, values[b], b, values[a]);
    }

    int scale(int a, double factor) {
        return push(values[a] * factor, a, factor, a, 0);
    }

    int exp(int a) {
        double result = Math.exp(values[a]);
        return push(result, a, result, a, 0);
    }

    int log(int a) {
        return push(Math.log(values[a]), a, 1 / values[a], a, 0);
    }

    int tanh(int a) {
        double result = Math.tanh(values[a]);
        return push(result, a, 1 - result * result, a, 0);
    }

    int min(int a, int b) {
        return values[a] <= values[b] ? push(values[a], a, 1, a, 0) : push(values[b], b, 1, b, 0);
    }

    int max(int a, int b) {
        return values[a] >= values[b] ? push(values[a], a, 1, a, 0) : push(values[b], b, 1, b, 0);
    }

    int clamp(int a, double low, double high) {
        return min(max(a, number(low)), number(high));
    }

    private int push(double value, int a, double derivativeA, int b, double derivativeB) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            derivativesA = Arrays.copyOf(derivativesA, 2 * size);
            derivativesB = Arrays.copyOf(derivativesB, 2 * size);
            parentsA = Arrays.copyOf(parentsA, 2 * size);
            parentsB = Arrays.copyOf(parentsB, 2 * size);
        }
        values[size] = value;
        parentsA[size] = a;
        derivativesA[size] = derivativeA;
        parentsB[size] = b;
        derivativesB[size] = derivativeB;
        return size++;
    }

    /** Returns the derivatives of {@code node} with respect to the first {@code count} numbers. */
    double[] gradient(int node, int count) {
        double[] adjoints = new double[node + 1];
        adjoints[node] = 1;
        for (int i = node; i >= count; i--) {
            adjoints[parentsA[i]] += derivativesA[i] * adjoints[i];
            adjoints[parentsB[i]] += derivativesB[i] * adjoints[i];
        }
        return Arrays.copyOf(adjoints, count);
    }
}
